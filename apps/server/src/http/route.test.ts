import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoint, locationSchema } from '@clinic/contract';
import { buildTestApp } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import { requireLocation } from '../access/caller.ts';
import type { Routes } from '../access/deps.ts';
import { addRoute } from './route.ts';

let ran = 0;
const query = z.object({ location: z.optional(locationSchema), date: z.optional(z.string()) });
const called = { access: 'signed-in', summary: 'X', query, reply: z.string() } as const;
const named = endpoint('GET', '/test/named', { ...called, at: 'query.location', audit: 'calendar.read' });
const found = endpoint('GET', '/test/found', { ...called, at: 'found', audit: 'none' });
const forgot = endpoint('GET', '/test/forgot', { ...called, at: 'found', audit: 'none' });
const several = endpoint('GET', '/test/several', { ...called, at: 'own', audit: 'clients.listed' });

const extra: Routes = (app) => {
  addRoute(app, named, () => Promise.resolve(`run ${++ran}`));
  addRoute(app, found, ({ caller }) => {
    requireLocation(caller, 'tampa');
    return Promise.resolve('found');
  });
  addRoute(app, forgot, () => Promise.resolve('secret'));
  addRoute(app, several, ({ query: { date }, shows }) => {
    if (date !== 'forgets') shows(...(['altamonte', 'tampa'] as const).map((location) => entryAt(location)));
    return Promise.resolve('all');
  });
};
const entryAt = (location: 'altamonte' | 'tampa') => ({
  subjectKind: 'client',
  subjectIds: [`C-${location}`],
  location,
});

const t = useApp(() => buildTestApp({ extraRoutes: [extra], config: { logLevel: 'silent' } }));
const reads = (accountId: string) =>
  t.deps.db
    .selectFrom('audit')
    .select(['action', 'subject_kind', 'subject_ids', 'location'])
    .where('account_id', '=', accountId)
    .where('action', '!=', 'session.begun')
    .orderBy('location')
    .execute();

test('given an account without rights at the location that a call names, nothing runs and nothing is recorded', async () => {
  const local = await t.signIn({ locations: ['tampa'] });
  const before = ran;
  const reply = await local.call({ url: '/api/test/named?location=altamonte&date=2026-02-04' });
  expect(reply.statusCode).toBe(403);
  expect(ran).toBe(before);
  expect(await reads(local.accountId)).toEqual([]);
});

test('given a day that a call names, the day is recorded before the reply is sent', async () => {
  const local = await t.signIn({ locations: ['tampa'] });
  const reply = await local.call({ url: '/api/test/named?location=tampa&date=2026-02-04' });
  expect(reply.statusCode).toBe(200);
  expect(await reads(local.accountId)).toEqual([
    { action: 'calendar.read', subject_kind: 'day', subject_ids: ['tampa/2026-02-04'], location: 'tampa' },
  ]);
});

test('given a use case that finds the location, the reply is sent only if it required the location', async () => {
  const local = await t.signIn({ locations: ['altamonte'] });
  expect((await local.call({ url: '/api/test/found' })).statusCode).toBe(403);
  expect((await (await t.signIn({})).call({ url: '/api/test/found' })).statusCode).toBe(200);
  const forgotten = await local.call({ url: '/api/test/forgot' });
  expect(forgotten.statusCode).toBe(500);
  expect(forgotten.body).not.toContain('secret');
});

test('given a reply about people at several locations, each location has its entry; one that does not say what it shows is not sent', async () => {
  const staff = await t.signIn({});
  expect((await staff.call({ url: '/api/test/several?date=forgets' })).statusCode).toBe(500);
  expect(await reads(staff.accountId)).toEqual([]);
  expect((await staff.call({ url: '/api/test/several' })).statusCode).toBe(200);
  expect(await reads(staff.accountId)).toEqual([
    { action: 'clients.listed', subject_kind: 'client', subject_ids: ['C-altamonte'], location: 'altamonte' },
    { action: 'clients.listed', subject_kind: 'client', subject_ids: ['C-tampa'], location: 'tampa' },
  ]);
});
