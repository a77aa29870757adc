import { expect, test } from 'vitest';
import { parseProblem } from './parse.ts';
import type { CoverProblem } from './problem.ts';

const problem = (): CoverProblem => ({
  format: 'cover-problem/1',
  date: '2028-02-29',
  location: 'altamonte',
  now: '09:41',
  therapists: [{ id: 'T1', name: 'Ana', credential: 'RBT', gender: 'Female', available: [['06:00', '20:00']] }],
  clients: [
    { id: 'C1', name: 'Bo', knows: { T1: 'team', elsewhere: 'known' }, excludes: ['elsewhere'], credentials: null },
  ],
  sessions: [
    { id: 'S1', client: 'C1', therapist: 'T1', start: '09:00', end: '11:15', service: 'direct' },
    { id: 'S2', client: null, therapist: 'T1', start: '12:00', end: '13:00', service: 'admin' },
  ],
  absences: [{ who: 'C1', start: '00:00', end: '23:59' }],
  pins: [{ session: 'S1', pieces: [{ therapist: null, start: '09:45', end: '11:15' }] }],
});

test('a valid problem is accepted unchanged', () => {
  const given = problem();
  expect(parseProblem(given)).toEqual({ ok: true, problem: given });
});

type Change = (p: CoverProblem) => void;
const session =
  (more: object): Change =>
  (p) =>
    Object.assign(p.sessions[0] ?? {}, more);

const unreadable: [what: RegExp, change: Change][] = [
  [/not a cover-problem/, (p) => Object.assign(p, { format: 'cover-problem/4' })],
  [/tag of therapist T1/, (p) => Object.assign(p.therapists[0] ?? {}, { tags: [7] })],
  [/onlyKnown of therapist T1/, (p) => Object.assign(p.therapists[0] ?? {}, { onlyKnown: 'no' })],
  [/cap of therapist T1/, (p) => Object.assign(p.therapists[0] ?? {}, { cap: -1 })],
  [/load of therapist T1/, (p) => Object.assign(p.therapists[0] ?? {}, { load: [[8]] })],
  [/load of therapist T1/, (p) => Object.assign(p.therapists[0] ?? {}, { load: [[8, null]] })],
  [/call of therapist T1/, (p) => Object.assign(p.therapists[0] ?? {}, { call: 0.5 })],
  [/list of needs of client C1/, (p) => Object.assign(p.clients[0] ?? {}, { needs: 'spanish' })],
  [/preference of client C1/, (p) => Object.assign(p.clients[0] ?? {}, { prefers: [''] })],
  [/weight of session S1/, session({ weight: 'much' })],
  [/declined sessions names an unknown session/, (p) => (p.declined = [{ therapist: 'T1', session: 'S9' }])],
  [/declined by an unknown therapist/, (p) => (p.declined = [{ therapist: 'T9', session: 'S1' }])],
  [/no date 2027-02-29/, (p) => (p.date = '2027-02-29')],
  [/not a date/, (p) => (p.date = '29.2.2028')],
  [/location/, (p) => (p.location = '')],
  [/not a time/, (p) => (p.now = '25:00')],
  [/not a list/, (p) => Object.assign(p, { therapists: {} })],
  [/not a list/, (p) => Object.assign(p, { absences: undefined })],
  [/two people/, (p) => p.clients.push({ id: 'T1', name: 'Twice' })],
  [/credential of therapist T1/, (p) => Object.assign(p.therapists[0] ?? {}, { credential: 'MD' })],
  [/gender of therapist T1/, (p) => Object.assign(p.therapists[0] ?? {}, { gender: 'female' })],
  [/ends before it begins/, (p) => (p.therapists[0] = { ...p.therapists[0]!, available: [['12:00', '08:00']] })],
  [/quarter hour/, (p) => (p.therapists[0] = { ...p.therapists[0]!, available: [['08:05', '12:00']] })],
  [/priority/, (p) => Object.assign(p.clients[0] ?? {}, { priority: -1 })],
  [/priority/, (p) => Object.assign(p.clients[0] ?? {}, { priority: 33.3 })],
  [/knows of T1/, (p) => Object.assign(p.clients[0] ?? {}, { knows: { T1: 'friend' } })],
  [/given twice/, session({ id: 'S2' })],
  [/unknown therapist/, session({ therapist: 'T9' })],
  [/unknown client/, session({ client: 'C9' })],
  [/unknown client/, session({ client: null })],
  [/service of session S1/, session({ service: 'music' })],
  [/ends before it begins/, session({ start: '12:00' })],
  [/quarter hour/, session({ start: '09:10' })],
  [/outside 07:00 to 19:00/, session({ start: '06:45' })],
  [/admin time without a therapist/, (p) => Object.assign(p.sessions[1] ?? {}, { therapist: null })],
  [/has a client/, (p) => Object.assign(p.sessions[1] ?? {}, { client: 'C1' })],
  [/unknown person/, (p) => p.absences.push({ who: 'X', start: '08:00', end: '09:00' })],
  [/ends before it begins/, (p) => p.absences.push({ who: 'T1', start: '09:00', end: '09:00' })],
  [/unknown session/, (p) => (p.pins = [{ session: 'S9', pieces: [] }])],
  [/pinned twice/, (p) => p.pins?.push({ session: 'S1', pieces: [] })],
  [/admin time/, (p) => (p.pins = [{ session: 'S2', pieces: [] }])],
  [
    /unknown therapist/,
    (p) => (p.pins = [{ session: 'S1', pieces: [{ therapist: 'T9', start: '09:00', end: '10:00' }] }]),
  ],
];

test.each(unreadable)('given an invalid problem, the refusal is a full sentence that matches %s', (what, change) => {
  const given = problem();
  change(given);
  const parsed = parseProblem(given);
  expect(parsed).toMatchObject({ ok: false, refusal: { code: 'unreadable' } });
  if (!parsed.ok) expect(parsed.refusal.detail).toMatch(what);
  if (!parsed.ok) expect(parsed.refusal.detail).toMatch(/^[A-Z].*\.$/);
});

test.each([null, undefined, 1, 'text', [], true])(
  'given %j instead of a problem, parsing refuses the value as unreadable',
  (value) => {
    expect(parseProblem(value)).toMatchObject({ ok: false, refusal: { code: 'unreadable' } });
  },
);
