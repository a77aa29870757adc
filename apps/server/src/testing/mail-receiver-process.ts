import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A mail server in its own process, which can be killed and restarted at the same address. */
export interface MailProcess {
  readonly url: string;
  /**
   * The id of each email that the server took responsibility for, in order, whether or not its confirmation arrived.
   */
  taken(): string[];
  /** Kills the server, at any moment, and restarts it. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const MAIN = join(import.meta.dirname, 'mail-receiver-main.ts');

/** @param file the file in which the server stores an email before confirming it */
export async function startMailProcess(file: string): Promise<MailProcess> {
  const start = async (port: number): Promise<{ child: ChildProcess; port: number }> => {
    const child = spawn(process.execPath, [MAIN, file, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
    if (!child.stdout) throw new Error('the mail server has no output');
    const lines = createInterface({ input: child.stdout });
    const taken = await new Promise<number>((resolve, reject) => {
      lines.once('line', (line) => resolve(Number(line)));
      child.once('exit', (code) => reject(new Error(`the mail server ended with ${code}`)));
    });
    return { child, port: taken };
  };
  const end = (child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> =>
    new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill(signal);
    });
  let now = await start(0);
  return {
    url: `smtp://127.0.0.1:${now.port}`,
    taken: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []),
    async kill() {
      await end(now.child, 'SIGKILL');
      now = await start(now.port);
    },
    stop: () => end(now.child, 'SIGTERM'),
  };
}
