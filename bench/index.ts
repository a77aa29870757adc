/** What the README claims, measured: `npm run bench`; `-- --quick`: a tenth of the days; `-- --cpu`: processor time. */
import { benchEngine } from './engine.ts';

process.exitCode = (await benchEngine(process.argv.slice(2))) ? 0 : 1;
