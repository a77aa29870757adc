import { beforeAll, expect, test } from 'vitest';
import { API, isForReaders, type Endpoint } from '@clinic/contract';
import { useApp } from '../testing/use-app.ts';
import type { SignedIn } from '../testing/test-app.ts';

const t = useApp();
let director: SignedIn;
let viewer: SignedIn;
beforeAll(async () => {
  director = await t.signIn({ role: 'director' });
  viewer = await t.signIn({ role: 'viewer', locations: ['tampa'] });
});

const ENDPOINTS = Object.values(API).flatMap((group) => Object.values<Endpoint>(group));

test('every endpoint whose method may write is closed to readers, unless it says that it writes nothing', () => {
  const open = ENDPOINTS.filter((each) => each.method !== 'GET' && isForReaders(each));
  expect(open.filter(({ writes, audit }) => writes !== false || audit === 'change')).toEqual([]);
  expect(open.length).toBeGreaterThan(5);
  expect(ENDPOINTS.filter((each) => each.method === 'GET' && each.audit === 'change')).toEqual([]);
});

test('a director and a viewer may not write, and are told why', async () => {
  const writes = ENDPOINTS.filter(({ access, ...each }) => access === 'signed-in' && !isForReaders({ ...each }));
  expect(writes.length).toBeGreaterThan(20);
  for (const { method, path } of writes)
    for (const reader of [director, viewer]) {
      const reply = await reader.call({ method, url: `/api${path}`, payload: {} });
      expect(reply.statusCode, path).toBe(403);
      expect(reply.json<{ detail: string }>().detail, path).toContain('changes are made by schedulers');
    }
});

test('a viewer sees their locations and no others, and neither accounts nor the trail; a director sees all', async () => {
  const status = async (reader: SignedIn, url: string): Promise<number> => (await reader.call({ url })).statusCode;
  const day = (location: string): string => `/api/slots?location=${location}&date=2026-11-20`;
  expect(await status(viewer, day('tampa'))).toBe(200);
  expect(await status(viewer, day('altamonte'))).toBe(403);
  for (const url of ['/api/accounts', '/api/audit', '/api/invitations']) {
    expect(await status(viewer, url)).toBe(403);
    expect(await status(director, url)).toBe(200);
  }
  expect(await status(director, day('altamonte'))).toBe(200);
  const read = await t.db.selectFrom('audit').select('action').where('account_id', '=', viewer.accountId).execute();
  expect(read.map(({ action }) => action)).toContain('calendar.read');
});

test('a viewer needs a location, when invited, added or changed', async () => {
  const admin = await t.signIn({ role: 'admin' });
  const body = { name: 'Vera', email: 'vera@clinic.example', role: 'viewer' };
  for (const locations of [null, []]) {
    const added = await admin.call({
      method: 'POST',
      url: '/api/accounts',
      payload: { ...body, locations, password: 'seven green lamps on a shelf' },
    });
    expect(added.json<{ detail: string }>().detail).toContain('at least one location');
    const invited = await admin.call({
      method: 'POST',
      url: '/api/colleague-invitations',
      payload: { ...body, locations, by_email: false },
    });
    expect(invited.statusCode).toBe(422);
    const changed = await admin.call({
      method: 'PUT',
      url: `/api/accounts/${t.staff.accountId}`,
      payload: { ...body, email: t.staff.email, locations },
    });
    expect(changed.statusCode).toBe(422);
  }
});

test.each(['scheduler', 'admin', 'director', 'viewer'] as const)(
  'someone invited as %s makes their account by the link, with that role',
  async (role) => {
    const admin = await t.signIn({ role: 'admin' });
    const email = `${role}-by-link@clinic.example`;
    const invited = await admin.call({
      method: 'POST',
      url: '/api/colleague-invitations',
      payload: { name: 'Lin', email, role, locations: ['tampa'], by_email: false },
    });
    expect(invited.statusCode).toBe(201);
    const { secret } = invited.json<{ secret: string }>();
    const payload = { secret, password: 'seven green lamps on a shelf' };
    expect((await t.app.inject({ method: 'POST', url: '/api/welcome', payload })).statusCode).toBe(200);
    const made = await t.db.selectFrom('account').select(['role', 'locations']).where('email', '=', email).execute();
    expect(made).toEqual([{ role, locations: ['tampa'] }]);
  },
);
