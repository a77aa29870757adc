import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StandingReply } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import {
  askedOf,
  beyondWords,
  childWords,
  clashesOf,
  datesIn,
  figuresOf,
  openWords,
  piecesOf,
  sameAs,
  sameFor,
  titleOf,
  toTellIn,
  weeksOf,
} from './model.ts';

const DATES = ['2026-12-07', '2026-12-14', '2026-12-28', '2027-01-04'];
const run = (therapist: string, dates: string[], knows: 'team' | 'known' | 'new' = 'team') => ({
  therapist,
  knows,
  dates,
  why: [],
});
const series = (id: string, start: number, end: number) => ({
  id,
  weekday: 1,
  start,
  end,
  service: 'direct',
  dates: DATES,
});
const option = (name: string, plans: StandingReply['options'][number]['series']) => ({
  name,
  label: name,
  strategy: 'balanced',
  proven: true,
  series: plans,
});

const REPLY: StandingReply = {
  proposal: 'p',
  location: 'altamonte',
  therapist: { id: 'T0', name: 'Tia Moss' },
  from: '2026-12-07',
  until: '2027-01-08',
  children: [
    { id: 'bo', name: 'Bo Lee', series: [series('b', 510, 690)] },
    { id: 'mo', name: 'Mo Diaz', series: [series('m', 600, 720)] },
  ],
  options: [
    option('Option 1', {
      b: { runs: [run('kai', DATES)], open: [] },
      m: {
        runs: [run('lin', DATES.slice(0, 2), 'new'), run('max', DATES.slice(3))],
        open: [{ date: DATES[2] ?? '', why: 'Full.' }],
      },
    }),
    option('Option 2', {
      b: { runs: [run('kai', DATES)], open: [] },
      m: { runs: [run('kai', DATES, 'known')], open: [] },
    }),
  ],
  people: {
    kai: { name: 'Kai Wood', bcba: false, room: { '2026-12-07': 2400, '2026-12-14': 200 } },
    lin: { name: 'Lin Park', bcba: false, room: {} },
    max: { name: 'Max Dean', bcba: true, room: {} },
  },
  for_good: false,
  filled_until: null,
  same: [],
  unfinished: [],
  left_out: [],
};

test('a line has one piece for weeks in a row with one therapist, and its name once', () => {
  const weeks = weeksOf(REPLY);
  expect(weeks).toEqual(['2026-12-07', '2026-12-14', '2026-12-21', '2026-12-28', '2027-01-04']);
  const shape = (id: 'b' | 'm') =>
    piecesOf(weeks, DATES, REPLY.options[0]?.series[id]).map((p) => [p.kind, p.at, p.weeks, p.named ?? false]);
  expect(shape('b')).toEqual([
    ['run', 0, 2, true],
    ['none', 2, 1, false],
    ['run', 3, 2, false],
  ]);
  expect(shape('m')).toEqual([
    ['run', 0, 2, true],
    ['none', 2, 1, false],
    ['open', 3, 1, false],
    ['run', 4, 1, true],
  ]);
});

test('the figures of a choice count each face and each person once', () => {
  expect(figuresOf(REPLY, sameFor(REPLY, 'Option 1'))).toEqual({
    needed: 1200,
    kept: 1080,
    newFaces: 1,
    people: 3,
    handovers: 1,
    bcba: 120,
    sessions: 7,
    dates: 4,
  });
  expect(figuresOf(REPLY, { bo: 'Option 1' })).toMatchObject({ needed: 1200, kept: 720, people: 1 });
});

test('given a mix, when one person is needed twice or beyond the week, then it says who and when', () => {
  expect(clashesOf(REPLY, sameFor(REPLY, 'Option 1'))).toEqual([]);
  expect(clashesOf(REPLY, sameFor(REPLY, 'Option 2')).map(({ words }) => words)).toEqual([
    'Kai Wood cannot be with Bo Lee and Mo Diaz at once, first on Mon, Dec 7. Choose another option for one of them.',
    'Kai Wood has room for 3 h 20 min in the week of Mon, Dec 14, and this mix gives 5 h. Choose another option for one child.',
  ]);
});

test('a child’s words say who, how well known, and how many hours', () => {
  const [bo, mo] = REPLY.children;
  const [first, second] = REPLY.options;
  if (!bo || !mo || !first || !second) throw new Error('no options');
  expect(childWords(bo, first)).toEqual({ people: '1 person', rest: ', on the team, all 12 h' });
  expect(childWords(mo, first)).toEqual({ people: '2 people', rest: ', 1 new, 6 h of 8 h' });
  expect(sameAs(REPLY, bo, second)).toBe('Option 1');
  expect(sameAs(REPLY, mo, second)).toBe(null);
  expect(openWords(REPLY, sameFor(REPLY, 'Option 1'))).toBe('Left to each day: Mo Diaz on Mon, Dec 28.');
  expect(titleOf(REPLY, false)).toBe('Who takes Tia Moss’ children until Fri, Jan 8?');
});

test('the address says who is away and when; anything else asks', () => {
  const search = { therapist: 'T1', from: '2026-12-07', until: '2027-01-29', weekdays: '1,9,x,3' };
  expect(askedOf(search, 'tampa', null)).toEqual({
    location: 'tampa',
    therapist: 'T1',
    from: '2026-12-07',
    until: '2027-01-29',
    weekdays: [1, 3],
  });
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('therapist', 'from', 'until', 'weekdays', 'location'), fc.string()),
      (odd) => {
        const asked = askedOf(odd, 'tampa', isoDate('2026-11-23'));
        if (asked) expect([isoDate(asked.from), isoDate(asked.until ?? '')]).toEqual([asked.from, asked.until]);
      },
    ),
    { numRuns: 200 },
  );
});

test('[WKS-03] a choice says whom to tell: who gets sessions, and the families of these children', () => {
  const names = toTellIn(REPLY, sameFor(REPLY, REPLY.options[0]?.name ?? ''));
  expect(names.filter((name) => name.endsWith('family'))).toHaveLength(
    new Set(names.filter((n) => n.endsWith('family'))).size,
  );
  expect(names).toEqual(expect.arrayContaining(['Lin Park']));
  expect(toTellIn(REPLY, {})).toEqual([]);
});

test('[WKS-03] sessions that are handed over for good have no last day in the question', () => {
  const search = { therapist: 'ana', from: '2030-12-02', for_good: '1' };
  expect(askedOf(search, 'altamonte', null)).toEqual({ location: 'altamonte', therapist: 'ana', from: '2030-12-02' });
  expect(askedOf({ therapist: 'ana', from: '2030-12-02' }, 'altamonte', null)).toBeNull();
});

test('[WKS-03] an absence until further notice is planned as far as can be booked, and the page says what comes after', () => {
  const search = { therapist: 'ana', from: '2026-12-07', open: '1', until: '2026-12-08' };
  const today = isoDate('2026-11-23');
  expect(askedOf(search, 'altamonte', today)).toMatchObject({ from: '2026-12-07', until: '2027-02-28' });
  expect(askedOf({ ...search, from: '2026-08-03' }, 'altamonte', today)).toMatchObject({ until: '2027-02-14' });
  expect(askedOf(search, 'altamonte', null)).toBeNull();
  expect(titleOf(REPLY, true)).toBe('Who takes Tia Moss’ children until further notice?');
  expect(beyondWords(REPLY, true)).toContain('Planned until Fri, Jan 8, as far as can be booked.');
  expect(beyondWords(REPLY, false)).toBe('');
  expect(beyondWords({ ...REPLY, filled_until: '2026-12-20' }, false)).toContain('filled until Sun, Dec 20');
});

test('[WKS-03] the calls begin on the first date on which a choice gives sessions to somebody', () => {
  expect(datesIn(REPLY, sameFor(REPLY, 'Option 1')).sort()[0]).toBe('2026-12-07');
  expect(datesIn(REPLY, {})).toEqual([]);
});
