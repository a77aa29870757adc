/** Measures what we claim, and writes it into docs/measurements.md; `npm run bench -- --help` lists the parts. */
import { parseArgs } from 'node:util';
import { benchCalendar } from './calendar.ts';
import { benchCalls } from './calls.ts';
import { benchDrag } from './drag.ts';
import { benchBest } from './engine-best.ts';
import { benchEngine } from './engine.ts';
import { benchHard } from './engine-hard.ts';
import { benchRival } from './engine-rival.ts';
import { benchForeign } from './foreign.ts';
import { benchFrontEnds } from './front-ends.ts';
import { benchGrowth } from './growth.ts';
import { benchImport } from './import.ts';
import { benchMany } from './many.ts';
import { keepMeasurements, printedBy } from './measurements.ts';
import { benchQuarter } from './quarter.ts';
import { benchSave } from './save.ts';
import { benchSlots } from './slots.ts';

const USAGE = `npm run bench                  measures everything, which takes half an hour
npm run bench -- NAME          measures one part: calendar, save, slots, calls, many, import, engine or growth

These parts run only when they are named:
  best         days with known best scores, half an hour; --seconds N for each day
  foreign      247 public instances of another problem, up to an hour; --data FOLDER says where they are
  quarter      five clinics with and without ledgers, two minutes; --shapes for other shapes of the clinic,
               --limit for what plans could reach at most
  drag         a session dragged over 300 rows, half a minute
  front-ends   needs nginx, HAProxy and PgBouncer

  --quick      fewer runs, and a tenth of the days
  --cpu        the engine by processor time
  --hard       with engine: hard days; --kind NAME for one kind of day
  --rival      with engine: ordinary and hard days beside CP-SAT; --kind NAME for one kind of day
  --scale N, --years N, --runs N, --entries N, --requests NAMES
               with growth: see bench/growth.ts
  --help       prints this

Figures of whole parts are written into docs/measurements.md.
`;

type Bench = (flags: readonly string[]) => Promise<boolean>;

// The calendar comes first, because `--cpu` changes the clock for everything after it.
const PARTS: Readonly<Record<string, Bench>> = {
  calendar: benchCalendar,
  save: benchSave,
  slots: benchSlots,
  calls: benchCalls,
  engine: (flags) => {
    if (flags.includes('--rival')) return benchRival(flags);
    return (flags.includes('--hard') ? benchHard : benchEngine)(flags);
  },
  many: benchMany,
  import: benchImport,
  growth: benchGrowth,
};
const NAMED: Readonly<Record<string, Bench>> = {
  best: benchBest,
  foreign: benchForeign,
  drag: benchDrag,
  quarter: benchQuarter,
  'front-ends': benchFrontEnds,
};

const flags = process.argv.slice(2);
const asked = read(flags);
if (typeof asked === 'string') {
  process.stderr.write(`${asked}\n\n${USAGE}`);
  process.exitCode = 1;
} else if (asked.help) {
  process.stdout.write(USAGE);
} else {
  const fine: boolean[] = [];
  for (const work of asked.parts) {
    const { result, printed } = await printedBy(() => work(flags));
    fine.push(result);
    if (asked.whole) keepMeasurements(printed);
  }
  process.exitCode = fine.every(Boolean) ? 0 : 1;
}

/** The parts to measure, or a sentence that says why the arguments are refused. */
function read(args: string[]): { help: boolean; whole: boolean; parts: Bench[] } | string {
  const text = { type: 'string' } as const;
  const yes = { type: 'boolean' } as const;
  const known = {
    scale: text,
    years: text,
    runs: text,
    entries: text,
    requests: text,
    seconds: text,
    kind: text,
    data: text,
  };
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...known,
        quick: yes,
        cpu: yes,
        hard: yes,
        rival: yes,
        shapes: yes,
        limit: yes,
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    // The first sentence of the message names the flag. The rest only explains how to write a file name that begins
    // with a dash.
    return (error instanceof Error ? error.message : String(error)).replace(/\. .*$|\.?$/s, '.');
  }
  const { values, positionals } = parsed;
  const all = { ...PARTS, ...NAMED };
  const unknown = positionals.find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined) return `There is no part '${unknown}'.`;
  if (positionals.length > 1) return 'Name one part, or none to run all of them.';
  const [only] = positionals;
  const narrow = Object.keys(values).find((flag) => !['quick', 'cpu', 'help'].includes(flag));
  if (only === undefined && narrow !== undefined) return `Name the part that '--${narrow}' belongs to.`;
  const parts = Object.entries(only === undefined ? PARTS : all).filter(
    ([name]) => only === undefined || name === only,
  );
  // What these flags leave out would be missing from the document.
  const whole = Object.keys(values).every((flag) => ['cpu', 'hard', 'rival', 'data'].includes(flag));
  return { help: values.help ?? false, whole, parts: parts.map(([, work]) => work) };
}
