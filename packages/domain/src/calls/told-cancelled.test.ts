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

test('given a change of therapist that the family does not know about, when they are told of the cancellation, then they expect neither therapist', () => {
  expect(toldCancelled([at(9, 11, 'Ana')], [at(10, 11, 'Ana')], session(9, 10, 'Kai'))).toEqual([at(9, 10, 'Ana')]);
  expect(toldCancelled([at(9, 10, 'Ana')], [], session(9, 10, null))).toEqual([at(9, 10, 'Ana')]);
});

test('given a session that was moved without a call and then cancelled, then the family still expects it at the time they were last told', () => {
  expect(toldCancelled([at(9, 10, 'Ana')], [], session(13, 14, 'Ana'))).toEqual([]);
});

test('given two sessions at the same time, then a family told of a cancellation expects the other session, or both if it is unclear which was cancelled', () => {
  const both = [at(9, 10, 'Ana'), at(9, 10, 'Kai')];
  expect(toldCancelled(both, [at(9, 10, 'Ana')], session(9, 10, 'Kai'))).toEqual([at(9, 10, 'Kai')]);
  expect(toldCancelled(both, [], session(9, 10, null, 'Kai'))).toEqual([at(9, 10, 'Kai')]);
  expect(toldCancelled(both, [], session(9, 10, null))).toEqual([]);
  const supervised = [at(9, 10, 'Ana'), at(9, 10, 'Max', 'supervision')];
  expect(toldCancelled(supervised, [at(9, 10, 'Lin', 'supervision')], session(9, 10, null))).toEqual([
    at(9, 10, 'Ana'),
  ]);
});

test('given a cancelled session that the family was never told about, then they still expect the session that they were told about for that time', () => {
  expect(toldCancelled([at(9, 10, 'Ana')], [at(9, 10, 'Lin')], session(9, 10, 'Kai'))).toEqual([]);
});
