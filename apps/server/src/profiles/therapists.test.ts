import { describe, expect, test } from 'vitest';
import type { HoursReply, SlotsReply, Therapist } from '@clinic/contract';
import { buildAppointment, buildClient, dayVersion } from '../testing/builders.ts';
import { ANA, ProfileCalls } from '../testing/profiles.ts';
import { useApp } from '../testing/use-app.ts';

const t = useApp();

const ana = {
  ...ANA,
  consistency: 82,
  availability: [1, 2, 3, 4, 5].map((day) => ({ day_of_week: day, start_time: '09:00', end_time: '17:00' })),
};
const { post, put, get, made } = new ProfileCalls<Therapist>(t, 'therapists');

test('[PROF-09] [DATA-03] given a new therapist, the reply is the stored profile, with an id', async () => {
  const saved = await made(ana);
  expect(saved.id).toMatch(/^T-\d{4}$/);
  expect(saved).toMatchObject({
    ...ana,
    availability: expect.any(Array) as unknown,
    display_name: 'Ana Ruiz',
    version: 1,
  });
  expect(saved.availability.map(({ id: _id, ...window }) => window)).toEqual(ana.availability);
  expect((await get(saved.id)).json()).toEqual(saved);
  const list = (await t.staff.call({ url: '/api/therapists' })).json<Therapist[]>();
  expect(Array.isArray(list)).toBe(true);
  const { contacts: _, ...listed } = saved; // lists are sent without contacts
  expect(list).toContainEqual(listed);
});

test('[PROF-06] [PROF-07] given only the form’s required fields, a new therapist’s week is Monday to Friday 09:00-17:00, and an existing therapist keeps theirs', async () => {
  const { availability: week, consistency: _, ...required } = ana;
  const windows = ({ availability }: Therapist) => availability.map(({ id: _id, ...window }) => window);
  const saved = await made(required);
  expect(windows(saved)).toEqual(week);
  const fewer = (await put(saved.id, { ...required, availability: week.slice(0, 2) })).json<Therapist>();
  expect(windows(fewer)).toEqual(week.slice(0, 2));
  const renamed = (await put(saved.id, { ...required, last_name: 'Ruiz-Soto' })).json<Therapist>();
  expect(renamed).toMatchObject({ last_name: 'Ruiz-Soto', availability: fewer.availability });
});

test('limits are stored in quarters of an hour, and the ledger follows them', async () => {
  const saved = await made({ ...ana, first_name: 'Part', last_name: 'Time', week_hours: 37.5, day_hours: 7.25 });
  expect(saved).toMatchObject({ week_hours: 37.5, day_hours: 7.25, guaranteed_hours: null });
  const changed = (await put(saved.id, { ...saved, week_hours: 22.75 })).json<Therapist>();
  expect(changed).toMatchObject({ week_hours: 22.75, day_hours: 7.25 });
  expect((await get(saved.id)).json()).toMatchObject({ week_hours: 22.75, day_hours: 7.25 });
  const url = `/api/ledgers/hours?location=${saved.location}&date=2026-11-20`;
  const { rows } = (await t.staff.call({ url })).json<HoursReply>();
  expect(rows.find(({ id }) => id === saved.id)).toMatchObject({ most: 1365, left: 435 });
  const wrong = await put(saved.id, { ...changed, day_hours: 7.3 });
  expect([wrong.statusCode, wrong.json<{ detail: string }>().detail]).toEqual([
    422,
    'day_hours: is not a multiple of 0.25',
  ]);
});

test('therapists with the same name get consecutive numbers; ids never clash, however many are added at once', async () => {
  const person = { ...ana, first_name: 'Maria', last_name: 'Lopez' };
  const replies = await Promise.all(Array.from({ length: 12 }, () => made(person)));
  expect(new Set(replies.map((reply) => reply.id)).size).toBe(12);
  const names = ['Maria Lopez', ...Array.from({ length: 11 }, (_, i) => `Maria Lopez (${i + 2})`)];
  expect(replies.map((reply) => reply.display_name).sort()).toEqual(names.sort());
});

test('a renamed therapist gets a free name; an unchanged name keeps its number', async () => {
  const first = await made({ ...ana, first_name: 'Lee', last_name: 'Park' });
  const second = await made({ ...ana, first_name: 'lee', last_name: ' PARK ' });
  expect(second).toMatchObject({ display_name: 'lee PARK (2)', last_name: 'PARK' });
  const same = (await put(second.id, { ...second, consistency: 5 })).json<Therapist>();
  expect(same).toMatchObject({ display_name: 'lee PARK (2)', consistency: 5, version: 2 });
  const renamed = (await put(first.id, { ...first, last_name: 'Parker' })).json<Therapist>();
  expect(renamed.display_name).toBe('Lee Parker');
});

describe('saving a therapist', () => {
  test('[PROF-09] the windows in a save replace the stored windows, and unchanged windows keep their ids', async () => {
    const saved = await made(ana);
    const [monday, tuesday] = saved.availability;
    const availability = [
      { ...tuesday, end_time: '15:00' },
      { ...monday },
      { day_of_week: 6, start_time: '10:00', end_time: '24:00' },
    ];
    const reply = await put(saved.id, { ...saved, availability });
    expect(reply.statusCode, reply.body).toBe(200);
    const after = reply.json<Therapist>().availability;
    expect(after).toHaveLength(3);
    expect(after[0]).toEqual(monday);
    expect(after[1]).toEqual({ ...tuesday, end_time: '15:00' });
    expect(after[2]).toMatchObject({ day_of_week: 6, end_time: '24:00' });
  });

  test('a save is refused if there is a newer version, and the refusal contains the newest version', async () => {
    const saved = await made(ana);
    expect((await put(saved.id, { ...saved, consistency: 1 })).statusCode).toBe(200);
    const late = await put(saved.id, { ...saved, consistency: 2 });
    expect(late.statusCode).toBe(409);
    expect(late.json<{ detail: object }>().detail).toMatchObject({
      version: 2,
      message: expect.stringContaining('Someone else') as unknown,
    });
    expect((await get(saved.id)).json()).toMatchObject({ consistency: 1, version: 2 });
  });

  test('a save whose reply was lost can be sent again, and saves nothing twice', async () => {
    const saved = await made(ana);
    const contact = { name: 'Eva Ruiz', relation: 'sister', telephone: '(407) 555-0199', email: '' };
    const sent = {
      ...saved,
      consistency: 1,
      availability: [...saved.availability, { day_of_week: 6, start_time: '09:00', end_time: '12:00' }],
      credentials: [{ credential: 'RBT', number: 'R-1', from_date: '2025-01-01', until_date: null }],
      tags: [{ tag: 'Spanish', from_date: null, until_date: null }],
      contacts: [contact],
    };
    const first = await put(saved.id, sent);
    expect(first.statusCode, first.body).toBe(200);
    const again = await put(saved.id, sent);
    expect(again.statusCode, again.body).toBe(200);
    expect(again.json()).toEqual({ ...first.json<object>(), version: 3 });
    // Part of it is no longer what is stored, so this is not a repeat.
    expect((await put(saved.id, { ...sent, availability: saved.availability })).statusCode).toBe(409);
    expect((await get(saved.id)).json()).toEqual(again.json());
  });

  test('of several simultaneous saves of one version, only one succeeds', async () => {
    const saved = await made(ana);
    const replies = await Promise.all([1, 2, 3, 4].map((consistency) => put(saved.id, { ...saved, consistency })));
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 409, 409, 409]);
  });

  test('a save with overlapping windows is refused with an explanation, and nothing is written', async () => {
    const saved = await made(ana);
    const availability = [...saved.availability, { day_of_week: 1, start_time: '16:00', end_time: '18:00' }];
    const reply = await put(saved.id, { ...saved, first_name: 'Zoe', availability });
    expect(reply.statusCode).toBe(422);
    expect(reply.json<{ detail: string }>().detail).toContain(
      'Monday 4:00 PM - 6:00 PM overlaps Monday 9:00 AM - 5:00 PM',
    );
    expect((await get(saved.id)).json()).toEqual(saved);
  });

  test('[PROF-06] a save with a missing or invalid field is refused with the field’s name', async () => {
    for (const [field, value] of [
      ['first_name', ' '],
      ['start_date', '2026-02-30'],
      ['specialization', 'OT'],
      ['location', 'miami'],
    ] as const) {
      const reply = await post({ ...ana, [field]: value });
      expect(reply.statusCode, field).toBe(422);
      expect(reply.json<{ detail: string }>().detail, field).toMatch(new RegExp(`^${field}: `));
    }
    const reversed = await post({ ...ana, availability: [{ day_of_week: 1, start_time: '17:00', end_time: '09:00' }] });
    expect(reversed.json<{ detail: string }>().detail).toBe('availability.0.end_time: the end must be after the start');
  });

  test('a save gives the affected days new versions only if plans depend on the change', async () => {
    const saved = await made({ ...ana, location: 'tampa' });
    const client = await buildClient(t.db, { location: 'tampa' });
    await buildAppointment(t.db, {
      therapist: null,
      client,
      date: '2026-12-01',
      start: '09:00',
      end: '10:00',
      location: 'tampa',
    });
    const before = await dayVersion(t.db, 'tampa', '2026-12-01');
    const same = (await put(saved.id, { ...saved, consistency: 3 })).json<Therapist>();
    expect(await dayVersion(t.db, 'tampa', '2026-12-01')).toBe(before);
    await put(saved.id, { ...same, availability: [] });
    expect(await dayVersion(t.db, 'tampa', '2026-12-01')).toBe(before + 1);
  });
});

describe('access to therapists', () => {
  test('an account for one location sees and saves only therapists at that location', async () => {
    const tampa = await t.signIn({ locations: ['tampa'] });
    const here = await made({ ...ana, location: 'tampa' });
    const there = await made({ ...ana, location: 'orlando' });
    const list = (await tampa.call({ url: '/api/therapists' })).json<Therapist[]>();
    expect(new Set(list.map((therapist) => therapist.location))).toEqual(new Set(['tampa']));
    expect((await tampa.call({ url: '/api/therapists?location=orlando' })).statusCode).toBe(403);
    expect((await get(there.id, tampa)).statusCode).toBe(403);
    expect((await post({ ...ana, location: 'orlando' }, tampa)).statusCode).toBe(403);
    expect((await put(here.id, { ...here, location: 'orlando' }, tampa)).statusCode).toBe(403);
    expect((await put(there.id, { ...there, location: 'tampa' }, tampa)).statusCode).toBe(403);
    expect((await tampa.call({ method: 'DELETE', url: `/api/therapists/${there.id}` })).statusCode).toBe(403);
    expect((await get(there.id)).json()).toEqual(there);
  });
});

test('every write is audited by id, never by name', async () => {
  const saved = await made({ ...ana, first_name: 'Auditrail', last_name: 'Person' });
  await put(saved.id, { ...saved, gender: 'Male' });
  const rows = await t.db.selectFrom('audit').selectAll().where('subject_kind', '=', 'therapist').execute();
  const of = rows.filter((row) => row.subject_ids.includes(saved.id));
  expect(of.map((row) => [row.action, row.account_id, row.location])).toEqual([
    ['therapist.created', t.staff.accountId, 'altamonte'],
    ['therapist.changed', t.staff.accountId, 'altamonte'],
  ]);
  expect(of[1]?.detail).toEqual({ changed: ['gender'] });
  expect(t.logLines.join('\n')).not.toContain('Auditrail');
});

test('a therapist is in no list and on no later day once their last day is over, except where they are still booked', async () => {
  const saved = await made({ ...ana, first_name: 'Leaves', last_name: 'Soon', end_date: '2026-11-20' });
  const listed = async (query: Record<string, string> = {}) =>
    (await t.staff.call({ url: '/api/therapists', query })).json<Therapist[]>().filter(({ id }) => id === saved.id)
      .length;
  expect([await listed(), await listed({ location: saved.location })]).toEqual([1, 1]);
  await put(saved.id, { ...saved, end_date: '2026-11-19' });
  expect([await listed(), await listed({ left: 'with' })]).toEqual([0, 1]);
  const rows = async (date: string) =>
    (await t.staff.call({ url: '/api/slots', query: { location: saved.location, date } }))
      .json<SlotsReply>()
      .people.filter(({ name }) => name === 'Leaves Soon').length;
  expect([await rows('2026-11-19'), await rows('2026-11-20'), await rows('2026-12-18')]).toEqual([1, 0, 0]);
  const client = await buildClient(t.db);
  const late = { client, date: '2026-12-21', start: '09:00', end: '10:00' };
  await buildAppointment(t.db, { ...late, therapist: saved.id, location: saved.location });
  expect(await rows('2026-12-21')).toBe(1);
});
