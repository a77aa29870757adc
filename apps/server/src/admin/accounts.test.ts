import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { Account } from '@clinic/contract';
import { lockAll } from '../db/locks.ts';
import { inTransaction } from '../db/retry.ts';
import { audit } from '../access/audit.ts';
import { buildTestApp, tokenFor, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import { waitsOrReplied } from '../testing/waits.ts';

let admin: SignedIn;
const t = useApp(() => buildTestApp());
beforeAll(async () => {
  admin = await t.signIn({ role: 'admin', email: 'admin@test.example' });
});

const body = (changes: object = {}) => ({
  email: 'dana@test.example',
  name: 'Dana',
  role: 'scheduler',
  locations: ['tampa'],
  password: 'long enough a password',
  ...changes,
});

test('an account that an administrator adds can log in, and the addition is audited', async () => {
  const reply = await admin.call({
    method: 'POST',
    url: '/api/accounts',
    payload: body({ email: 'Dana@Test.example' }),
  });
  expect(reply.statusCode).toBe(201);
  const account = reply.json<Account>();
  expect(account).toMatchObject({ email: 'dana@test.example', locations: ['tampa'], disabled: false });
  expect(await tokenFor(t.app, 'dana@test.example', 'long enough a password')).toBeTruthy();
  const rows = await t.deps.db.selectFrom('audit').selectAll().where('action', '=', 'account.added').execute();
  expect(rows).toMatchObject([{ subject_ids: [account.id], account_id: admin.accountId }]);
  expect(JSON.stringify(rows)).not.toContain('long enough');
});

test('an email in use, a short password and a missing password are refused with the field’s name', async () => {
  for (const [payload, field] of [
    [body({ email: admin.email }), 'email'],
    [body({ email: 'a1@test.example', password: 'short' }), 'password'],
    [body({ email: 'a2@test.example', password: undefined }), 'password'],
    [body({ email: 'no address' }), 'email'],
    [body({ email: 'a3@test.example', locations: ['miami'] }), 'locations.0: no such location'],
  ] as const) {
    const reply = await admin.call({ method: 'POST', url: '/api/accounts', payload });
    expect(reply.statusCode).toBe(422);
    expect(reply.json<{ detail: string }>().detail).toContain(field);
  }
});

test('a changed account cannot take another account’s email, and an unknown account cannot be changed', async () => {
  const one = await t.signIn();
  const payload = { ...body({ email: admin.email, password: undefined }), your_password: admin.password };
  const change = (id: string) => admin.call({ method: 'PUT', url: `/api/accounts/${id}`, payload });
  const taken = await change(one.accountId);
  expect([taken.statusCode, taken.json()]).toEqual([422, { detail: `email: ${admin.email} already has an account.` }]);
  expect((await change(randomUUID())).statusCode).toBe(404);
  expect(await tokenFor(t.app, one.email, one.password)).toBeTruthy();
});

test('disabling an account ends its sessions at once, and its next login is refused', async () => {
  const one = await t.signIn({ email: 'leaver@test.example' });
  const payload = { email: one.email, name: 'Leaver', role: 'scheduler', locations: null, disabled: true };
  expect((await one.call({ url: '/api/session' })).statusCode).toBe(200);
  const reply = await admin.call({ method: 'PUT', url: `/api/accounts/${one.accountId}`, payload });
  expect(reply.json<Account>().disabled).toBe(true);
  expect((await one.call({ url: '/api/session' })).statusCode).toBe(401);
  await expect(tokenFor(t.app, one.email, one.password)).rejects.toThrow('401');
  // Enabling the account again does not reopen its old session.
  await admin.call({ method: 'PUT', url: `/api/accounts/${one.accountId}`, payload: { ...payload, disabled: false } });
  expect((await one.call({ url: '/api/session' })).statusCode).toBe(401);
  expect(await tokenFor(t.app, one.email, one.password)).toBeTruthy();
});

test('a new password ends the sessions that were started with the old one', async () => {
  const one = await t.signIn({ email: 'changer@test.example' });
  const payload = {
    email: one.email,
    name: 'Changer',
    role: 'scheduler',
    locations: null,
    password: 'another password',
    your_password: admin.password,
  };
  await admin.call({ method: 'PUT', url: `/api/accounts/${one.accountId}`, payload });
  expect((await one.call({ url: '/api/session' })).statusCode).toBe(401);
  await expect(tokenFor(t.app, one.email, one.password)).rejects.toThrow('401');
  expect(await tokenFor(t.app, one.email, 'another password')).toBeTruthy();
});

test('to change an account’s email or password, the administrator must enter their own password; other changes need none', async () => {
  const one = await t.signIn({ email: 'kept@test.example' });
  const url = `/api/accounts/${one.accountId}`;
  const payload = { email: one.email, name: 'Kept', role: 'scheduler', locations: null };
  for (const change of [
    { password: 'another password' },
    { email: 'taken.over@test.example' },
    { password: 'another password', your_password: one.password + '!' },
  ]) {
    const reply = await admin.call({ method: 'PUT', url, payload: { ...payload, ...change } });
    expect(reply.statusCode).toBe(422);
    expect(reply.json<{ detail: string }>().detail).toContain('your_password: this is not your password');
  }
  expect((await one.call({ url: '/api/session' })).statusCode).toBe(200);
  expect(await tokenFor(t.app, one.email, one.password)).toBeTruthy();
  expect((await admin.call({ method: 'PUT', url, payload: { ...payload, name: 'Other' } })).statusCode).toBe(200);
  const moved = { ...payload, email: 'moved@test.example', your_password: admin.password };
  expect((await admin.call({ method: 'PUT', url, payload: moved })).json<Account>().email).toBe('moved@test.example');
});

test('a changed role or location applies to the next request of an open session', async () => {
  const one = await t.signIn({ email: 'mover@test.example', locations: ['tampa'] });
  const slots = (location: string) => one.call({ url: `/api/slots?date=2026-11-20&location=${location}` });
  expect((await slots('orlando')).statusCode).toBe(403);
  const payload = { email: one.email, name: 'Mover', role: 'scheduler', locations: ['orlando'] };
  await admin.call({ method: 'PUT', url: `/api/accounts/${one.accountId}`, payload });
  expect((await slots('orlando')).statusCode).toBe(200);
  expect((await slots('tampa')).statusCode).toBe(403);
});

test('the last administrator can be neither disabled nor demoted', async () => {
  const base = { email: admin.email, name: 'Admin', locations: null };
  for (const change of [{ role: 'scheduler' }, { role: 'admin', disabled: true }]) {
    const reply = await admin.call({
      method: 'PUT',
      url: `/api/accounts/${admin.accountId}`,
      payload: { ...base, ...change },
    });
    expect(reply.statusCode).toBe(422);
    expect(reply.json<{ detail: string }>().detail).toContain('last administrator');
  }
  expect((await admin.call({ url: '/api/accounts' })).statusCode).toBe(200);
});

test('given two administrators who demote each other at the same moment, only one of them succeeds', async () => {
  const lone = await buildTestApp();
  try {
    const [one, two] = [await lone.signIn({ role: 'admin' }), await lone.signIn({ role: 'admin' })];
    const demote = (by: SignedIn, whom: SignedIn) =>
      by.call({
        method: 'PUT',
        url: `/api/accounts/${whom.accountId}`,
        payload: { email: whom.email, name: 'X', role: 'scheduler', locations: null },
      });
    const { db, pool } = lone.deps;
    const sent = await db.transaction().execute(async (trx) => {
      await lockAll(trx, ['administrators']);
      const both = [demote(one, two), demote(two, one)];
      expect(await waitsOrReplied(pool, both, 2)).toBe(true);
      return { both };
    });
    const statuses = (await Promise.all(sent.both)).map((reply) => reply.statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  } finally {
    await lone.close();
  }
});

test('an administrator for some locations cannot give any account, even their own, access to other locations', async () => {
  const some = await t.signIn({ role: 'admin', email: 'some@test.example', locations: ['tampa'] });
  const own = { email: some.email, name: 'Some', role: 'admin' };
  const change = (id: string, payload: object) => some.call({ method: 'PUT', url: `/api/accounts/${id}`, payload });
  for (const locations of [null, ['tampa', 'orlando'], ['orlando']]) {
    const made = body({ email: 'beyond@test.example', locations });
    const replies = [
      await change(some.accountId, { ...own, locations }),
      await some.call({ method: 'POST', url: '/api/accounts', payload: made }),
    ];
    for (const reply of replies) {
      expect(reply.statusCode, reply.body).toBe(403);
      expect(reply.json<{ detail: string }>().detail).toContain('only at your own locations. Nothing was changed');
    }
  }
  // An administrator also cannot change an account with access to more locations than their own.
  const taken = { email: admin.email, name: 'Admin', role: 'scheduler', locations: ['tampa'] };
  expect((await change(admin.accountId, taken)).statusCode).toBe(403);
  const within = body({ email: 'within@test.example', locations: ['tampa'] });
  expect((await some.call({ method: 'POST', url: '/api/accounts', payload: within })).statusCode).toBe(201);
});

test('an administrator for some locations sees only those locations in the audit trail', async () => {
  const some = await t.signIn({ role: 'admin', locations: ['tampa'] });
  const read = (by: SignedIn, location: string) => by.call({ url: `/api/slots?date=2026-11-20&location=${location}` });
  for (const location of ['tampa', 'orlando']) expect((await read(admin, location)).statusCode).toBe(200);
  const seen = async (by: SignedIn) =>
    new Set((await by.call({ url: '/api/audit' })).json<{ location: string | null }[]>().map((row) => row.location));
  expect(await seen(some)).toEqual(new Set([null, 'tampa']));
  expect(await seen(admin)).toEqual(new Set([null, 'tampa', 'orlando']));
});

test('an administrator for some locations finds who read their own clients, and no ids of people elsewhere', async () => {
  const [some, all] = [await t.signIn({ role: 'admin', locations: ['tampa'] }), admin];
  const body = { first_name: 'Ana', last_name: 'Ruiz', gender: 'Female', restrictions: [] };
  const made = async (location: string) =>
    (await all.call({ method: 'POST', url: '/api/clients', payload: { ...body, location } })).json<{ id: string }>().id;
  const [here, there] = [await made('tampa'), await made('orlando')];
  await all.call({ url: '/api/clients' });
  await all.call({ url: `/api/audit?subject=${there}` });
  // Servers of an earlier version recorded a list of everyone without a location.
  await inTransaction(t.deps.db, (trx) =>
    audit(trx, Date.now(), {
      action: 'clients.listed',
      subjectKind: 'client',
      subjectIds: [here, there],
      accountId: all.accountId,
      requestId: null,
    }),
  );
  const rows = (await some.call({ url: '/api/audit' })).json<{ action: string; subject_ids: string[] }[]>();
  expect(rows.filter(({ subject_ids }) => subject_ids.includes(there))).toEqual([]);
  expect(rows.filter(({ action }) => action === 'clients.listed').map(({ subject_ids }) => subject_ids)).toEqual([
    [here],
  ]);
  expect((await some.call({ url: `/api/audit?subject=${there}` })).json()).toEqual([]);
});

test('only administrators can see accounts and the audit trail', async () => {
  const one = await t.signIn();
  for (const url of ['/api/accounts', '/api/audit']) expect((await one.call({ url })).statusCode).toBe(403);
  const reply = await admin.call({ url: `/api/audit?account=${admin.accountId}` });
  expect(reply.statusCode).toBe(200);
  expect(reply.json<{ account: string }[]>().every((row) => row.account === admin.email)).toBe(true);
  expect(reply.json<unknown[]>().length).toBeGreaterThan(3);
});
