import { readFileSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '../../start-error.ts';

/** The user that PostgreSQL runs as when the server is root, because PostgreSQL refuses to run as root. */
export interface RunAs {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Chooses the user that PostgreSQL runs as; `null` means the current user. For root, it chooses the owner of the
 * existing database files, or else `postgres` or `nobody` (initdb needs a user with a name).
 * @param ownerUid the owner of existing database files, if any
 */
export function chooseRunAs(ownerUid?: number, passwd = readPasswd(), uid = process.getuid?.()): RunAs | null {
  if (uid !== 0) return null;
  const users = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .flatMap(([name, , uid, gid]) => (name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []))
    .filter((user) => user.uid !== 0);
  const found =
    ownerUid !== undefined && ownerUid !== 0
      ? users.find((user) => user.uid === ownerUid)
      : (users.find((user) => user.name === 'postgres') ?? users.find((user) => user.name === 'nobody') ?? users[0]);
  if (!found) {
    const whom = ownerUid ? `user ${ownerUid}, who owns the data` : "a user such as 'nobody'";
    throw new StartError(
      `PostgreSQL cannot run as root, and this machine has no account for ${whom}: start as an ordinary user, or set DATABASE_URL.`,
    );
  }
  return found;
}

/** Whether `user` (null for the current user) may enter `path` and every folder above it. */
export function canReach(path: string, user: RunAs | null): boolean {
  if (user === null) return true;
  for (let at = path; ; at = dirname(at)) {
    if (!allows(statSync(at), user, 0o1)) return false;
    if (dirname(at) === at) return true;
  }
}

/** Whether `user` has these permissions on a file: 4 read, 2 write, 1 enter. */
export function allows(stats: Stats, user: RunAs, want: number): boolean {
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0;
  return ((stats.mode >> shift) & want) === want;
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}
