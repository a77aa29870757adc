import { expect, test } from 'vitest';
import type { ToldStretch } from '@clinic/domain';
import { personKey, type Answer } from './call-day.ts';
import { lastTold } from './told-people.ts';

const BO = personKey('client', 'bo');
const day = (other: string): ToldStretch[] => [{ start: 540, end: 660, with: other, service: 'direct' }];
/** Results of calls to Bo's family, oldest first; their ids are `0`, `1`, and so on. */
const calls = (...all: (Pick<Answer, 'answer'> & Partial<Answer>)[]) =>
  all.map((each, i): Answer => {
    const base = {
      id: String(i),
      person: BO,
      note: null,
      version: '',
      day: null,
      cancelled: null,
      ringAgain: null,
      free: [],
      accountId: null,
    };
    return { ...base, at: `2030-11-22 07:0${i}:00+00`, by: 'Dana', byPage: false, takenBack: false, ...each };
  });
const ids = (...all: Parameters<typeof calls>) => {
  const last = lastTold(calls(...all)).get(BO);
  return [last?.told?.id, last?.whole?.id, last?.since.map(({ id }) => id)];
};
const told = (other = 'kai') => ({ answer: 'told' as const, day: day(other) });
const off = { answer: 'told' as const, day: [], cancelled: day('ana') };

test('only what a person was told counts as told, and only their whole day as whole', () => {
  expect(ids({ answer: 'left-message', day: day('kai') })).toEqual([undefined, undefined, ['0']]);
  expect(ids({ answer: 'said-no', day: day('kai') }, { answer: 'no-answer' })).toEqual([
    undefined,
    undefined,
    ['0', '1'],
  ]);
  expect(ids(off)).toEqual(['0', undefined, ['0']]);
  expect(ids(told(), off)).toEqual(['1', '0', ['1']]);
  expect(ids({ answer: 'sheet', day: day('kai') }, { answer: 'left-message', day: day('lin') })).toEqual([
    '0',
    '0',
    ['1'],
  ]);
});

test('the latest time that a person was told counts, whatever came after it', () => {
  expect(ids(told('ana'), told('kai'), { answer: 'left-message', day: day('lin') })).toEqual(['1', '1', ['2']]);
  expect(ids(told('ana'), off, off, { answer: 'no-answer' })).toEqual(['2', '0', ['1', '2', '3']]);
});

test('“Not told” takes back the latest time that they were told, and leaves the calls around it', () => {
  const back = { answer: 'not-told' as const };
  expect(ids(told('ana'), told('kai'), back)).toEqual(['0', '0', []]);
  expect(ids(told('ana'), { answer: 'left-message', day: day('kai') }, back)).toEqual([undefined, undefined, ['1']]);
  expect(ids({ answer: 'left-message', day: day('kai') }, told(), back)).toEqual([undefined, undefined, ['0']]);
  expect(ids(told('ana'), off, back)).toEqual(['0', '0', []]);
  expect(ids(told('ana'), told('kai'), back, back)).toEqual([undefined, undefined, []]);
  // Without anything to take back, it changes nothing.
  expect(ids({ answer: 'no-answer' }, back)).toEqual([undefined, undefined, ['0']]);
});

test('an earlier no no longer counts once they were told their whole day, but still counts after a cancellation, and again after “Not told”', () => {
  const no = { answer: 'said-no' as const, day: day('kai') };
  expect(ids(no, told())).toEqual(['1', '1', []]);
  expect(ids(no, off)).toEqual(['1', undefined, ['0', '1']]);
  expect(ids(no, told(), { answer: 'not-told' })).toEqual([undefined, undefined, ['0']]);
});
