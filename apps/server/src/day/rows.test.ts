import { expect, test } from 'vitest';
import type { ClinicDay } from './facts/day.ts';
import { awayPeople, type PeopleOfDay } from './rows.ts';

test('absences are listed with therapists first, then by name and by time, each by itself', () => {
  const person = (id: string, displayName: string) => ({ id, displayName });
  const people = {
    therapists: [person('t1', 'Zoë Ortiz'), person('t2', 'Alicia Soto'), person('t3', 'Élan Diaz')],
    clients: [person('c1', 'Aria Campbell')],
  } as unknown as PeopleOfDay;
  const away = (id: string, who: Partial<Record<'therapistId' | 'clientId', string>>, start: number) => ({
    id,
    location: 'tampa',
    therapistId: null,
    clientId: null,
    ...who,
    start,
    end: start + 60,
  });
  // In the database's order: by start, then by id. Ids are random, so this order says nothing about names.
  const day = {
    absences: [
      away('1', { clientId: 'c1' }, 0),
      away('2', { therapistId: 't1' }, 0),
      away('3', { therapistId: 't3' }, 600),
      away('4', { therapistId: 't2' }, 480),
      away('5', { therapistId: 't3' }, 480),
      away('6', { therapistId: 't3' }, 540),
    ],
  } as unknown as ClinicDay;
  expect(awayPeople(day, people).map((a) => `${a.name} ${a.start}`)).toEqual([
    'Alicia Soto 480',
    'Élan Diaz 480',
    'Élan Diaz 540',
    'Élan Diaz 600',
    'Zoë Ortiz 0',
    'Aria Campbell 0',
  ]);
});
