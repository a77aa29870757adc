import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs `work` while only this process holds the lock file `path`. A lock whose holder no longer runs is taken over;
 * the holder is its process id together with its start time, since ids are used again after a restart of a container.
 * @param onWait called once when another process has the lock
 */
export async function withLock<T>(path: string, work: () => Promise<T>, onWait: () => void = () => {}): Promise<T> {
  const mine = `${path}.${process.pid}.${randomUUID()}`;
  writeFileSync(mine, holder(process.pid), { mode: 0o600 });
  try {
    for (let waited = 0; !take(mine, path); waited++) {
      if (waited === 20) onWait();
      await delay(50);
    }
    try {
      return await work();
    } finally {
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function take(mine: string, path: string): boolean {
  try {
    linkSync(mine, path); // atomic: fails if the lock exists
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const held = read(path);
  if (held === undefined || isAlive(held)) return false;
  // Moved away before it is judged again: of two processes that find the same dead lock, one moves it and the other
  // may move the first one's new lock, which is then put back.
  const aside = `${mine}.stale`;
  try {
    renameSync(path, aside);
    if (read(aside) !== held) linkSync(aside, path);
  } catch {
    return false;
  } finally {
    rmSync(aside, { force: true });
  }
  return false;
}

function holder(pid: number): string {
  return `${pid} ${startTime(pid) ?? ''}`;
}

function isAlive(held: string): boolean {
  const pid = Number(held.split(' ')[0]);
  return Number.isInteger(pid) && pid > 0 && isRunning(pid) && held === holder(pid);
}

/** Whether a process with this id exists, whoever owns it. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function startTime(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]; // field 22; the name before it may hold spaces
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
