import fc from 'fast-check';
import { expect, test } from 'vitest';
import { smallMakeup, smallStanding, smallTimes } from './proof/small-problems.ts';
import { readProblem } from './read.ts';

const date = '2026-12-07';
const therapist = { id: 'T1', credential: 'RBT', gender: 'Female' };
const client = { id: 'C1' };
const series = { id: 'R1', client: 'C1', service: 'direct', start: '08:00', end: '10:00', dates: [date] };
const shared = { dates: [date], therapists: [therapist], clients: [client] };
const standing = { format: 'standing-problem/1', ...shared, series: [series] };
const wanted = { sessions: 1, slots: 8, people: 1, service: 'direct' };
const times = { format: 'times-problem/1', ...shared, client: 'C1', windows: { 1: [['08:00', '12:00']] }, wanted };
const makeup = { format: 'makeup-problem/1', ...shared, owed: [{ client: 'C1', slots: 4 }] };
const withTherapist = (more: object) => ({ ...standing, therapists: [{ ...therapist, ...more }] });
const withClient = (more: object) => ({ ...standing, clients: [{ ...client, ...more }] });
const withSeries = (more: object) => ({ ...standing, series: [{ ...series, ...more }] });

test('given the least that each format needs, then it is read', () => {
  for (const problem of [standing, times, makeup]) expect(readProblem(problem)).toMatchObject({ ok: true });
});

test.each<[string, unknown, RegExp]>([
  ['nothing', null, /not an object/],
  ['a list', [], /not an object/],
  ['another format', { ...standing, format: 'standing-problem/2' }, /not a standing-problem\/1/],
  ['no dates', { ...standing, dates: [] }, /is empty/],
  ['a date that does not exist', { ...standing, dates: ['2026-02-30'] }, /is not a date/],
  ['dates that do not ascend', { ...standing, dates: [date, date] }, /does not ascend/],
  ['two people with one id', { ...standing, clients: [{ id: 'T1' }] }, /given to two people/],
  ['an unknown credential', withTherapist({ credential: 'MD' }), /"MD"; it must be one of BCBA/],
  ['no credential', withTherapist({ credential: undefined }), /missing; it must be one of BCBA/],
  [
    'a window that ends before it begins',
    withTherapist({ free: { [date]: [['10:00', '08:00']] } }),
    /before it begins/,
  ],
  ['a window off the quarter hour', withTherapist({ free: { [date]: [['08:05', '09:00']] } }), /quarter hour/],
  ['a window before 07:00', withTherapist({ free: { [date]: [['06:45', '09:00']] } }), /outside 07:00/],
  ['a window without an end', withTherapist({ free: { [date]: [['08:00']] } }), /a start and an end/],
  ['free time on no date', withTherapist({ free: { Monday: [] } }), /is not a date/],
  ['a cap for a week that begins on a Tuesday', withTherapist({ caps: { '2026-12-08': 4 } }), /is not a Monday/],
  ['a cap below zero', withTherapist({ caps: { [date]: -1 } }), /whole number/],
  ['a mark that is not true or false', withTherapist({ onlyKnown: 'yes' }), /true or false/],
  ['knowledge of another kind', withClient({ knows: { T1: 'friend' } }), /one of team, known/],
  ['a priority that is a fraction', withClient({ priority: 1.5 }), /whole number from 0 to 10000/],
  ['a priority beyond measure', withClient({ priority: 1e300 }), /whole number/],
  ['an unknown client', withSeries({ client: 'C9' }), /is unknown: "C9"/],
  ['administrative time as a service', withSeries({ service: 'admin' }), /one of direct/],
  ["a date that is not among the problem's", withSeries({ dates: ['2026-12-08'] }), /not in the problem's dates/],
  ['a series given twice', { ...standing, series: [series, series] }, /given twice/],
  [
    'a declined series that is unknown',
    { ...standing, declined: [{ therapist: 'T1', series: 'R9' }] },
    /unknown series/,
  ],
  ['an unknown weekday', { ...times, windows: { 7: [] } }, /weekday "7"/],
  ['eight sessions a week', { ...times, wanted: { ...wanted, sessions: 8 } }, /from 1 to 7/],
  ['an odd number of owed slots', { ...makeup, owed: [{ client: 'C1', slots: 3 }] }, /not an even number/],
  ['time owed twice', { ...makeup, owed: [1, 2].map(() => ({ client: 'C1', slots: 2 })) }, /given twice/],
])('given %s, then the problem is refused and the message says what is wrong', (_what, problem, message) => {
  const read = readProblem(problem);
  expect(read).toMatchObject({ ok: false, refusal: { code: 'unreadable' } });
  if (!read.ok) expect(read.refusal.detail).toMatch(message);
});

test('given ids that are names of built-in properties, then they are only ids', () => {
  const read = readProblem({
    ...standing,
    therapists: [{ ...therapist, id: 'constructor' }],
    clients: [{ id: '__proto__', excludes: ['toString'] }],
    series: [{ ...series, client: '__proto__' }],
  });
  expect(read).toMatchObject({ ok: true, problem: { clients: [{ knows: ['new'] }] } });
});

/** Paths to every value of a JSON document. */
const pathsOf = (value: unknown, path: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key]))]
    : [path];

test('given a problem in which any value is replaced by any other, then it is read or refused in one sentence', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(2), fc.nat(), fc.jsonValue({ maxDepth: 2 }), (seed, kind, at, value) => {
      const problem: unknown = structuredClone([smallStanding, smallTimes, smallMakeup][kind]!(seed));
      const paths = pathsOf(problem);
      const path = paths[at % paths.length]!;
      const holder = path.slice(0, -1).reduce<unknown>((v, key) => Reflect.get(Object(v), key), problem);
      const read = readProblem(path.length === 0 ? value : (Reflect.set(Object(holder), path.at(-1)!, value), problem));
      if (!read.ok) expect(read.refusal.detail).toMatch(/^[^\n]+\.$/);
    }),
    { numRuns: 500, seed: 7 },
  );
});
