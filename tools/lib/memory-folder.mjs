import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableMemory } from 'node:process';
import { join } from 'node:path';

const GIB = 1024 ** 3;
/** What Linux calls the type of a file system in memory. */
const TMPFS = 0x0102_1994;
/** Far more than the databases of a test run take at any one time. */
const ROOM = { free: 4 * GIB, memory: 6 * GIB };
const NAME = /^clinic-tests-(\d+)-/;

/**
 * Makes a folder in memory for the temporary files of a test run, its databases above all: a disk takes several times
 * as long to make and to drop them. Removes what runs that were killed have left.
 * @param base where file systems in memory are on Linux
 * @returns the folder and a function that removes it; undefined when there is no such place, too little room, or no
 *   program may run from there
 */
export function makeMemoryFolder(base = '/dev/shm', room = roomAt(base)) {
  if (room.free < ROOM.free || room.memory < ROOM.memory) return undefined;
  for (const name of readdirSync(base)) {
    const owner = NAME.exec(name)?.[1];
    if (owner !== undefined && !isRunning(Number(owner))) rmSync(join(base, name), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(base, `clinic-tests-${process.pid}-`));
  chmodSync(folder, 0o755); // for the user that PostgreSQL runs as when we are root
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

/** The bytes that are free in a file system in memory, and in memory itself: a container may have less of either. */
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
