/**
 * Measures what the README claims: `npm run bench`, or only `-- calendar`, `-- engine` or `-- growth`; `--quick`: fewer
 * runs, a tenth of the days; `--cpu`: the engine by processor time. `-- front-ends` runs only when named, as it needs
 * nginx, HAProxy and PgBouncer.
 */
import { benchCalendar } from './calendar.ts';
import { benchEngine } from './engine.ts';
import { benchFrontEnds } from './front-ends.ts';
import { benchGrowth } from './growth.ts';

const flags = process.argv.slice(2);
const only = flags.find((flag) => !flag.startsWith('-'));
// The calendar first: `--cpu` changes the clock of everything after it.
const wanted = (name: string): boolean => only === undefined || only === name;
const calendar = !wanted('calendar') || (await benchCalendar(flags));
const engine = !wanted('engine') || (await benchEngine(flags));
const growth = !wanted('growth') || (await benchGrowth(flags));
const frontEnds = only !== 'front-ends' || (await benchFrontEnds());
process.exitCode = calendar && engine && growth && frontEnds ? 0 : 1;
