import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs `work` while no other process holds the lock file `path`. Takes over a lock whose holder has ended. (The server
 * has the same for its database; this one must run on Node 20, before anything is installed.)
 */
export async function withLock(path, work, onWait = () => {}) {
  mkdirSync(dirname(path), { recursive: true });
  const mine = `${path}.${process.pid}.${Date.now()}`;
  writeFileSync(mine, holder(process.pid));
  try {
    for (let waited = 0; !take(mine, path); waited++) {
      if (waited === 10) onWait();
      await delay(100);
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
    linkSync(mine, path); // atomic: fails if the lock exists
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const held = read(path);
  if (held === undefined || isAlive(held)) return false;
  const aside = `${mine}.stale`;
  try {
    renameSync(path, aside);
    if (read(aside) !== held) linkSync(aside, path); // another process was quicker: put its new lock back
  } catch {
    return false;
  } finally {
    rmSync(aside, { force: true });
  }
  return false;
}

// The start time distinguishes the holder from a later process with the same id.
function holder(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return `${pid} ${stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
}

function isAlive(held) {
  const pid = Number(held.split(' ')[0]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return held === holder(pid);
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
