/**
 * Solves problems that nobody here made: public instances of personnel task scheduling (`fixed-tasks.ts`). They are not
 * in the repository: the folder `data` of github.com/vale1410/SMPTSP has all 247, as `.dat` files. `--data FOLDER` says
 * where they are; files that were written as cover problems before (`.json`) are read too. An `index.json` there may
 * say, for each instance, the fewest workers known. Prints Markdown.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadHighs, solve, toAnswer, type CoverAnswer, type CoverProblem } from '@clinic/cover-engine';
import { SLOTS } from '@clinic/domain';
import { judgeAnswer } from '../packages/cover-engine/src/proof/judge-answer.ts';
import { limitProcessorTime, machine, now, spread, spreadText, table } from './figures.ts';
import { toCoverProblem } from './fixed-tasks.ts';

/** The processor time for each instance. */
const SECONDS = 10;
const POINTS_A_WORKER = 100;
const QUICK_EVERY = 10;
/** The slots of a clinic's day. Files in `.dat` have more of them. */
const USUAL_SLOTS = 48;

type Index = Readonly<Record<string, { readonly fewest_workers: number | null }>>;

const problemIn = (file: string): CoverProblem => {
  const text = readFileSync(file, 'utf8');
  return extname(file) === '.dat' ? toCoverProblem(text) : (JSON.parse(text) as CoverProblem);
};

const slotsOf = ({ sessions }: CoverProblem): number =>
  new Set(sessions.filter((s) => s.client !== null).map((s) => s.start)).size;

/** The workers used, and the fewest that the bound leaves; null when a task is not covered. */
function workersOf({ options: [option] }: CoverAnswer): { found: number; least: number } | null {
  const pieces = option?.sessions.flatMap((s) => s.pieces);
  if (!option || !pieces || pieces.some((piece) => piece.therapist === null)) return null;
  const found = new Set(pieces.map((piece) => piece.therapist)).size;
  const over = option.score.total - (option.bound ?? 0);
  return { found, least: Math.max(0, found - Math.floor(over / POINTS_A_WORKER)) };
}

async function measure(file: string, known: number | null) {
  const name = basename(file, extname(file));
  const problem = problemIn(file);
  const highs = await loadHighs();
  const start = now();
  const left = (): number => SECONDS - (now() - start) / 1000;
  const answer = toAnswer(solve(problem, { highs, options: 1, strategies: ['balanced'], left }));
  const ms = now() - start;
  const workers = workersOf(answer);
  const proven = answer.options[0]?.proven ?? false;
  const faults = judgeAnswer(problem, answer);
  if (proven && !workers) faults.push('proves that a task cannot be covered');
  if (proven && workers && known !== null && workers.found !== known)
    faults.push(`proves ${workers.found}, not ${known}`);
  return { name, slots: slotsOf(problem), workers, ms, proven, faults: faults.map((fault) => `${name}: ${fault}`) };
}

type Measured = Awaited<ReturnType<typeof measure>>;

const GROUPS = [
  { name: 'at most 48', above: 0, most: 48 },
  { name: '49 to 200', above: 48, most: 200 },
  { name: 'more', above: 200, most: Infinity },
];

function rowOf(name: string, of: readonly Measured[]): string[] {
  const open = of.filter((m) => !m.proven);
  const above = (m: Measured): number => (m.workers ? m.workers.found - m.workers.least : NaN);
  const counts = [
    open.filter((m) => above(m) === 1),
    open.filter((m) => above(m) > 1),
    open.filter((m) => m.workers === null),
  ];
  return [
    name,
    String(of.length),
    String(of.length - open.length),
    ...counts.map((c) => String(c.length)),
    spreadText(spread(of.map((m) => m.ms))),
  ];
}

/** The same command in a process whose day has more slots. */
function withMinutes(): boolean {
  const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const args = ['--import', beside('minute-day.ts'), beside('index.ts'), ...process.argv.slice(2)];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;
}

/** Solves every instance, or with `--quick` every tenth; true when no answer had an error. */
export async function benchForeign(flags: readonly string[]): Promise<boolean> {
  const at = flags.indexOf('--data');
  const folder = at < 0 ? undefined : flags[at + 1];
  if (!folder) {
    console.log(
      'The instances are not part of the repository. Say where they are: npm run bench -- foreign --data FOLDER',
    );
    return false;
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => extname(file) === '.dat' || (extname(file) === '.json' && basename(file) !== 'index.json'))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .filter((_, i) => !flags.includes('--quick') || i % QUICK_EVERY === 0);
  if (SLOTS === USUAL_SLOTS && files.some((file) => extname(file) === '.dat')) return withMinutes();
  limitProcessorTime();
  const indexFile = join(folder, 'index.json');
  const index = existsSync(indexFile) ? (JSON.parse(readFileSync(indexFile, 'utf8')) as Index) : {};
  const measured: Measured[] = [];
  console.error('Instance\tSlots\tFewest known\tOurs\tAt least\tProven\tms');
  for (const file of files) {
    const known = index[basename(file, extname(file))]?.fewest_workers ?? null;
    const each = await measure(join(folder, file), known);
    const { name, slots, workers, proven, ms } = each;
    console.error(
      [name, slots, known ?? 'open', workers?.found ?? 'not all', workers?.least ?? '', proven, Math.round(ms)].join(
        '\t',
      ),
    );
    measured.push(each);
  }
  console.log(
    `## Fixed tasks, fewest workers\n\n${machine()}. ${files.length} public instances, ${SECONDS} s each. Milliseconds: median / 95 % / worst.\n`,
  );
  console.log(
    table(
      ['Slots', 'Instances', 'Proven', 'One worker more than must be', 'More', 'Not all covered', 'Milliseconds'],
      GROUPS.map(({ name, above, most }) => ({ name, of: measured.filter((m) => m.slots > above && m.slots <= most) }))
        .filter(({ of }) => of.length > 0)
        .map(({ name, of }) => rowOf(name, of)),
    ),
  );
  const faults = measured.flatMap((m) => m.faults);
  for (const fault of faults) console.log(fault);
  return faults.length === 0;
}
