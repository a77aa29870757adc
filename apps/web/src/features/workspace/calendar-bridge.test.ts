import { expect, test } from 'vitest';
import { slotsReply } from '../calendar/testing/sample-day.ts';
import { presentPeople } from './calendar-bridge.ts';

test('people who have left the clinic are not offered for sessions or absences', () => {
  const people = [
    { id: '1', name: 'Ana Ruiz', type: 'therapist' as const, former: true },
    { id: '2', name: 'Kai Wood', type: 'therapist' as const },
    { id: '3', name: 'Bo Lee', type: 'client' as const },
  ];
  expect(presentPeople(slotsReply({ people })).map((p) => p.name)).toEqual(['Kai Wood', 'Bo Lee']);
  expect(presentPeople(undefined)).toEqual([]);
});
