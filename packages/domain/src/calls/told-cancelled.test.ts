import { expect, test } from 'vitest';
import { toldCancelled, withoutStretches, type ToldStretch } from './told-day.ts';

const at = (start: number, end: number, other: string | null, service: ToldStretch['service'] = 'direct') => ({
  start: start * 60,
  end: end * 60,
  with: other,
  service,
});
const session = (start: number, end: number, ...therapists: (string | null)[]) => ({
  start: start * 60,
  end: end * 60,
  service: 'direct' as const,
  therapists,
});

test('a family told of a cancellation no longer expects that session, and still expects the others', () => {
  const told = [at(9, 10, 'Ana'), at(13, 14, 'Kai')];
  expect(toldCancelled(told, [at(13, 14, 'Lin')], session(9, 10, 'Ana'))).toEqual([at(9, 10, 'Ana')]);
  expect(withoutStretches(told, [at(9, 10, 'Ana')])).toEqual([at(13, 14, 'Kai')]);
});

test('given a change of therapist that the family was not told about, when they are told that the session is cancelled, then they no longer expect the earlier therapist', () => {
  expect(toldCancelled([at(9, 11, 'Ana')], [at(10, 11, 'Ana')], session(9, 10, 'Kai'))).toEqual([at(9, 10, 'Ana')]);
  expect(toldCancelled([at(9, 10, 'Ana')], [], session(9, 10, null))).toEqual([at(9, 10, 'Ana')]);
});

test('given a session that was moved without a call, when the family is told that it is cancelled, then they still expect the session at the time they were last told', () => {
  expect(toldCancelled([at(9, 10, 'Ana')], [], session(13, 14, 'Ana'))).toEqual([]);
});

test('given two sessions at the same time, then the family no longer expects the cancelled one, or still expects both if it is unclear which one was cancelled', () => {
  const both = [at(9, 10, 'Ana'), at(9, 10, 'Kai')];
  expect(toldCancelled(both, [at(9, 10, 'Ana')], session(9, 10, 'Kai'))).toEqual([at(9, 10, 'Kai')]);
  expect(toldCancelled(both, [], session(9, 10, null, 'Kai'))).toEqual([at(9, 10, 'Kai')]);
  expect(toldCancelled(both, [], session(9, 10, null))).toEqual([]);
  const supervised = [at(9, 10, 'Ana'), at(9, 10, 'Max', 'supervision')];
  expect(toldCancelled(supervised, [at(9, 10, 'Lin', 'supervision')], session(9, 10, null))).toEqual([
    at(9, 10, 'Ana'),
  ]);
});

test('given a cancelled session that the family was never told about, then they still expect the session that they know of at that time', () => {
  expect(toldCancelled([at(9, 10, 'Ana')], [at(9, 10, 'Lin')], session(9, 10, 'Kai'))).toEqual([]);
});
