// Plain JavaScript, with its types in lock-file.d.mts: the tools run it on Node 20, before anything is installed.
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 50;
const POLLS_BEFORE_NOTICE = 20;

export async function withLock(path, work, onWait = () => {}) {
  mkdirSync(dirname(path), { recursive: true });
  const mine = `${path}.${process.pid}.${randomUUID()}`;
  writeFileSync(mine, holder(process.pid), { mode: 0o600 });
  try {
    for (let waited = 0; !take(mine, path); waited++) {
      if (waited === POLLS_BEFORE_NOTICE) onWait();
      await delay(POLL_MS);
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

function take(mine, path) {
  try {
    linkSync(mine, path); // the link is made atomically, and fails if the lock exists
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const held = read(path);
  if (held === undefined || isAlive(held)) return false;
  // The lock is moved away and then checked again. If two processes find the same dead lock, the second may move the
  // lock that the first has just made; it must then put that lock back.
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

function holder(pid) {
  return `${pid} ${startTime(pid) ?? ''}`;
}

function isAlive(held) {
  const pid = Number(held.split(' ')[0]);
  return Number.isInteger(pid) && pid > 0 && isRunning(pid) && held === holder(pid);
}

export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function startTime(pid) {
  const stat = read(`/proc/${pid}/stat`);
  // The start time is field 22. An earlier field, the program's name, may contain spaces.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
