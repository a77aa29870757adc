import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { allows, canReach, chooseRunAs } from './run-as.ts';

const folder = mkdtempSync(join(tmpdir(), 'clinic-run-as-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const passwd = (...names: string[]): string =>
  ['root:x:0:0::/root:/bin/sh', ...names.map((name, i) => `${name}:x:${1000 + i}:${2000 + i}::/:/bin/false`)].join(
    '\n',
  );

test('given an ordinary user, PostgreSQL runs as that user', () => {
  expect(chooseRunAs(undefined, passwd('postgres'), 1000)).toBeNull();
});

test('given a server run as root, PostgreSQL runs as postgres, or else as nobody, or else as any other user', () => {
  expect(chooseRunAs(undefined, passwd('ann', 'nobody', 'postgres'), 0)).toEqual({
    name: 'postgres',
    uid: 1002,
    gid: 2002,
  });
  expect(chooseRunAs(undefined, passwd('ann', 'nobody'), 0)?.name).toBe('nobody');
  expect(chooseRunAs(undefined, passwd('ann'), 0)?.name).toBe('ann');
});

test("given a server run as root and an existing cluster, PostgreSQL runs as the cluster's owner", () => {
  expect(chooseRunAs(1000, passwd('ann', 'nobody', 'postgres'), 0)?.name).toBe('ann');
});

test('given a server run as root without another user, or a cluster of an unknown owner, a one-line error is thrown', () => {
  expect(() => chooseRunAs(undefined, passwd(), 0)).toThrow('cannot run as root');
  expect(() => chooseRunAs(4711, passwd('postgres'), 0)).toThrow('no account for user 4711');
});

test('given a folder closed to other users, these users cannot reach a folder inside it', () => {
  const stranger = { name: 'stranger', uid: 54_321, gid: 54_321 };
  const closed = join(folder, 'closed');
  const inside = join(closed, 'inside');
  mkdirSync(inside, { recursive: true });
  chmodSync(folder, 0o755);
  chmodSync(closed, 0o711);
  expect(canReach(inside, stranger)).toBe(true);
  chmodSync(closed, 0o700);
  expect(canReach(inside, stranger)).toBe(false);
  expect(canReach(inside, null)).toBe(true);
  const owner = { name: 'owner', uid: statSync(closed).uid, gid: 1 };
  expect(allows(statSync(closed), owner, 0o7)).toBe(true);
});
