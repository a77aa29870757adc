import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Client, Contact, Therapist } from '@clinic/contract';
import { loadContacts } from '../people/contacts.ts';
import { buildAppointment, buildClient, buildTherapist, dayVersion } from '../testing/builders.ts';
import { ANA, BO, ProfileCalls } from '../testing/profiles.ts';
import { buildTestApp, FRIDAY_MORNING } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const t = useApp(() => buildTestApp({ config: { ...FRIDAY_MORNING, logLevel: 'trace' } }));

const PERSONS = { clients: BO, therapists: ANA };
const KINDS = ['clients', 'therapists'] as const;
type Kind = (typeof KINDS)[number];

const mother = { name: 'Dana Lee', relation: 'Mother', phone: '(407) 555-0123 x4', email: 'dana@example.org' };
const father = { name: 'Sam Lee', phone: '407-555-0124', language: 'Spanish', preferred: 'text' };
const MOTHER: Contact = { ...mother, dial: '+14075550123;ext=4', language: '', preferred: '' };
const FATHER: Contact = {
  name: 'Sam Lee',
  relation: '',
  phone: '407-555-0124',
  dial: '+14075550124',
  email: '',
  language: 'Spanish',
  preferred: 'text',
};

const calls = {
  clients: new ProfileCalls<Client | Therapist>(t, 'clients'),
  therapists: new ProfileCalls<Client | Therapist>(t, 'therapists'),
};
const put = (kind: Kind, ...sent: Parameters<(typeof calls)[Kind]['put']>) => calls[kind].put(...sent);
const get = async (kind: Kind, id: string) => (await calls[kind].get(id)).json<Client | Therapist>();
const made = (kind: Kind, contacts?: object[]) =>
  calls[kind].made({ ...PERSONS[kind], ...(contacts ? { contacts } : {}) });

describe.each(KINDS)('contacts of %s', (kind) => {
  test('given contacts, the profile keeps them in order, each with the number to dial', async () => {
    const saved = await made(kind, [mother, father]);
    expect(saved.contacts).toEqual([MOTHER, FATHER]);
    expect((await get(kind, saved.id)).contacts).toEqual([MOTHER, FATHER]);
    const turned = await put(kind, saved.id, { ...PERSONS[kind], contacts: [father, mother] });
    expect(turned.json<Client>().contacts).toEqual([FATHER, MOTHER]);
    const none = await put(kind, saved.id, { ...PERSONS[kind], contacts: [] });
    expect(none.json<Client>().contacts).toEqual([]);
  });

  test('given a save without contacts, the stored contacts stay, and a new profile has none', async () => {
    expect((await made(kind)).contacts).toEqual([]);
    const saved = await made(kind, [mother]);
    expect((await put(kind, saved.id, PERSONS[kind])).json<Client>().contacts).toEqual([MOTHER]);
  });

  test('a list of profiles has no contacts', async () => {
    const saved = await made(kind, [mother]);
    const list = (await t.staff.call({ url: `/api/${kind}` })).json<Client[]>();
    expect(list.find((profile) => profile.id === saved.id)).not.toHaveProperty('contacts');
  });

  test('an invalid contact is refused with its position in the list and the field, and nothing is saved', async () => {
    const saved = await made(kind, [mother]);
    for (const [wrong, field] of [
      [{ ...father, name: ' ' }, 'name'],
      [{ ...father, phone: 'ask at school' }, 'phone'],
      [{ ...father, email: 'sam at example' }, 'email'],
      [{ ...father, phone: '' }, 'preferred'],
      [{ ...father, preferred: 'email' }, 'preferred'],
      [{ ...father, preferred: 'pigeon' }, 'preferred'],
      [{ ...father, relation: 'x'.repeat(61) }, 'relation'],
    ] as const) {
      const reply = await put(kind, saved.id, { ...PERSONS[kind], contacts: [mother, wrong] });
      expect([reply.statusCode, reply.json<{ detail: string }>().detail]).toEqual([
        422,
        expect.stringContaining(`contacts.1.${field}`),
      ]);
    }
    const many = Array.from({ length: 11 }, () => mother);
    expect((await put(kind, saved.id, { ...PERSONS[kind], contacts: many })).statusCode).toBe(422);
    expect((await get(kind, saved.id)).contacts).toEqual([MOTHER]);
  });

  test('the audit trail records only that contacts changed; no number or name reaches the trail or the log', async () => {
    const saved = await made(kind, [father]);
    await put(kind, saved.id, { ...PERSONS[kind], contacts: [mother] });
    await put(kind, saved.id, { ...PERSONS[kind], contacts: [mother] });
    const rows = await t.db
      .selectFrom('audit')
      .select(['action', 'detail', 'subject_ids'])
      .where('action', 'like', '%.changed')
      .orderBy('at')
      .execute();
    const of = rows.filter((row) => row.subject_ids.includes(saved.id));
    expect(of.map((row) => row.detail)).toEqual([{ changed: ['contacts'] }, { changed: [] }]);
    const written = JSON.stringify(rows) + t.logLines.join('\n');
    for (const secret of ['555-012', '4075550123', 'Dana Lee', 'dana@example.org'])
      expect(written).not.toContain(secret);
  });

  test('an account at another location can neither read nor change contacts', async () => {
    const tampa = await t.signIn({ locations: ['tampa'] });
    const saved = await made(kind, [mother]);
    const read = await tampa.call({ url: `/api/${kind}/${saved.id}` });
    expect([read.statusCode, read.body.includes('Dana')]).toEqual([403, false]);
    expect((await put(kind, saved.id, { ...PERSONS[kind], contacts: [] }, tampa)).statusCode).toBe(403);
    expect((await get(kind, saved.id)).contacts).toEqual([MOTHER]);
  });

  test('given a changed contact, open options stay valid', async () => {
    const { db } = t.deps;
    const saved = await made(kind);
    const other =
      kind === 'clients'
        ? { client: saved.id, therapist: null }
        : { client: await buildClient(db), therapist: saved.id };
    await buildAppointment(db, { ...other, date: '2026-12-02', start: '09:00', end: '10:00' });
    const before = await dayVersion(db, 'altamonte', '2026-12-02');
    expect((await put(kind, saved.id, { ...PERSONS[kind], contacts: [mother] })).statusCode).toBe(200);
    expect(await dayVersion(db, 'altamonte', '2026-12-02')).toBe(before);
  });
});

test('deleting a therapist deletes their contacts', async () => {
  const saved = await made('therapists', [mother]);
  expect((await t.staff.call({ method: 'DELETE', url: `/api/therapists/${saved.id}` })).statusCode).toBe(204);
  const { rows } = await sql`select from contact where therapist_id = ${saved.id}`.execute(t.db);
  expect(rows).toEqual([]);
});

test('given people at several locations, contacts are returned only for the requested locations', async () => {
  const { db } = t.deps;
  const here = (await made('therapists', [mother, father])).id;
  const bare = await buildTherapist(db);
  const elsewhere = await calls.therapists.post({ ...ANA, location: 'tampa', contacts: [father] });
  const ids = [here, bare, elsewhere.json<Therapist>().id];
  const of = await loadContacts(db, 'therapist', ids, ['altamonte']);
  expect(ids.map((id) => of.get(id))).toEqual([[MOTHER, FATHER], [], []]);
  const all = await loadContacts(db, 'therapist', ids, null);
  expect(ids.map((id) => all.get(id)?.length)).toEqual([2, 0, 1]);
});

test.each([
  ['two owners', { client_id: 'c', therapist_id: 't' }],
  ['no owner', { client_id: null, therapist_id: null }],
  ['no name', { name: ' ' }],
  ['a way without its number', { preferred: 'text' }],
  ['an unknown way', { preferred: 'pigeon' }],
  ['an eleventh rank', { rank: 11 }],
])('the database refuses a contact with %s', async (_what, wrong) => {
  const { db } = t.deps;
  const ids = { c: await buildClient(db), t: await buildTherapist(db) };
  const own = { client_id: 'c', therapist_id: null, ...wrong };
  const row = {
    rank: 1,
    name: 'Dana Lee',
    ...wrong,
    client_id: own.client_id === null ? null : ids.c,
    therapist_id: own.therapist_id === null ? null : ids.t,
  };
  await expect(db.insertInto('contact').values(row).execute()).rejects.toMatchObject({ code: '23514' });
});
