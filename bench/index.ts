/**
 * Measures what the README claims: everything with `npm run bench`, or one part with its name after `--` (calendar,
 * save, slots, calls, many, import, engine or growth). `--quick`: fewer runs, and a tenth of the days. `--cpu`: the
 * engine by processor time. `-- engine --hard`: the engine on hard days, beside CP-SAT. Three parts run only when they
 * are named: best (days with known best scores, half an hour), quarter (five clinics with and without ledgers, five
 * minutes) and front-ends (needs nginx, HAProxy and PgBouncer).
 */
import { benchCalendar } from './calendar.ts';
import { benchCalls } from './calls.ts';
import { benchBest } from './engine-best.ts';
import { benchEngine } from './engine.ts';
import { benchHard } from './engine-hard.ts';
import { benchFrontEnds } from './front-ends.ts';
import { benchGrowth } from './growth.ts';
import { benchImport } from './import.ts';
import { benchMany } from './many.ts';
import { benchQuarter } from './quarter.ts';
import { benchSave } from './save.ts';
import { benchSlots } from './slots.ts';

const flags = process.argv.slice(2);
const only = flags.find((flag) => !flag.startsWith('-'));
// The calendar comes first, because `--cpu` changes the clock for everything after it.
const wanted = (name: string): boolean => only === undefined || only === name;
const calendar = !wanted('calendar') || (await benchCalendar(flags));
const save = !wanted('save') || (await benchSave(flags));
const slots = !wanted('slots') || (await benchSlots(flags));
const calls = !wanted('calls') || (await benchCalls(flags));
const engine = !wanted('engine') || (await (flags.includes('--hard') ? benchHard : benchEngine)(flags));
const many = !wanted('many') || (await benchMany(flags));
const imports = !wanted('import') || (await benchImport(flags));
const growth = !wanted('growth') || (await benchGrowth(flags));
const best = only !== 'best' || (await benchBest(flags));
const quarter = only !== 'quarter' || (await benchQuarter(flags));
const frontEnds = only !== 'front-ends' || (await benchFrontEnds());
const all = [calendar, save, slots, calls, many, imports, engine, best, growth, quarter, frontEnds];
process.exitCode = all.every(Boolean) ? 0 : 1;
