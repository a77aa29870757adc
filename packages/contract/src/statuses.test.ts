import { expect, test } from 'vitest';
import { parseStatus, wireStatus, type InnerStatus, type WireStatus } from './statuses.ts';

const WIRE: WireStatus[] = ['Scheduled', 'Confirmed', 'Completed', 'Cancelled', 'No Show', 'deleted'];
const INNER: InnerStatus[] = ['pending', 'booked', 'fulfilled', 'cancelled', 'noshow', 'entered-in-error'];

test('[CAL-10] statuses, including “deleted”, are recognized in upper or lower case', () => {
  for (const [i, word] of WIRE.entries()) {
    for (const spelt of [word, word.toUpperCase(), ` ${word.toLowerCase()} `, word.replace(' ', '  ')]) {
      expect(parseStatus(spelt), spelt).toBe(INNER[i]);
    }
  }
  for (const word of ['', 'gone', 'pending', 'canceled', 'NoShow']) expect(parseStatus(word)).toBeNull();
});

test('every status that is written to the API is read back unchanged', () => {
  expect(INNER.map(wireStatus)).toEqual(WIRE);
  expect(() => wireStatus('gone' as InnerStatus)).toThrow(RangeError);
});
