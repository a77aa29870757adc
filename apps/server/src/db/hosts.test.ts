import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openBlackProxy } from '../testing/black-proxy.ts';
import { createTestDatabase, urlOf } from '../testing/test-database.ts';
import { openDatabase } from './connection.ts';
import { refuseSharedSessions } from './pooler.ts';

/** A database URL with the user and password of `url`, and several hosts that differ in their port. */
function urlOfHosts(url: string, name: string, ...ports: number[]): string {
  const { username, password } = new URL(url);
  return `postgres://${username}:${password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${name}`;
}

const portOf = (target: { port?: number | undefined; connectionString?: string | undefined }): number =>
  target.port ?? Number(new URL(target.connectionString ?? '').port);

test('given several hosts, the first that accepts writes is used; once it refuses writes, the next is used', async () => {
  const [standby, primary] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const [one, two] = [await openBlackProxy(standby.target), await openBlackProxy(primary.target)];
  const readOnly = (database: typeof standby, value: string) =>
    sql.raw(`alter database ${database.name} set default_transaction_read_only = ${value}`).execute(database.db);
  // Two databases stand in for two hosts; during the test, one of them stops accepting writes.
  const name = standby.name;
  const other = openDatabase({
    connectionString: urlOfHosts(urlOf(standby.target), name, 1, portOf(one.target), portOf(two.target)),
  });
  try {
    await other.chooseHost(); // the first host does not reply
    expect((await sql<{ port: number }>`select 1 as port`.execute(other.db)).rows).toHaveLength(1);
    expect(JSON.stringify(other.currentHost())).toContain(String(portOf(one.target)));
    await readOnly(standby, 'on');
    await other.chooseHost(); // no host accepts writes, so the host in use stays: it can at least be read
    expect(JSON.stringify(other.currentHost())).toContain(String(portOf(one.target)));
    one.close();
    await other.chooseHost();
    expect(JSON.stringify(other.currentHost())).toContain(String(portOf(two.target)));
    await refuseSharedSessions(other);
  } finally {
    await readOnly(standby, 'off').catch(() => {});
    await other.close();
    one.close();
    two.close();
    await Promise.all([standby.close(), primary.close()]);
  }
});
