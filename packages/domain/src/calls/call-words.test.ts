import { expect, test } from 'vitest';
import { isoDate } from '../time.ts';
import { sayToFamily } from './family-words.ts';
import { sayToTherapist, type TherapistChanges } from './therapist-words.ts';
import { ENGLISH } from '../words/language.ts';
import { changesToTell, openTimes, type ToldStretch } from './told-day.ts';

const DATE = isoDate('2026-11-20');
const s = (start: number, end: number, other: string | null, service: ToldStretch['service'] = 'direct') => {
  return { start: start * 60, end: end * 60, with: other, service };
};
const common = (told: ToldStretch[], now: ToldStretch[]) => {
  const names = new Map(Object.entries({ bo: 'Bo Lee', ana: 'Ana', kai: 'Kai', lin: 'Lin', mo: 'Mo', uma: 'Uma' }));
  const changes = changesToTell(told, now, [], 0);
  return {
    language: ENGLISH,
    date: DATE,
    today: DATE,
    changes,
    told,
    now,
    nameOf: (id: string) => names.get(id) ?? '',
    site: null,
  };
};
function toTherapist(told: ToldStretch[], now: ToldStretch[], atWork: TherapistChanges['atWork']): string[] {
  const more = {
    isCancelled: () => false,
    needs: [],
    clock: null,
    isUnmet: () => false,
    isByVideo: () => false,
    wasAsked: () => false,
    elsewhere: [],
    away: [],
  };
  return sayToTherapist({ ...common(told, now), atWork, ...more });
}
const toFamily = (told: ToldStretch[], now: ToldStretch[]): string[] => {
  const own = common(told, now);
  return sayToFamily({ ...own, open: openTimes(own.changes, now, 0), child: 'Bo', clock: null });
};

test('given a session that moves out of the therapist’s booked day or onto their admin time, the therapist is asked', () => {
  const [before, later] = [s(8, 10, 'bo'), s(9, 11, 'bo')];
  const asks = 'Can you take Bo Lee from 9:00 to 11:00 instead of 8:00 to 10:00?';
  expect(toTherapist([before], [later], [{ start: 480, end: 600 }])[0]).toBe(asks);
  const admin = s(10, 11, null, 'admin');
  expect(toTherapist([before, admin], [later, admin], [{ start: 480, end: 660 }]).slice(0, 2)).toEqual([
    asks,
    'It takes 1 h of your admin time, 10:00 to 11:00.',
  ]);
  const visits = [s(8, 9, 'bo'), s(10, 11, 'bo'), s(12, 13, 'bo')];
  const between = visits.map(({ start, end }) => s(start / 60, end / 60, null, 'admin'));
  expect(toTherapist(between, [...visits, ...between], [{ start: 480, end: 780 }])).toContain(
    'It takes 3 h of your admin time, 8:00 to 9:00, 10:00 to 11:00 and 12:00 to 1:00.',
  );
  expect(toTherapist([before], [later], [{ start: 480, end: 660 }])[0]).toBe(
    'Bo Lee is from 9:00 to 11:00 instead of 8:00 to 10:00.',
  );
});

test('given a session that moves by less than its length and changes its therapist, the family is not told of a cancellation', () => {
  expect(toFamily([s(12, 14, 'kai')], [s(12.5, 14.5, 'ana')])).toEqual([
    'Bo is with Ana from 12:30 to 2:30 instead of Kai from 12:00 to 2:00.',
  ]);
  expect(toFamily([s(12, 14, 'kai', 'supervision')], [s(11, 13, 'ana', 'supervision')])).toEqual([
    'Bo’s supervision from 11:00 to 1:00 is with Ana instead of Kai from 12:00 to 2:00.',
  ]);
  // A session that only became shorter: the rest is cancelled. A session that moved away: it is cancelled at its old
  // time.
  expect(toFamily([s(12, 14, 'kai')], [s(12.5, 14, 'ana')])[0]).toBe('Bo’s session from 12:00 to 12:30 is cancelled.');
  expect(toFamily([s(12, 14, 'kai')], [s(15, 17, 'ana')])[0]).toBe('Bo’s session from 12:00 to 2:00 is cancelled.');
  // With a second session at that time, it is not clear which one moved.
  expect(toFamily([s(12, 14, 'kai'), s(12, 14, 'lin')], [s(12.5, 14.5, 'ana'), s(12, 14, 'lin')])).toContain(
    'Bo’s session from 12:00 to 12:30 with Kai is cancelled.',
  );
});

test('given a session that did not move as a whole from one therapist to another, the family is told of the cancelled minutes', () => {
  const [was, is] = [s(12, 14, 'kai'), s(12.5, 14.5, 'ana')];
  const cancelled = 'Bo’s session from 12:00 to 12:30 is cancelled.';
  for (const [told, now] of [
    [[s(12, 14, null)], [is]],
    [[was], [s(12.5, 14.5, null)]],
    [[was], [s(12.5, 14.5, 'ana', 'supervision')]],
    [[was, s(12, 14, 'lin')], [is]],
    [[was], [is, s(12.5, 14.5, 'lin')]],
  ] as const)
    expect(toFamily([...told], [...now])).toContain(cancelled);
  expect(toFamily([was], [s(12, 12.5, 'kai'), s(13, 15, 'ana')])).toContain(
    'Bo’s session from 12:30 to 1:00 is cancelled.',
  );
});

test('given a session without a therapist that moves, the family is asked about the new time and told of the old one', () => {
  expect(toFamily([s(9, 10, null)], [s(10, 11, null)])).toEqual([
    'Bo’s session from 9:00 to 10:00 is cancelled.',
    'We have nobody for Bo from 10:00 to 11:00; shall we cancel it, or may we ring again by 9:00?',
  ]);
});

test('given a supervision session without a therapist, the family is asked only about the supervision', () => {
  const session = s(12, 15, 'kai');
  expect(toFamily([session, s(13, 14, 'ana', 'supervision')], [session, s(13, 14, null, 'supervision')])).toEqual([
    'We have nobody for Bo’s supervision from 1:00 to 2:00; shall we cancel it, or may we ring again by 12:00?',
  ]);
});

test('given a child with two therapists, each time in a sentence has the name of its therapist', () => {
  const both = [s(9, 11, 'ana'), s(9, 11, 'lin')];
  expect(toFamily(both, [s(9, 10, 'ana'), s(9, 11, 'lin')])).toEqual([
    'Bo’s session with Ana is from 9:00 to 10:00 instead of 9:00 to 11:00.',
  ]);
  expect(toFamily(both, [s(9, 10, 'ana'), s(9, 10.5, 'lin')])).toEqual([
    'Bo’s session from 10:00 to 11:00 with Ana is cancelled.',
    'Bo’s session from 10:30 to 11:00 with Lin is cancelled.',
  ]);
  expect(toFamily([s(9, 11, 'ana'), s(10, 11, 'lin')], [s(9, 11, 'kai')])).toEqual([
    'Bo is with Kai from 9:00 to 11:00 instead of Ana from 9:00 to 11:00 and Lin from 10:00 to 11:00.',
  ]);
  expect(toFamily(both, [s(9, 11, 'kai')])).toEqual(['Bo is with Kai from 9:00 to 11:00 instead of Ana and Lin.']);
  expect(toFamily(both, [])).toEqual(['Bo’s session from 9:00 to 11:00 is cancelled.']);
});

test('given two new therapists, one of whom hands over, then the one who stays is named in both sentences and needs none of their own', () => {
  const both = [s(9, 11, 'ana'), s(9, 11, 'lin')];
  expect(toFamily(both, [s(9, 10, 'kai'), s(10, 11, 'mo'), s(9, 11, 'uma')])).toEqual([
    'Bo is with Kai and Uma from 9:00 to 10:00 instead of Ana and Lin.',
    'Bo is with Mo and Uma from 10:00 to 11:00 instead of Ana and Lin.',
  ]);
  expect(toFamily(both, [s(9, 10, 'kai'), s(10, 11, null), s(9, 11, 'uma')])).toEqual([
    'Bo is with Kai and Uma from 9:00 to 10:00 instead of Ana and Lin.',
    'We have only Uma for Bo from 10:00 to 11:00; shall we cancel it, or may we ring again by 9:00?',
  ]);
  expect(toFamily(both, [s(9, 11, 'kai'), s(9, 11, 'mo')])).toEqual([
    'Bo is with Kai and Mo from 9:00 to 11:00 instead of Ana and Lin.',
  ]);
});

test('given a new therapist while the supervision also changes, then the sentence about the session does not name the supervisor as replaced', () => {
  const told = [s(9, 11, 'ana'), s(10, 11, 'kai', 'supervision')];
  const session = 'Bo is with Lin from 9:00 to 11:00 instead of Ana.';
  expect(toFamily(told, [s(9, 11, 'lin')])).toEqual([
    session,
    'Bo’s supervision from 10:00 to 11:00 with Kai is cancelled.',
  ]);
  expect(toFamily(told, [s(9, 11, 'lin'), s(10, 11, null, 'supervision')])).toEqual([
    session,
    'We have nobody for Bo’s supervision from 10:00 to 11:00; shall we cancel it, or may we ring again by 9:00?',
  ]);
  expect(toFamily([s(10, 11, 'kai', 'supervision')], [s(9, 11, 'lin')])[0]).toContain('with Lin');
});

test('given time freed twice with a session in between, then the second release says when it begins', () => {
  const now = [s(10, 11, 'mo'), s(12, 13, 'mo')];
  expect(toTherapist([s(8, 10, 'bo'), ...now, s(11, 12, 'bo')], now, [{ start: 480, end: 780 }]).slice(-2)).toEqual([
    'You are released until 10:00.',
    'You are released from 11:00 until 12:00.',
  ]);
  expect(toTherapist([s(8, 10, 'bo'), ...now, s(13, 14, 'bo')], now, [{ start: 480, end: 840 }]).slice(-2)).toEqual([
    'You are released until 10:00.',
    'You are released from 1:00 on.',
  ]);
});

test('given a new session that begins within the therapist’s booked day and ends after it, then they are asked to take it, not to come in', () => {
  const day = [{ start: 480, end: 780 }];
  expect(toTherapist([s(8, 9, 'mo'), s(12, 13, 'mo')], [s(8, 9, 'mo'), s(12, 14, 'bo')], day)).toEqual([
    'Can you take Bo Lee from 12:00 to 2:00 instead of Mo from 12:00 to 1:00?',
  ]);
  expect(toTherapist([s(8, 9, 'mo')], [s(8, 9, 'mo'), s(12, 14, 'bo')], [{ start: 480, end: 540 }])).toEqual([
    'Can you come in for Bo Lee from 12:00 to 2:00?',
  ]);
  const early = [s(9, 10, 'mo'), s(8, 9, 'bo')];
  expect(toTherapist([s(9, 10, 'mo')], early, [{ start: 540, end: 600 }])).toEqual([
    'Can you come in for Bo Lee from 8:00 to 9:00?',
  ]);
});

test('given a session without a therapist that now has someone for a part, the family is also asked about the rest', () => {
  const open = s(9, 12, null);
  const rest = 'We have nobody for Bo from 10:30 to 12:00; shall we cancel it, or may we ring again by 9:30?';
  expect(toFamily([open], [s(9, 10.5, 'ana'), s(10.5, 12, null)])).toEqual([
    'Bo is with Ana from 9:00 to 10:30.',
    rest,
  ]);
  expect(toFamily([open], [s(9, 10, 'ana'), s(10, 11, null), s(11, 12, 'kai')])).toEqual([
    'Bo is with Ana from 9:00 to 10:00.',
    'We have nobody for Bo from 10:00 to 11:00; shall we cancel it, or may we ring again by 9:00?',
    'Bo is with Kai from 11:00 to 12:00.',
  ]);
  // The therapist of the other part changes.
  expect(toFamily([s(9, 10.5, 'kai'), s(10.5, 12, null)], [s(9, 10.5, 'ana'), s(10.5, 12, null)])).toEqual([
    'Bo is with Ana from 9:00 to 10:30 instead of Kai.',
    rest,
  ]);
  // The part with a therapist is also lost: one question is about all of it.
  expect(toFamily([s(9, 10, 'ana'), s(10, 12, null)], [open])).toEqual([
    'We have nobody for Bo from 9:00 to 12:00; shall we cancel it, or may we ring again by 8:00?',
  ]);
});

test('given a change next to no session without a therapist, the family is not asked again about one they know of', () => {
  const afternoon = s(14, 15, null);
  expect(toFamily([s(9, 12, 'kai'), afternoon], [s(9, 12, 'ana'), afternoon])).toEqual([
    'Bo is with Ana from 9:00 to 12:00 instead of Kai.',
  ]);
  const supervision = s(12, 13, null, 'supervision');
  expect(toFamily([s(9, 12, 'kai'), supervision], [s(9, 12, 'ana'), supervision])).toHaveLength(1);
  const changes = changesToTell([s(9, 12, null)], [s(9, 10, null), s(10, 12, 'ana')], [], 600);
  expect(openTimes(changes, [s(9, 10, null), s(10, 12, 'ana')], 600)).toEqual([]);
});
