import { expect, test } from 'vitest';
import { netChanges, type PersonKind, type ToldStretch } from '@clinic/domain';
import { personKey, type Answer } from '../memory/call-day.ts';
import { knowledge, KNOWS_NOTHING, type Reached } from '../memory/knows.ts';
import { believed } from './heard.ts';

/** A session from 9:00 to 11:00 with this person. */
const day = (other: string, start = 540, end = 660): ToldStretch[] => [{ start, end, with: other, service: 'direct' }];
const at = (minute: number): string => `2030-11-22 07:${String(minute).padStart(2, '0')}:00+00`;
const person = personKey('client', 'bo');
const heard = (how: Reached['how'], minute: number, of: ToldStretch[]): Reached => {
  return { person, how, version: '', day: of, at: at(minute), by: 'Dana' };
};
const call = (answer: Answer['answer'], minute: number, more: Partial<Answer> = {}): Answer => {
  const knows = { day: null, cancelled: null, ringAgain: null, free: [] };
  const base = { id: String(minute), person, note: null, version: '', ...knows };
  return { ...base, answer, at: at(minute), accountId: null, by: 'Dana', byPage: false, takenBack: false, ...more };
};
const told = (minute: number): Answer[] => [call('told', minute, { day: day('ana') })];

/** What someone who was told of Ana may believe, if Ana is booked now: whom, and how they heard it. */
function belief(calls: Answer[], all: Reached[], kind: PersonKind = 'client', now = day('ana')): unknown[] {
  const who = personKey(kind, 'bo');
  const of = <T>(event: T): T => ({ ...event, person: who });
  const known = knowledge(calls.map(of), all.map(of)).get(who) ?? KNOWS_NOTHING;
  const { day: is, from } = believed(day('ana'), known.heard, (told) => netChanges(told, now));
  return [is.map((stretch) => stretch.with), from?.how ?? null];
}

test.each(['sent', 'seen'] as const)('what was %s counts until they are told, and not from then on', (how) => {
  expect(belief([], [heard(how, 5, day('kai'))])).toEqual([['kai'], how]);
  expect(belief(told(4), [heard(how, 5, day('kai'))])).toEqual([['kai'], how]);
  expect(belief(told(5), [heard(how, 5, day('kai'))])).toEqual([['ana'], null]);
  expect(belief(told(6), [heard(how, 5, day('kai'))])).toEqual([['ana'], null]);
});

test.each(['sent', 'seen'] as const)(
  'what was %s before a no does not count; a family has heard the plan that it refused',
  (how) => {
    const refused = (kind: PersonKind) => [call('said-no', 6, { day: kind === 'client' ? day('lin') : null })];
    expect(belief(refused('client'), [heard(how, 5, day('kai'))])).toEqual([['lin'], 'said-no']);
    expect(belief(refused('therapist'), [heard(how, 5, day('kai'))], 'therapist')).toEqual([['ana'], null]);
    for (const kind of ['client', 'therapist'] as const)
      expect(belief(refused(kind), [heard(how, 7, day('kai'))], kind)).toEqual([['kai'], how]);
  },
);

test('what was heard last counts, in a call or in a message', () => {
  const left = (minute: number) => [call('left-message', minute, { day: day('lin') })];
  expect(belief(left(4), [heard('sent', 5, day('kai'))])).toEqual([['kai'], 'sent']);
  expect(belief(left(6), [heard('sent', 5, day('kai'))])).toEqual([['lin'], 'left-message']);
  expect(belief([], [heard('sent', 3, day('kai')), heard('seen', 5, day('lin'))])).toEqual([['lin'], 'seen']);
  // No one heard anything in a call that was not answered.
  expect(belief([call('no-answer', 6)], [heard('sent', 5, day('kai'))])).toEqual([['kai'], 'sent']);
});

test('a message that still holds says nothing wrong; for the time of a cancellation told since, no message counts', () => {
  expect(belief([], [heard('sent', 5, day('ana'))])).toEqual([['ana'], null]);
  const off = call('told', 6, { day: [], cancelled: day('kai') });
  const since = [off];
  expect(belief(since, [heard('sent', 5, day('kai'))])).toEqual([['ana'], null]);
  expect(belief(since, [heard('sent', 7, day('kai'))])).toEqual([['kai'], 'sent']);
  // Only the time of the cancellation is settled.
  const half = [call('told', 6, { day: [], cancelled: day('kai', 540, 600) })];
  expect(belief(half, [heard('sent', 5, day('kai'))])).toEqual([['ana', 'kai'], 'sent']);
});
