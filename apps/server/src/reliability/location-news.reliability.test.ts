import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionReply } from '@clinic/contract';
import { ONE_SOLVER, startServerProcess, type ServerProcess } from '../testing/server-process.ts';
import { createTestDatabase, urlOf, type TestDatabase } from '../testing/test-database.ts';

let database: TestDatabase;
let servers: ServerProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  const settings = { DATABASE_URL: urlOf(database.target), DEMO: 'on', LOG_LEVEL: 'warn', ...ONE_SOLVER };
  servers = [await startServerProcess(settings), await startServerProcess(settings)];
});
afterAll(async () => {
  for (const { child } of servers) child.kill('SIGTERM');
  await Promise.all(servers.map((server) => server.ended));
  await database.close();
});

const of = (n: number): string => servers[n]?.url ?? '';

test('given two servers, what one does to the locations is known to the other within two seconds, without a restart', async () => {
  const body = new URLSearchParams({ username: 'admin@clinic.example', password: 'demo admin password' });
  const login = await fetch(`${of(0)}/api/token`, { method: 'POST', body });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const slots = () => fetch(`${of(1)}/api/slots?location=mesa&date=2026-11-20`, { headers });
  expect((await slots()).status).toBe(422);

  const mesa = { label: 'Mesa', group: 'Arizona', zone: 'America/Phoenix', hours: [] };
  const added = await fetch(`${of(0)}/api/locations`, { method: 'POST', headers, body: JSON.stringify(mesa) });
  expect(added.status).toBe(201);
  await expect.poll(async () => (await slots()).status, { timeout: 2000, interval: 50 }).toBe(200);
  // `/slots` reads only the list that this server keeps, as everything else does.
  const renamed = await fetch(`${of(0)}/api/locations/mesa`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ ...mesa, label: 'Mesa East' }),
  });
  expect(renamed.status).toBe(200);
  const session = (await (await fetch(`${of(1)}/api/session`, { headers })).json()) as SessionReply;
  expect(session.locations?.find(({ value }) => value === 'mesa')?.label).toBe('Mesa East');
});
