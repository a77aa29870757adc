/**
 * What the README claims, measured: `npm run bench`, or `-- calendar` or `-- engine` alone; `--quick`: fewer runs, a
 * tenth of the days; `--cpu`: the engine by processor time.
 */
import { benchCalendar } from './calendar.ts';
import { benchEngine } from './engine.ts';

const flags = process.argv.slice(2);
const only = flags.find((flag) => !flag.startsWith('-'));
// The calendar first: `--cpu` changes what the clock of all that follows counts.
const calendar = only === 'engine' || (await benchCalendar(flags));
const engine = only === 'calendar' || (await benchEngine(flags));
process.exitCode = calendar && engine ? 0 : 1;
