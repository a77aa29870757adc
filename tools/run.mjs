// npm run NAME: prepares the machine and runs the command NAME. Only the command writes to standard output.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/paths.mjs';
import { say, ToolError, withNode } from './lib/process.mjs';
import { setUp } from './lib/setup.mjs';

const OWN_FOLDER = { bench: 'bench/index.ts', soak: 'bench/soak.ts', pictures: 'e2e/pictures.ts' };

try {
  const [name, ...args] = process.argv.slice(2);
  const script = join(ROOT, OWN_FOLDER[name] ?? `apps/server/src/commands/${name}.ts`);
  if (!/^[a-z]+$/.test(name ?? '') || !existsSync(script)) throw new ToolError(`There is no command '${name ?? ''}'.`);
  const node = await setUp({ pages: name in OWN_FOLDER, development: name in OWN_FOLDER });
  // npm runs this in the product's folder; INIT_CWD is the user's own folder, to which file names are relative.
  const here = (process.env.npm_lifecycle_event === name && process.env.INIT_CWD) || process.cwd();
  const command = spawn(node, [script, ...args], {
    stdio: 'inherit',
    env: { ...withNode(node), SCHEDULER_FOLDER: here },
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => command.kill(signal));
  command.on('error', (error) => {
    say(`The command could not be started: ${error.message}`);
    process.exit(1);
  });
  command.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
} catch (error) {
  say(error instanceof ToolError ? error.message : error.stack);
  process.exitCode = 1;
}
