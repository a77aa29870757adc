import { describe, expect, test } from 'vitest';
import type { Client, SlotsReply } from '@clinic/contract';
import { buildAppointment, buildClient, buildTherapist, dayVersion } from '../testing/builders.ts';
import { BO, ProfileCalls } from '../testing/profiles.ts';
import { buildTestApp } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const t = useApp();

const bo = { ...BO, restrictions: [] as object[] };
const { post, put, get, made } = new ProfileCalls<Client>(t, 'clients');

test('[PROF-09] [DATA-04] given a new client, the reply is the stored profile, with an id', async () => {
  const saved = await made(bo);
  expect(saved.id).toMatch(/^C-\d{4}$/);
  expect(saved).toMatchObject({
    ...bo,
    display_name: 'Bo Lee',
    care_team_only: false,
    rbt_or_above: false,
    two_to_one: false,
    version: 1,
  });
  expect((await get(saved.id)).json()).toEqual(saved);
  const { contacts: _, authorizations: __, ...listed } = saved; // lists are sent without contacts and authorizations
  expect((await t.staff.call({ url: '/api/clients' })).json<Client[]>()).toContainEqual(listed);
  expect((await get('C-7777')).statusCode).toBe(404);
});

test('[PROF-06] given only the form’s required fields, a new client has no restrictions, and an existing client keeps theirs', async () => {
  const { restrictions: _, ...required } = bo;
  const saved = await made(required);
  expect(saved.restrictions).toEqual([]);
  const restrictions = [{ type: 'gender', restriction: 'female' }];
  expect((await put(saved.id, { ...required, restrictions })).json()).toMatchObject({ restrictions });
  expect((await put(saved.id, { ...required, last_name: 'Lee-Moor' })).json()).toMatchObject({ restrictions });
});

test('[PROF-09] a client cannot be deleted', async () => {
  const saved = await made(bo);
  expect((await t.staff.call({ method: 'DELETE', url: `/api/clients/${saved.id}` })).statusCode).toBe(405);
  expect((await get(saved.id)).statusCode).toBe(200);
});

describe('[PROF-08] restrictions', () => {
  test('a required gender may be sent in upper or lower case, and each gender and each excluded therapist is stored once', async () => {
    const therapist = await buildTherapist(t.db);
    const restrictions = [
      { type: 'gender', restriction: 'FEMALE' },
      { type: 'gender', restriction: 'female' },
      { type: 'therapist', restriction: ` ${therapist} ` },
    ];
    const saved = await made({ ...bo, restrictions });
    expect(saved.restrictions).toEqual([
      { type: 'gender', restriction: 'female' },
      { type: 'therapist', restriction: therapist },
    ]);
    const rows = await t.db
      .selectFrom('client_restriction')
      .select(['requires_gender', 'excludes_therapist_id'])
      .where('client_id', '=', saved.id)
      .execute();
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({ requires_gender: 'Female', excludes_therapist_id: null });
    const cleared = (await put(saved.id, { ...saved, restrictions: [] })).json<Client>();
    expect(cleared.restrictions).toEqual([]);
  });

  test('a restriction with an unknown therapist is refused with the id and its position in the list, and nothing is saved', async () => {
    const reply = await post({
      ...bo,
      first_name: 'Nobody',
      restrictions: [
        { type: 'gender', restriction: 'male' },
        { type: 'therapist', restriction: 'T-4040' },
      ],
    });
    expect(reply.statusCode).toBe(422);
    expect(reply.json<{ detail: string }>().detail).toBe(
      "restrictions.1.restriction: there is no therapist with the id 'T-4040'. Nothing was saved.",
    );
    const list = (await t.staff.call({ url: '/api/clients' })).json<Client[]>();
    expect(list.some((client) => client.first_name === 'Nobody')).toBe(false);
  });

  test('given an excluded therapist who has since been deleted, the restriction may stay, but cannot be added again', async () => {
    const therapist = await buildTherapist(t.db);
    const saved = await made({ ...bo, restrictions: [{ type: 'therapist', restriction: therapist }] });
    expect((await t.staff.call({ method: 'DELETE', url: `/api/therapists/${therapist}` })).statusCode).toBe(204);
    expect((await put(saved.id, saved)).statusCode).toBe(200);
    expect((await post({ ...bo, restrictions: saved.restrictions })).statusCode).toBe(422);
  });

  test('a changed restriction affects the plans of the days when the client has sessions', async () => {
    const { db } = t.deps;
    const client = await buildClient(db);
    await buildAppointment(db, { therapist: null, client, date: '2026-12-02', start: '09:00', end: '10:00' });
    await buildAppointment(db, { therapist: null, client, date: '2026-09-01', start: '09:00', end: '10:00' });
    const saved = (await get(client)).json<Client>();
    const changed = (
      await put(client, { ...saved, restrictions: [{ type: 'gender', restriction: 'female' }] })
    ).json<Client>();
    expect(await dayVersion(db, 'altamonte', '2026-12-02')).toBe(1);
    await put(client, changed); // the same values are saved again, so nothing has changed
    expect(await dayVersion(db, 'altamonte', '2026-12-02')).toBe(1);
    expect(await dayVersion(db, 'altamonte', '2026-09-01')).toBe(0);
  });
});

test('names are unique among clients; a therapist may have the same name as a client', async () => {
  await buildTherapist(t.db, { first: 'Mo', last: 'Diaz' });
  expect((await made({ ...bo, first_name: 'Mo', last_name: 'Diaz' })).display_name).toBe('Mo Diaz');
  expect((await made({ ...bo, first_name: 'MO', last_name: 'diaz' })).display_name).toBe('MO diaz (2)');
});

test('[CAL-07] a client cannot have the name that stands for administrative time', async () => {
  const app = await buildTestApp({ database: t.database, config: { adminClientName: 'Front Desk' } });
  const person = await app.signIn();
  const payload = { ...bo, first_name: 'front', last_name: 'desk' };
  const { id } = await made({ ...bo, first_name: 'Frank' });
  for (const save of [
    { method: 'POST', url: '/api/clients' },
    { method: 'PUT', url: `/api/clients/${id}` },
  ] as const) {
    const reply = await person.call({ ...save, payload });
    expect(reply.statusCode).toBe(422);
    expect(reply.json<{ detail: string }>().detail).toContain('administrative time');
  }
  await app.close();
});

test('given a newer version, a save is refused, and the refusal contains the newest version', async () => {
  const saved = await made(bo);
  expect((await put(saved.id, { ...saved, gender: 'Female' })).statusCode).toBe(200);
  const late = await put(saved.id, saved);
  expect(late.statusCode).toBe(409);
  expect(late.json<{ detail: object }>().detail).toMatchObject({ version: 2 });
  expect((await get(saved.id)).json()).toMatchObject({ gender: 'Female' });
});

test('given a save without optional fields, the stored values stay; 2:1 cannot be removed while a second therapist is booked', async () => {
  const { db } = t.deps;
  const saved = await made({ ...bo, two_to_one: true, care_team_only: true });
  const { two_to_one: _two, care_team_only: _team, ...rest } = saved;
  expect((await put(saved.id, rest)).json()).toMatchObject({ two_to_one: true, care_team_only: true });
  await buildAppointment(db, {
    therapist: null,
    client: saved.id,
    date: '2026-12-02',
    start: '09:00',
    end: '10:00',
    seat: 2,
  });
  const reply = await put(saved.id, { ...rest, version: 2, two_to_one: false });
  expect([reply.statusCode, reply.json<{ detail: string }>().detail]).toEqual([
    422,
    expect.stringMatching(/^two_to_one: /),
  ]);
});

test('2:1 can be removed while second therapists are booked only in the past or in cancelled sessions', async () => {
  const saved = await made({ ...bo, two_to_one: true });
  const second = { therapist: null, client: saved.id, start: '09:00', end: '10:00', seat: 2 } as const;
  await buildAppointment(t.deps.db, { ...second, date: '2026-11-02' });
  await buildAppointment(t.deps.db, { ...second, date: '2026-12-02', status: 'cancelled' });
  const reply = await put(saved.id, { ...saved, two_to_one: false });
  expect(reply.statusCode, reply.body).toBe(200);
});

test('an account for one location sees and saves only clients at that location', async () => {
  const tampa = await t.signIn({ locations: ['tampa'] });
  const here = await made({ ...bo, location: 'tampa' });
  const there = await made({ ...bo, location: 'orlando' });
  const list = (await tampa.call({ url: '/api/clients' })).json<Client[]>();
  expect(new Set(list.map((client) => client.location))).toEqual(new Set(['tampa']));
  expect((await tampa.call({ url: '/api/clients?location=orlando' })).statusCode).toBe(403);
  expect((await get(there.id, tampa)).statusCode).toBe(403);
  expect((await post({ ...bo, location: 'orlando' }, tampa)).statusCode).toBe(403);
  expect((await put(here.id, { ...here, location: 'orlando' }, tampa)).statusCode).toBe(403);
  expect((await put(there.id, { ...there, location: 'tampa' }, tampa)).statusCode).toBe(403);
});

test('every read and write of a client is audited by id; no name reaches the log', async () => {
  const saved = await made({ ...bo, first_name: 'Auditrail' });
  await get(saved.id);
  await put(saved.id, { ...saved, gender: 'Female' });
  const listed = await t.staff.call({ url: '/api/clients?location=altamonte' });
  expect(listed.headers['cache-control']).toBe('no-store');
  const rows = await t.db
    .selectFrom('audit')
    .select(['action', 'account_id', 'subject_ids', 'detail'])
    .where('subject_kind', '=', 'client')
    .orderBy('at')
    .execute();
  const of = rows.filter((row) => row.subject_ids.includes(saved.id));
  expect(of.map((row) => row.action).sort()).toEqual([
    'client.changed',
    'client.created',
    'client.read',
    'clients.listed',
  ]);
  expect(of.every((row) => row.account_id === t.staff.accountId)).toBe(true);
  expect(JSON.stringify(of)).not.toContain('Auditrail');
  expect(t.logLines.join('\n')).not.toContain('Auditrail');
});

test('a client who has left is in no list and on no later day, and stays on the days before; the profile says since when', async () => {
  const last = await buildClient(t.deps.db, { first: 'Lena', last: 'Leaves' });
  const gone = await buildClient(t.deps.db, { first: 'Nora', last: 'Since' });
  // Nora had her last session two years ago, and nobody wrote a last day down.
  await buildAppointment(t.deps.db, {
    therapist: null,
    client: gone,
    date: '2024-11-20',
    start: '09:00',
    end: '10:00',
  });
  const url = `/api/clients/${last}`;
  const stored = (await t.staff.call({ url })).json<Client>();
  expect(stored.end_date).toBeNull();
  const save = (end_date: string | null, version: number) =>
    t.staff.call({ method: 'PUT', url, payload: { ...stored, end_date, version } });
  const saved = await save('2026-11-19', 1);
  expect(saved.statusCode, saved.body).toBe(200);
  const listed = async (query: object = {}) =>
    (await t.staff.call({ url: '/api/clients', query: { location: 'altamonte', ...query } }))
      .json<Client[]>()
      .flatMap((client) => ([last, gone].includes(client.id) ? [[client.first_name, client.end_date]] : []));
  const nora = ['Nora', null];
  expect(await listed()).toEqual([]);
  expect(await listed({ left: 'with' })).toEqual([['Lena', '2026-11-19'], nora]);
  const rows = async (date: string) =>
    (await t.staff.call({ url: '/api/slots', query: { location: 'altamonte', date } }))
      .json<SlotsReply>()
      .people.filter(({ type, name }) => type === 'client' && ['Lena Leaves', 'Nora Since'].includes(name));
  expect((await rows('2026-11-19')).map(({ name }) => name)).toEqual(['Lena Leaves']);
  expect(await rows('2026-11-20')).toEqual([]);
  expect((await save('2026-11-20', 2)).statusCode).toBe(200);
  expect(await listed()).toEqual([['Lena', '2026-11-20']]);
  expect((await save(null, 3)).statusCode).toBe(200);
  expect((await rows('2026-12-20')).map(({ name }) => name)).toEqual(['Lena Leaves']);
});
