// npm start: from a fresh clone to a running server. Plain JavaScript without dependencies, so that Node 20 can run it.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/paths.mjs';
import { say, ToolError, withNode } from './lib/process.mjs';
import { setUp } from './lib/setup.mjs';

try {
  const node = await setUp({ pages: true, development: false });
  serve(node);
} catch (error) {
  say(error instanceof ToolError ? error.message : error.stack);
  process.exitCode = 1;
}

function serve(node) {
  // Nothing is written to the fourth pipe. It closes when this process exits for any reason; the server then stops.
  const server = spawn(node, [join(ROOT, 'apps', 'server', 'src', 'main.ts'), ...process.argv.slice(2)], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env: { ...withNode(node), SCHEDULER_PARENT_PIPE: '3' },
  });
  server.stdio[3].on('error', () => {});
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => server.kill(signal));
  const watch = watchNpm(() => server.kill('SIGTERM'));
  server.on('error', (error) => {
    say(`The server could not be started: ${error.message}`);
    process.exit(1);
  });
  server.on('exit', (code, signal) => {
    clearInterval(watch);
    process.exitCode = code ?? (signal ? 1 : 0);
  });
}

/**
 * Calls `onGone` when the npm that started us is gone, for example because it was killed; otherwise no one could stop
 * the server.
 */
function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event) return undefined;
  const first = lineage();
  const timer = setInterval(() => {
    if (lineage() === first) return;
    clearInterval(timer);
    onGone();
  }, 500);
  timer.unref();
  return timer;
}

/** The id of our parent process, and the id of its parent if npm started us through a shell. */
function lineage() {
  const { ppid } = process;
  try {
    const stat = readFileSync(`/proc/${ppid}/stat`, 'utf8');
    const [, name] = /\((.*)\)/.exec(stat);
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /^(ba|da|z)?sh$/.test(name) ? `${ppid} ${parent}` : `${ppid}`;
  } catch {
    return `${ppid}`;
  }
}
