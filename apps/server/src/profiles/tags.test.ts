import { expect, test } from 'vitest';
import type { UnfitSessions, Client, Therapist } from '@clinic/contract';
import { buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { ANA, BO } from '../testing/profiles.ts';
import { useApp } from '../testing/use-app.ts';

const t = useApp();

const put = (path: string, payload: object) => t.staff.call({ method: 'PUT', url: `/api/${path}`, payload });
const post = (path: string, payload: object) => t.staff.call({ method: 'POST', url: `/api/${path}`, payload });

const cpi = { tag: 'CPI', from_date: '2026-01-01', until_date: '2026-12-31' };
const spanish = { tag: 'Spanish', from_date: null, until_date: null };

test('given skills and needs, profiles keep them, and a save without these lists leaves them as they are', async () => {
  const therapist = (await post('therapists', { ...ANA, tags: [{ tag: ' Spanish ' }, cpi] })).json<Therapist>();
  expect(therapist.tags).toEqual([cpi, spanish]);
  expect((await put(`therapists/${therapist.id}`, ANA)).json<Therapist>().tags).toEqual([cpi, spanish]);
  expect((await put(`therapists/${therapist.id}`, { ...ANA, tags: [] })).json<Therapist>().tags).toEqual([]);
  const needs = [
    { tag: 'Spanish', must: true },
    { tag: 'CPI', must: false },
  ];
  const client = (await post('clients', { ...BO, needs })).json<Client>();
  expect(client.needs).toEqual(needs);
  expect((await put(`clients/${client.id}`, BO)).json<Client>().needs).toEqual(needs);
});

test('a skill or need that is blank, listed twice or ends before it begins is refused with its position in the list', async () => {
  const next = { ...cpi, tag: 'cpi', from_date: '2027-01-01', until_date: null };
  expect((await post('therapists', { ...ANA, tags: [cpi, next] })).statusCode).toBe(201);
  for (const [path, body, place] of [
    ['therapists', { ...ANA, tags: [cpi, { ...next, from_date: '2026-12-31' }] }, 'tags.1.tag'],
    ['therapists', { ...ANA, tags: [{ ...cpi, until_date: '2025-12-31' }] }, 'tags.0.until_date'],
    ['therapists', { ...ANA, tags: [{ tag: ' ' }] }, 'tags.0.tag'],
    [
      'clients',
      {
        ...BO,
        needs: [
          { tag: 'CPI', must: true },
          { tag: 'cpi', must: false },
        ],
      },
      'needs.1.tag',
    ],
  ] as const) {
    const reply = await post(path, body);
    expect([reply.statusCode, reply.json<{ detail: string }>().detail]).toEqual([422, expect.stringContaining(place)]);
  }
});

test('given a new need, or a skill that will end, the check lists the upcoming sessions that will no longer fit', async () => {
  const { db } = t.deps;
  const kai = await buildTherapist(db, { first: 'Kai', last: 'Wood', tags: ['Spanish'] });
  const lou = await buildTherapist(db, { first: 'Lou', last: 'Vance' });
  const mo = await buildClient(db, { first: 'Mo', last: 'Diaz', needs: ['Spanish'] });
  for (const [therapist, date] of [
    [kai, '2026-12-01'],
    [kai, '2026-12-08'],
    [lou, '2026-12-02'],
  ] as const)
    await buildAppointment(db, { therapist, client: mo, date, start: '09:00', end: '10:00' });
  const unfit = async (path: string, body: object) =>
    (await post(`${path}/check`, body)).json<UnfitSessions>().sessions.map(({ date, why }) => [date, why]);
  const name = { first_name: 'Mo', last_name: 'Diaz' };
  // The session with Lou Vance already broke the old need, so it does not count as broken by this save.
  const more = [
    { tag: 'Spanish', must: true },
    { tag: 'CPI', must: true },
  ];
  expect(await unfit(`clients/${mo}`, { ...BO, ...name, needs: more })).toEqual([
    ['2026-12-01', 'Mo Diaz needs CPI, which Kai Wood does not have on that date.'],
    ['2026-12-08', 'Mo Diaz needs CPI, which Kai Wood does not have on that date.'],
  ]);
  const ending = [{ ...spanish, until_date: '2026-12-05' }];
  expect(await unfit(`therapists/${kai}`, { ...ANA, first_name: 'Kai', last_name: 'Wood', tags: ending })).toEqual([
    ['2026-12-08', 'Mo Diaz needs Spanish, which Kai Wood does not have on that date.'],
  ]);
});

test('given authorizations, a client’s profile keeps them, a save without this list leaves them as they are, and an invalid one is refused', async () => {
  const first = {
    payer: 'Acme',
    code: '97153',
    number: 'A-1',
    from_date: '2026-01-01',
    until_date: '2026-06-30',
    units: 160,
    period: 'week',
    prior_units: 40,
    prior_until: '2026-01-02',
  };
  const next = { ...first, from_date: '2026-07-01', until_date: '2026-12-31', prior_units: null, prior_until: null };
  const saved = await post('clients', { ...BO, authorizations: [first, next] });
  expect(saved.statusCode, saved.body).toBe(201);
  const client = saved.json<Client>();
  expect(client.authorizations).toEqual([next, first]);
  expect((await put(`clients/${client.id}`, BO)).json<Client>().authorizations).toEqual([next, first]);
  // A page opened before the units used could be typed does not send them.
  const { prior_units: _units, prior_until: _until, ...untyped } = first;
  const kept = await put(`clients/${client.id}`, { ...BO, authorizations: [{ ...untyped, units: 150 }, next] });
  expect(kept.json<Client>().authorizations).toEqual([next, { ...first, units: 150 }]);
  const list = await t.staff.call({ url: '/api/clients' });
  expect(list.json<Client[]>().every((each) => each.authorizations === undefined)).toBe(true);
  // Of two authorizations without a number and with the same first day, the payer tells which is which.
  const unnumbered = { ...first, number: '', units: 8 };
  const both = [unnumbered, { ...unnumbered, payer: 'Sunrise' }];
  const two = await put(`clients/${client.id}`, { ...BO, authorizations: both });
  expect(two.json<Client>().authorizations).toEqual(both);
  for (const [authorizations, place] of [
    [[unnumbered, { ...unnumbered, payer: 'ACME' }], 'authorizations.1.number'],
    [[first, { ...next, from_date: '2026-01-01' }], 'authorizations.1.number'],
    [[{ ...first, until_date: '2025-12-31' }], 'authorizations.0.until_date'],
    [[{ ...first, until_date: '2029-12-31' }], 'authorizations.0.until_date'],
    [[{ ...first, units: 0 }], 'authorizations.0.units'],
    [[{ ...first, code: '97150' }], 'authorizations.0.code'],
    [[{ ...first, prior_until: null }], 'authorizations.0.prior_until'],
    [[{ ...first, prior_units: null }], 'authorizations.0.prior_units'],
    [[{ ...first, prior_until: '2025-12-31' }], 'authorizations.0.prior_until'],
  ] as const) {
    const reply = await post('clients', { ...BO, authorizations });
    expect([reply.statusCode, reply.json<{ detail: string }>().detail]).toEqual([422, expect.stringContaining(place)]);
  }
});
