import { expect, test } from 'vitest';
import type { ShownAppointment } from '../day/present-appointment.ts';
import { mergeShown } from './merge-shown.ts';

const base: ShownAppointment = {
  key: 'k1',
  wireId: 'APT-1',
  location: 'altamonte',
  date: '2026-11-20',
  start: 510,
  end: 570,
  subject: 'Direct Therapy',
  service: 'direct',
  status: 'booked',
  therapist: 'Ana Ruiz',
  hasTherapist: true,
  bookedWith: null,
  hadNobody: false,
  parentId: null,
  client: 'Bo Lee',
  groupKey: null,
  clash: false,
  version: 1,
  uncovered: [],
};
const shown = (part: Partial<ShownAppointment>): ShownAppointment => ({ ...base, ...part });
const times = (list: readonly ShownAppointment[]) => list.map((a) => [a.key, a.start, a.end]);

test('[CAL-10] deleted appointments are hidden', () => {
  expect(mergeShown([shown({ status: 'entered-in-error' })])).toEqual([]);
});

test('[CAL-11] appointments with the same Id are shown once if their times are equal, and twice if they are far apart', () => {
  expect(times(mergeShown([shown({}), shown({ key: 'k2' })]))).toEqual([['k1', 510, 570]]);
  expect(times(mergeShown([shown({}), shown({ key: 'k2', start: 600, end: 630 })]))).toEqual([
    ['k1', 510, 570],
    ['k2', 600, 630],
  ]);
});

test('[CAL-12] appointments with the same Id that are close together are merged, and need cover whenever one of them does', () => {
  const merged = mergeShown([
    shown({ uncovered: [{ start: 540, end: 570 }] }),
    shown({ key: 'k2', start: 585, end: 630, uncovered: [{ start: 585, end: 600 }], hasTherapist: false }),
  ]);
  expect(times(merged)).toEqual([['k1', 510, 630]]);
  expect(merged[0]?.uncovered).toEqual([
    { start: 540, end: 570 },
    { start: 585, end: 600 },
  ]);
  expect(merged[0]?.hasTherapist).toBe(false);
});

test('a cancelled appointment with the same Id neither hides nor lengthens the booked session', () => {
  const merged = mergeShown([shown({ key: 'k0', start: 480, end: 570, status: 'cancelled' }), shown({})]);
  expect(times(merged)).toEqual([['k1', 510, 570]]);
  expect(merged[0]?.status).toBe('booked');
  expect(times(mergeShown([shown({ status: 'noshow' })]))).toEqual([['k1', 510, 570]]);
});

test('appointments of different clients stay separate, even with the same Id', () => {
  expect(mergeShown([shown({}), shown({ key: 'k2', client: 'Mo Diaz' })])).toHaveLength(2);
});
