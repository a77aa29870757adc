import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A server in its own process, as `npm start` runs it. */
export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** The exit code or the signal's name, once the process has exited. */
  readonly ended: Promise<number | string>;
}

/**
 * For tests that start many servers and solve little: a server starts one solver worker with the first problem, and none
 * without one. Starting and warming up a worker takes as long as starting the server.
 */
export const ONE_SOLVER = { SOLVER_WORKERS: '1', SOLVER_WARM_UP: 'off' } as const;

const MAIN = join(import.meta.dirname, '../main.ts');

/**
 * Starts a server and waits until it is ready. Throws the server's output if it exits before that. Stop it with
 * `child.kill`.
 */
export async function startServerProcess(
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<ServerProcess> {
  const env = { ...process.env, PORT: '0', RATE_LIMIT: '100000', SCHEDULER_PARENT_PIPE: '3', ...settings };
  // The fourth pipe stands in for the pipe that `npm start` passes: see SCHEDULER_PARENT_PIPE in main.ts.
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const;
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...args], { env, stdio: [...stdio] });
  if (!child.stdout || !child.stderr) throw new Error('the server has no output');
  const output = createInterface({ input: child.stdout });
  const stdout: string[] = [];
  const stderr: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => stderr.push(line));
  const ended = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal ?? 0)),
  );
  const url = await new Promise<string>((resolve, reject) => {
    output.on('line', (line) => {
      stdout.push(line);
      const ready = /^Scheduler is ready at (http:\S+)$/.exec(line)?.[1];
      if (ready) resolve(ready);
    });
    void ended.then((code) => reject(new Error(`${code}: ${stderr.join('\n')}`)));
  });
  return { url, child, stdout, stderr, ended };
}
