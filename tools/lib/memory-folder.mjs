import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableMemory } from 'node:process';
import { join } from 'node:path';

const GIB = 1024 ** 3;
/** The number by which Linux identifies a file system in memory (`TMPFS_MAGIC`). */
const TMPFS = 0x0102_1994;
/** The room required, in bytes: far more than the databases of a test run need at the same time. */
const ROOM = { free: 4 * GIB, memory: 6 * GIB };
const NAME = /^clinic-tests-(\d+)-/;

/**
 * Makes a folder in memory for the temporary files of a test run, because on a disk it takes several times as long to
 * create and drop databases. Also removes the folders of test runs that were killed.
 * @param base a folder on a file system in memory; on Linux, `/dev/shm`
 * @returns the folder and a function that removes it; undefined when there is no such file system, when it has too
 * little room, or when no program may run from it
 */
export function makeMemoryFolder(base = '/dev/shm', room = roomAt(base)) {
  if (room.free < ROOM.free || room.memory < ROOM.memory) return undefined;
  for (const name of readdirSync(base)) {
    const owner = NAME.exec(name)?.[1];
    if (owner !== undefined && !isRunning(Number(owner))) rmSync(join(base, name), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(base, `clinic-tests-${process.pid}-`));
  // When root runs the tests, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (runsPrograms(folder)) return { folder, remove };
  remove();
  return undefined;
}

/** Whether a program in this folder may be started: containers often forbid it, and some tests need it. */
function runsPrograms(folder) {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

/** The free bytes of the file system in memory, and of memory itself: in a container, either may be the smaller one. */
function roomAt(base) {
  try {
    const { type, bavail, bsize } = statfsSync(base);
    return { free: type === TMPFS ? bavail * bsize : 0, memory: availableMemory() };
  } catch {
    return { free: 0, memory: 0 };
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
