import { beforeAll, expect, test } from 'vitest';
import type { Client, Therapist, WireAppointment } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { buildClient, buildTherapist } from '../testing/builders.ts';
import { buildTestApp, tokenFor, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const DATE = '2026-11-23';
let admin: SignedIn;
const t = useApp(() => buildTestApp({ config: { clock: '2026-11-20T12:20:00Z' } }));
beforeAll(async () => {
  admin = await t.signIn({ role: 'admin' });
});

const post = (url: string, payload: object) => admin.call({ method: 'POST', url: `/api/${url}`, payload });
const person = (first_name: string, last_name: string) => ({
  first_name,
  last_name,
  location: 'altamonte',
  gender: 'Female',
  specialization: 'RBT',
  start_date: '2024-03-04',
});

async function shown(kind: 'therapists' | 'clients', first: string, last: string): Promise<string> {
  const reply = await post(kind, person(first, last));
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json<Client | Therapist>().display_name;
}

test.each(['therapists', 'clients'] as const)(
  '%s whose names differ only in invisible characters get different numbers in their display names',
  async (kind) => {
    const names = ['Ma\u200bria', 'Maria\u00ad', '\u202eMaria', 'Ma\ufe0fria', 'MARIA\u3164'];
    const given = [];
    for (const name of names) given.push(await shown(kind, name, 'Ze\u2060ro'));
    expect(given).toEqual(['Maria Zero', 'Maria Zero (2)', 'Maria Zero (3)', 'Maria Zero (4)', 'MARIA Zero (5)']);
  },
);

test.each([
  ['İpek', 'Öz', 'ipek', 'öz'],
  ['ΟΔΥΣΣΕΥΣ', 'Νέος', 'οδυσσευς', 'ΝΈΟΣ'],
  ['Straße', 'ﬁn', 'STRASSE', 'FIN'],
])('%s %s and %s %s are the same name, in the database too', async (first, last, sameFirst, sameLast) => {
  expect(await shown('clients', first, last)).toBe(`${first} ${last}`);
  expect(await shown('clients', sameFirst, sameLast)).toBe(`${sameFirst} ${sameLast} (2)`);
});

test('given a client imported with a 15-digit id, clients can still be added', async () => {
  for (const id of ['C-999999999999999', 'C-999999999', 'C-99999999999999999999'])
    await buildClient(t.deps.db, { id, last: id });
  const first = (await post('clients', person('Ann', 'One'))).json<Client>();
  const second = (await post('clients', person('Ann', 'Two'))).json<Client>();
  expect([first.id, second.id].every((id) => /^C-\d{4}$/.test(id))).toBe(true);
  expect(first.id).not.toBe(second.id);
});

test('given two people called Ana Ruiz, each can be booked or marked absent by display name', async () => {
  const { db } = t.deps;
  const ids: Record<string, string> = {
    'Ana Ruiz': await buildTherapist(db, { first: 'Ana', last: 'Ruiz', location: 'tampa' }),
    'Cleo Ruiz': await buildClient(db, { first: 'Cleo', last: 'Ruiz', location: 'tampa' }),
  };
  ids['Ana Ruiz (2)'] = (await post('therapists', person('Ana', 'Ruiz'))).json<Therapist>().id;
  ids['Cleo Ruiz (2)'] = (await post('clients', person('Cleo', 'Ruiz'))).json<Client>().id;
  for (const [i, number] of ['', ' (2)'].entries()) {
    const therapist = `Ana Ruiz${number}`;
    const client = `Cleo Ruiz${number}`;
    const times = { date: DATE, start: `${9 + i}:00`.padStart(5, '0'), end: `${10 + i}:00` };
    const reply = await post('appointments', {
      location: 'altamonte',
      client,
      therapist,
      subject: 'Direct Therapy',
      anyway: true,
      ...times,
    });
    expect(reply.statusCode, reply.body).toBe(201);
    const key = reply.json<WireAppointment[]>()[0]?.key ?? '';
    const row = await db.selectFrom('appointment').selectAll().where('id', '=', key).executeTakeFirstOrThrow();
    expect([row.therapist_id, row.client_id]).toEqual([ids[therapist], ids[client]]);
    const queries = [
      { type: 'therapist_cancel', therapist },
      { type: 'client_cancel', client },
    ].map((query) => ({ ...query, date: DATE, location: 'altamonte', begin: '09:00', end: '12:00' }));
    const saved = await post('api/scheduler/process', { date: DATE, location: 'altamonte', queries });
    expect(saved.statusCode, saved.body).toBe(200);
    const away = await db.selectFrom('absence').selectAll().where('date', '=', isoDate(DATE)).execute();
    expect(away.map((absence) => absence.therapist_id)).toContain(ids[therapist]);
    expect(away.map((absence) => absence.client_id)).toContain(ids[client]);
  }
});

test('people are listed in alphabetical order: Óscar follows Olive, not Zoë', async () => {
  for (const first of ['Zoë', 'Óscar', 'Olive', 'Łucja']) await shown('clients', first, 'Sorted');
  const list = (await admin.call({ url: '/api/clients' })).json<Client[]>().map((client) => client.display_name);
  expect(list.filter((name) => name.endsWith('Sorted'))).toEqual([
    'Łucja Sorted',
    'Olive Sorted',
    'Óscar Sorted',
    'Zoë Sorted',
  ]);
});

test('an email address is recognized in upper or lower case', async () => {
  const account = { name: 'Dana', role: 'scheduler', locations: null, password: 'grey otters juggle lanterns' };
  expect((await post('accounts', { ...account, email: 'Dana.W@Clinic.example' })).statusCode).toBe(201);
  const again = await post('accounts', { ...account, email: 'dana.w@clinic.EXAMPLE' });
  expect(again.statusCode).toBe(422);
  await tokenFor(t.app, ' DANA.W@clinic.example\u200b', account.password);
});
