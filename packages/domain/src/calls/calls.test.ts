import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains, overlaps, type Interval } from '../interval.ts';
import { isoDate } from '../time.ts';
import { therapistKind } from './call-kind.ts';
import { spokenNames } from './call-order.ts';
import { sayToFamily, type FamilyChanges } from './family-words.ts';
import { sayToTherapist, type TherapistChanges } from './therapist-words.ts';
import { ENGLISH, sayTime } from '../words/language.ts';
import { affectedBy, sayDay } from './day-words.ts';
import type { CoverNeed } from './free-time.ts';
import {
  changesToTell,
  joinStretches,
  netChanges,
  openTimes,
  withoutTakenAdmin,
  type ToldStretch,
} from './told-day.ts';
import { day } from './testing/told-day.ts';

const NAMES: Readonly<Record<string, string>> = {
  bo: 'Bo Lee',
  mo: 'Mo Diaz',
  ida: 'Ida Fox',
  kai: 'Kai',
  ana: 'Ana',
  lin: 'Lin',
  gw: 'Gabriela Walker',
};
const nameOf = (id: string): string => NAMES[id] ?? id;
const DATE = isoDate('2026-11-20');
const s = (
  start: number,
  end: number,
  other: string | null,
  service: ToldStretch['service'] = 'direct',
): ToldStretch => ({
  start: start * 60,
  end: end * 60,
  with: other,
  service,
});

const gap = (start: number, end: number, asked = false): CoverNeed[] => [{ start: start * 60, end: end * 60, asked }];

/** The minute of a spoken time between 7:00 and 6:59 in the evening. */
function minutesOf(spoken: string): number {
  const [hour = 0, minute = 0] = spoken.split(':').map(Number);
  return (hour < 7 ? hour + 12 : hour) * 60 + minute;
}

function standBy(text: string): Interval[] {
  const [, start, end] = /^Please stand by from (\S+) to (\S+)\.$/.exec(text) ?? [];
  return start === undefined || end === undefined ? [] : [{ start: minutesOf(start), end: minutesOf(end) }];
}

function toTherapist(told: ToldStretch[], now: ToldStretch[], more: Partial<TherapistChanges> = {}): string[] {
  const changes = changesToTell(told, now, [], 0);
  const base = { language: ENGLISH, date: DATE, today: DATE, changes, told, now, nameOf };
  return sayToTherapist({
    ...base,
    atWork: [{ start: 480, end: 1020 }],
    site: null,
    isCancelled: () => false,
    needs: [],
    isUnmet: () => false,
    isByVideo: () => false,
    wasAsked: () => false,
    clock: null,
    elsewhere: [],
    away: [],
    ...more,
  });
}
function toFamily(told: ToldStretch[], now: ToldStretch[], more: Partial<FamilyChanges> = {}): string[] {
  const changes = changesToTell(told, now, [], 0);
  return sayToFamily({
    language: ENGLISH,
    date: DATE,
    today: DATE,
    changes,
    told,
    now,
    nameOf,
    open: openTimes(changes, now, 0),
    site: null,
    child: 'Bo',
    clock: null,
    ...more,
  });
}

test('times are worded without AM and PM if they cannot be misunderstood', () => {
  expect([420, 750, 840, 1139, 1140, 390].map(sayTime)).toEqual([
    '7:00',
    '12:30',
    '2:00',
    '6:59',
    '7:00 PM',
    '6:30 AM',
  ]);
});

test('a therapist’s changes are worded from their point of view', () => {
  expect(toTherapist([], [s(8.5, 11.5, 'bo')])).toEqual(['You have Bo Lee from 8:30 to 11:30.']);
  expect(toTherapist([s(10, 11, 'mo')], [s(10, 11, 'bo')])).toEqual([
    'You have Bo Lee from 10:00 to 11:00 instead of Mo Diaz.',
  ]);
  expect(toTherapist([s(10, 11, 'mo')], [s(9, 11, 'bo')])).toEqual([
    'You have Bo Lee from 9:00 to 11:00 instead of Mo Diaz from 10:00 to 11:00.',
  ]);
  expect(toTherapist([s(9, 10, 'mo')], [s(9, 11, 'bo')])).toEqual([
    'You have Bo Lee from 9:00 to 11:00 instead of Mo Diaz from 9:00 to 10:00.',
  ]);
  expect(toTherapist([s(10, 11, 'mo'), s(13, 14, 'bo')], [s(13, 14, 'bo')])).toEqual([
    'Mo Diaz from 10:00 to 11:00 is no longer yours.',
    'You are released until 1:00.',
  ]);
  expect(toTherapist([s(10, 11, 'mo')], [], { isCancelled: () => true, needs: gap(10.5, 12) })).toEqual([
    'Mo Diaz from 10:00 to 11:00 is cancelled.',
    'Please stand by from 10:00 to 11:00.',
  ]);
  expect(toTherapist([s(10, 11, 'mo')], [])[1]).toBe('You are released from 10:00 on.');
  const twice = [s(8, 9, 'mo'), s(10, 11, 'mo')];
  const released = (list: string[]): string[] => list.filter((sentence) => /released|stand by/.test(sentence));
  expect(released(toTherapist(twice, []))).toEqual(['You are released from 8:00 on.']);
  expect(released(toTherapist([...twice, s(13, 14, 'bo')], [s(13, 14, 'bo')]))).toEqual([
    'You are released until 1:00.',
  ]);
  expect(released(toTherapist(twice, [], { needs: gap(10, 11) }))).toEqual([
    'You are released until 10:00.',
    'Please stand by from 10:00 to 11:00.',
  ]);
  expect(toTherapist([s(8, 10, 'bo')], [s(9, 11, 'bo')])[0]).toBe(
    'Bo Lee is from 9:00 to 11:00 instead of 8:00 to 10:00.',
  );
  // Another service at another time is not the same session moved.
  expect(toTherapist([s(8, 10, 'bo')], [s(11, 12, 'bo', 'supervision')]).join(' ')).not.toContain('instead of');
  expect(toTherapist([], [s(9, 10, 'bo', 'supervision')], { site: 'Tampa' })).toEqual([
    'You have supervision with Bo Lee from 9:00 to 10:00 at Tampa.',
  ]);
});

test('given a session or stand-by time before the freed time, then the therapist is released from its start, not at once', () => {
  const kept = [s(9, 10, 'mo'), s(16, 17, null, 'admin')];
  const lost = [...kept, s(15, 16, 'bo')];
  const released = (more: object = {}) => toTherapist(lost, kept, more).at(-1);
  expect(released()).toBe('You are released from 3:00 until 4:00.');
  expect(released({ clock: 9.5 * 60 })).toBe('You are released from 3:00 until 4:00.');
  expect(released({ clock: 10 * 60 })).toBe('You are released until 4:00.');
  const elsewhere = [s(9, 10, 'ida')];
  expect(toTherapist(lost.slice(1), kept.slice(1), { elsewhere }).at(-1)).toBe(
    'You are released from 3:00 until 4:00.',
  );
  const waiting = [s(8, 9, 'mo'), s(12, 13, 'bo'), s(16, 17, 'mo')];
  expect(toTherapist(waiting, waiting.slice(2), { needs: gap(8, 9) }).slice(-2)).toEqual([
    'Please stand by from 8:00 to 9:00.',
    'You are released from 12:00 until 4:00.',
  ]);
});

test('given any day, then a therapist is never released from a time in which they have something, or are needed', () => {
  const hours = Array.from({ length: 10 }, (_, i) => i + 8);
  const slot = fc.constantFrom('kept', 'lost', 'new', 'elsewhere', 'gap', 'free', 'free');
  fc.assert(
    fc.property(fc.array(slot, { minLength: 10, maxLength: 10 }), fc.constantFrom(null, 8, 9, 12), (slots, clock) => {
      const of = (...kinds: string[]) =>
        hours.filter((_, i) => kinds.includes(slots[i] ?? '')).map((h) => s(h, h + 1, 'bo'));
      const before = clock === null ? 0 : clock * 60;
      const more = {
        elsewhere: of('elsewhere'),
        needs: of('gap').map(({ start, end }) => ({ start, end, asked: false })),
      };
      const lost = of('lost', 'gap');
      const said = toTherapist([...of('kept'), ...lost], of('kept', 'new'), { ...more, clock: clock && before });
      const has = [...of('kept', 'new', 'elsewhere'), ...said.flatMap(standBy)].filter(({ end }) => end > before);
      for (const text of said) {
        const [, from, until] = /^You are released(?: from (\S+?))?(?: until (\S+?)| on)\.$/.exec(text) ?? [];
        if (from === undefined && until === undefined) continue;
        const off = {
          start: from === undefined ? before : minutesOf(from),
          end: until === undefined ? 1440 : minutesOf(until),
        };
        expect(
          has.filter((each) => overlaps(each, off)),
          `${slots.join()} at ${clock}: ${said.join(' ')}`,
        ).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
});

test('a therapist with sessions at other locations is released only until the next such session, and asked before admin time there is taken', () => {
  const elsewhere = [s(11, 13, 'ida'), s(16, 17, null, 'admin')];
  expect(toTherapist([s(8, 10, 'bo')], [], { elsewhere })[1]).toBe('You are released until 11:00.');
  // Time in which they now work elsewhere is not free, neither to go nor to stand by.
  const moved = { elsewhere: [s(8, 9.5, 'ida')], needs: gap(8, 9) };
  expect(toTherapist([s(8, 10, 'bo')], [], moved).slice(1)).toEqual(['You are released from 9:30 on.']);
  expect(toTherapist([], [s(16, 17, 'bo')], { elsewhere })).toEqual([
    'Can you take Bo Lee from 4:00 to 5:00?',
    'It takes 1 h of your admin time, 4:00 to 5:00.',
  ]);
  expect(withoutTakenAdmin([s(16, 17, null, 'admin')], [s(16, 16.5, 'bo')])).toEqual([s(16.5, 17, null, 'admin')]);
});

test('given a group session, one sentence names all its children', () => {
  const group = (start: number, end: number, ...children: string[]) => children.map((child) => s(start, end, child));
  expect(toTherapist([], group(9, 11, 'bo', 'ida', 'mo'))).toEqual([
    'You have Bo Lee, Ida Fox and Mo Diaz from 9:00 to 11:00.',
  ]);
  expect(toTherapist([], group(9, 11, 'bo', 'mo'), { atWork: [{ start: 600, end: 720 }] })).toEqual([
    'Can you come in for Bo Lee and Mo Diaz from 9:00 to 11:00?',
  ]);
  expect(toTherapist(group(9, 11, 'bo', 'mo'), [s(9, 11, 'ida')])).toEqual([
    'You have Ida Fox from 9:00 to 11:00 instead of Bo Lee and Mo Diaz.',
  ]);
  expect(toTherapist(group(9, 11, 'bo', 'mo'), [s(10, 12, 'ida')])[0]).toBe(
    'Bo Lee and Mo Diaz from 9:00 to 10:00 are no longer yours.',
  );
  expect(
    toTherapist(group(9, 11, 'bo', 'ida', 'mo'), [], { isCancelled: (c) => c.with === 'ida' }).slice(0, 2),
  ).toEqual(['Bo Lee and Mo Diaz from 9:00 to 11:00 are no longer yours.', 'Ida Fox from 9:00 to 11:00 is cancelled.']);
  // Sessions with different services at the same time are not a group.
  expect(toTherapist([], [s(9, 10, 'bo'), s(9, 10, 'mo', 'supervision')])).toHaveLength(2);
});

test('a therapist is asked, not just informed, about time outside their day and about admin time', () => {
  expect(toTherapist([], [s(8, 9, 'bo')], { atWork: [{ start: 540, end: 720 }] })).toEqual([
    'Can you come in for Bo Lee from 8:00 to 9:00?',
  ]);
  // No one is asked to come in for administrative time.
  expect(toTherapist([], [s(13, 14, null, 'admin')], { atWork: [{ start: 540, end: 720 }] })).toEqual([
    'You have admin time from 1:00 to 2:00.',
  ]);
  const admin = s(10, 12, null, 'admin');
  expect(toTherapist([admin], [admin, s(9, 10.75, 'bo')])).toEqual([
    'Can you take Bo Lee from 9:00 to 10:45?',
    'It takes 45 min of your admin time, 10:00 to 10:45.',
  ]);
  const kind = (told: ToldStretch[], now: ToldStretch[], atWork: Interval | null) =>
    therapistKind(netChanges(told, now), told, now, atWork ? [atWork] : []);
  expect(kind([s(9, 10, 'mo')], [s(9, 10, 'bo')], { start: 540, end: 600 })).toBe('inform');
  expect(kind([s(9, 10, 'mo')], [s(9, 11, 'mo')], { start: 540, end: 600 })).toBe('ask');
  expect(kind([admin], [admin, s(10, 11, 'bo')], { start: 600, end: 720 })).toBe('ask');
  expect(kind([s(9, 10, 'mo')], [], { start: 540, end: 600 })).toBe('inform');
  expect(kind([], [s(9, 10, 'bo')], null)).toBe('ask');
  expect(kind([], [s(13, 14, null, 'admin')], { start: 540, end: 600 })).toBe('inform');
});

test('administrative time that sessions take up is left out of the day', () => {
  const admin = s(10, 12, null, 'admin');
  expect(withoutTakenAdmin([s(9, 10.5, 'bo'), admin])).toEqual([s(9, 10.5, 'bo'), s(10.5, 12, null, 'admin')]);
  expect(withoutTakenAdmin([admin, s(10.5, 11, 'bo')])).toEqual([
    s(10, 10.5, null, 'admin'),
    s(10.5, 11, 'bo'),
    s(11, 12, null, 'admin'),
  ]);
  expect(withoutTakenAdmin([s(10, 12, 'bo'), admin])).toEqual([s(10, 12, 'bo')]);
});

test('a family is told only about changes for their own child', () => {
  expect(toFamily([s(8.5, 11.5, 'ana')], [s(8.5, 11.5, 'kai')])).toEqual([
    'Bo is with Kai from 8:30 to 11:30 instead of Ana.',
  ]);
  expect(toFamily([s(8.5, 11.5, 'ana')], [s(8.5, 10, 'kai'), s(10, 11.5, 'gw')])).toEqual([
    'Bo is with Kai from 8:30 to 10:00 instead of Ana.',
    'Bo is with Gabriela Walker from 10:00 to 11:30 instead of Ana.',
  ]);
  expect(toFamily([s(8, 11, 'ana')], [s(8, 10, 'kai'), s(10, 11, 'ana')])).toEqual([
    'Bo is with Kai from 8:00 to 10:00 instead of Ana.',
  ]);
  expect(toFamily([s(14, 15, 'ana')], [s(14, 15, null)])).toEqual([
    'We have nobody for Bo from 2:00 to 3:00; shall we cancel it, or may we ring again by 1:00?',
  ]);
  expect(toFamily([s(14, 15, 'ana')], [s(14, 15, null)], { clock: 765 })).toEqual([
    'We have nobody for Bo from 2:00 to 3:00; shall we cancel it?',
  ]);
  expect(toFamily([s(14, 15, 'ana')], [s(14, 15, null)], { clock: 764 })).toEqual([
    'We have nobody for Bo from 2:00 to 3:00; shall we cancel it, or may we ring again by 1:00?',
  ]);
  expect(toFamily([s(0.5, 2, 'ana')], [s(0.5, 2, null)])).toEqual([expect.stringMatching(/shall we cancel it\?$/)]);
  expect(toFamily([s(14, 15, null)], [s(14, 15, 'kai')])).toEqual(['Bo is with Kai from 2:00 to 3:00.']);
  expect(toFamily([s(14, 15, 'ana')], [])).toEqual(['Bo’s session from 2:00 to 3:00 is cancelled.']);
  expect(toFamily([s(8, 9, 'ana')], [s(8, 10, 'ana')])).toEqual([
    'Bo’s session is from 8:00 to 10:00 instead of 8:00 to 9:00.',
  ]);
  expect(toFamily([], [s(14, 15, 'kai')], { today: isoDate('2026-11-19') })).toEqual([
    'Friday, November 20, 2026: Bo has a new session from 2:00 to 3:00 with Kai.',
  ]);
  expect(sayDay([s(8, 9, 'ana'), s(9, 10, null)], nameOf)).toBe('Ana 8:00 to 9:00, nobody 9:00 to 10:00');
  expect(sayDay([], nameOf)).toBe('');
});

test('given a child with two therapists at once, one sentence names both', () => {
  const two = (...who: (string | null)[]) => who.map((id) => s(9, 11, id));
  expect(toFamily([], two('ana', 'kai'))).toEqual(['Bo has a new session from 9:00 to 11:00 with Ana and Kai.']);
  expect(toFamily(two('ana', 'kai'), two('lin', 'gw'))).toEqual([
    'Bo is with Gabriela Walker and Lin from 9:00 to 11:00 instead of Ana and Kai.',
  ]);
  expect(toFamily(two('ana', 'lin'), two('kai', 'lin'))).toEqual([
    'Bo is with Kai and Lin from 9:00 to 11:00 instead of Ana.',
  ]);
  expect(toFamily(two('ana'), [...two('ana'), s(9, 10, 'kai')])).toEqual([
    'Bo is with Kai and Ana from 9:00 to 10:00.',
  ]);
  expect(toFamily(two('ana', 'kai'), [])).toEqual(['Bo’s session from 9:00 to 11:00 is cancelled.']);
  const beside = s(9, 11, 'lin', 'supervision');
  expect(toFamily([...two('ana', 'kai'), beside], [beside])).toEqual([
    'Bo’s session from 9:00 to 11:00 with Ana and Kai is cancelled.',
  ]);
  expect(toFamily(two('ana', 'kai'), two(null, 'kai'))).toEqual([
    'We have only Kai for Bo from 9:00 to 11:00; shall we cancel it, or may we ring again by 8:00?',
  ]);
  expect(toFamily(two('ana', 'kai'), [s(9, 11, null), s(9, 10, 'kai')])).toContain(
    'We have nobody for Bo from 10:00 to 11:00; shall we cancel it, or may we ring again by 9:00?',
  );
  expect(toFamily(two('ana', 'kai'), two(null))).toEqual([
    'We have nobody for Bo from 9:00 to 11:00; shall we cancel it, or may we ring again by 8:00?',
  ]);
});

test('given a session that another therapist partly takes over, the day as told and the day as it is now both show the whole session', () => {
  const told = [s(8, 9, 'lin'), s(12, 13, 'kai'), s(13, 15, 'ana')];
  const now = [s(8, 9, 'lin'), s(12, 14, 'kai'), s(14, 15, 'ana')];
  const both = affectedBy(netChanges(told, now), told, now);
  expect(sayDay(both.told, nameOf)).toBe('Kai 12:00 to 1:00, Ana 1:00 to 3:00');
  expect(sayDay(both.now, nameOf)).toBe('Kai 12:00 to 2:00, Ana 2:00 to 3:00');
});

test('given sessions at a location that is not the person’s own, every sentence about a session names the location', () => {
  const site = { site: 'Tampa' };
  expect(toFamily([], [s(14, 15, 'kai')], site)).toEqual(['Bo has a new session from 2:00 to 3:00 at Tampa with Kai.']);
  expect(toFamily([s(14, 15, 'ana')], [s(14, 15, 'kai')], site)).toEqual([
    'Bo is with Kai from 2:00 to 3:00 at Tampa instead of Ana.',
  ]);
  expect(toFamily([s(14, 15, null, 'supervision')], [s(14, 15, 'kai', 'supervision')], site)).toEqual([
    'Bo’s supervision from 2:00 to 3:00 at Tampa is with Kai.',
  ]);
  expect(toFamily([s(8, 9, 'ana')], [s(10, 11, 'ana')], site)).toEqual([
    'Bo’s session is from 10:00 to 11:00 at Tampa instead of 8:00 to 9:00.',
  ]);
  expect(toFamily([s(14, 15, 'ana')], [], site)).toEqual(['Bo’s session from 2:00 to 3:00 at Tampa is cancelled.']);
  expect(toFamily([s(14, 15, 'ana')], [s(14, 15, null)], site)).toEqual([
    'We have nobody for Bo from 2:00 to 3:00 at Tampa; shall we cancel it, or may we ring again by 1:00?',
  ]);
  expect(toTherapist([s(14, 15, 'bo')], [], site)[0]).toBe('Bo Lee from 2:00 to 3:00 at Tampa is no longer yours.');
});

test('every change is put into full sentences that name its start time', () => {
  const worded = (list: ToldStretch[]) => list.map((x) => ({ ...x, with: x.service === 'admin' ? null : x.with }));
  fc.assert(
    fc.property(day, day, (a, b) => {
      const told = joinStretches(worded(a));
      const now = joinStretches(worded(b));
      const changes = netChanges(told, now);
      for (const said of [toTherapist(told, now), toFamily(told, now)]) {
        expect(said.length > 0).toBe(changes.length > 0);
        for (const sentence of said) expect(sentence).toMatch(/^[A-Z].*[.?]$/);
      }
      // The sentences name the start of every new session, or of the joined session that contains it.
      const spoken = `${toTherapist(told, now).join(' ')} `;
      for (const c of changes.filter((each) => each.what === 'new' && each.with !== null)) {
        const whole = now.find((n) => n.with === c.with && n.service === c.service && contains(n, c));
        expect(spoken.includes(sayTime(c.start)) || spoken.includes(sayTime(whole?.start ?? 0))).toBe(true);
      }
    }),
  );
});

test('two people with the same first name are distinguished by their full names', () => {
  const people = [
    { id: '1', firstName: 'Gabriela', displayName: 'Gabriela Walker' },
    { id: '2', firstName: 'gabriela', displayName: 'gabriela Cruz' },
    { id: '3', firstName: 'Kai', displayName: 'Kai Wood' },
  ];
  expect([...spokenNames(people).values()]).toEqual(['Gabriela Walker', 'gabriela Cruz', 'Kai']);
});
