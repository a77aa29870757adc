/** What the README claims, measured: `npm run bench`; with `-- --quick` a tenth of the days. Prints Markdown. */
import { benchEngine } from './engine.ts';

process.exitCode = (await benchEngine(process.argv.includes('--quick'))) ? 0 : 1;
