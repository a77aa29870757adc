import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isoDate, type PersonKind } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { findPerson, personNamed, type Person } from './people.ts';

const person = (displayName: string, here: boolean, fullName = displayName): Person => ({
  id: displayName,
  displayName,
  fullName,
  location: here ? 'altamonte' : 'tampa',
  here,
  former: false,
});
const named = (people: Person[], name: string) => personNamed(people, 'therapist', name, 'altamonte').id;

test('names are found whatever their case and spacing', () => {
  expect(named([person('Ana Ruiz', true)], '  ANA  ruiz ')).toBe('Ana Ruiz');
});

test("a display name finds its person at any location, and takes precedence over other people's full names", () => {
  const people = [person('Maria Lopez', false), person('Maria Lopez (2)', true, 'Maria Lopez')];
  expect(named(people, 'Maria Lopez (2)')).toBe('Maria Lopez (2)');
  expect(named([person('Maria Lopez', true), person('Maria Lopez (2)', true, 'Maria Lopez')], 'maria lopez')).toBe(
    'Maria Lopez',
  );
  expect(named([person('Kai Wood', false)], 'Kai Wood')).toBe('Kai Wood');
  expect(named([person('Kai Wood (2)', true, 'Kai Wood')], 'Kai Wood')).toBe('Kai Wood (2)');
});

test('given a name that fits two people, the refusal lists both', () => {
  const people = [person('Maria Lopez', false), person('Maria Lopez (2)', true, 'Maria Lopez')];
  const third = person('Maria Lopez (3)', true, 'Maria Lopez');
  expect(() => named([...people.slice(1), third], 'Maria Lopez')).toThrow(
    "More than one therapist is called 'Maria Lopez': 'Maria Lopez (2)' (Altamonte) and 'Maria Lopez (3)' (Altamonte). Nothing was changed. Write the name as it is shown here.",
  );
});

test('a display name finds only its own person, even if others have the same full name', () => {
  const shown = ['Ana Ruiz', 'Ana Ruiz (2)', 'Ana Ruiz (3)'];
  for (const where of [0, 1, 2, 3, 4, 5, 6, 7]) {
    const people = shown.map((name, i) => person(name, (where >> i) % 2 === 1, 'Ana Ruiz'));
    for (const name of shown)
      for (const typed of [name, ` ${name.toUpperCase()}\u200b `]) expect(named(people, typed)).toBe(name);
  }
});

test('the refusal of an unknown name suggests the nearest name at this location, never one at another location', () => {
  expect(() => named([person('Ana Ruiz', true)], 'Ana Ruis')).toThrow(
    "No therapist named 'Ana Ruis' at Altamonte. Did you mean 'Ana Ruiz'?",
  );
  expect(() => named([person('Ana Ruiz', false)], 'Ana Ruis')).toThrow(
    /^No therapist named 'Ana Ruis' at Altamonte\. Nothing was changed\.$/,
  );
});

test('given a therapist who has left, their name finds a newer therapist with that name; if there is no such therapist, the refusal says that they have left', () => {
  const left = { ...person('Kai Wood', true), id: 'left', former: true };
  expect(named([left, person('Kai Wood', false)], 'Kai Wood')).toBe('Kai Wood');
  expect(() => named([left], 'kai wood')).toThrow(/^Kai Wood is no longer with the clinic\. Nothing was changed\.$/);
  expect(() => named([left], 'Kai Woo')).toThrow(/^No therapist named 'Kai Woo' at Altamonte\. Nothing was changed\.$/);
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('a therapist booked at the location that day counts as one of its people; a therapist who has left is refused, with that reason', async () => {
  const { db } = database;
  const place = { location: 'altamonte', date: isoDate('2026-11-20') } as const;
  const visiting = await buildTherapist(db, { first: 'Lin', last: 'Park', location: 'tampa' });
  const client = await buildClient(db, { first: 'Bo', last: 'Lee' });
  const find = (kind: PersonKind, name: string, mayKnow = true) => findPerson(db, kind, name, place, () => mayKnow);
  expect(await find('therapist', 'lin park')).toMatchObject({ id: visiting, here: false });
  await expect(find('therapist', 'lin park', false)).rejects.toThrow("No therapist named 'lin park'");
  await buildAppointment(db, { therapist: visiting, client, date: '2026-11-20', start: '09:00', end: '10:00' });
  expect(await find('therapist', 'lin park', false)).toMatchObject({ id: visiting, here: true });
  expect(await find('client', 'BO LEE')).toMatchObject({ id: client, here: true });
  await expect(find('client', 'Lin Park')).rejects.toThrow("No client named 'Lin Park'");
  await db.updateTable('therapist').set({ deleted_at: new Date().toISOString() }).where('id', '=', visiting).execute();
  await expect(find('therapist', 'Lin Park')).rejects.toThrow('Lin Park is no longer with the clinic.');
});

test('looking up a display name does not load everyone', async () => {
  const { db } = database;
  const place = { location: 'altamonte', date: isoDate('2026-11-23') } as const;
  for (const first of ['Ida', 'Eva', 'Ulf']) await buildClient(db, { first, last: 'Elsewhere', location: 'tampa' });
  const asked = vi.fn(() => true);
  await findPerson(db, 'client', ' eva  ELSEWHERE', place, asked);
  expect(asked).toHaveBeenCalledTimes(1);
  await expect(findPerson(db, 'client', 'Elsewhere', place, asked)).rejects.toThrow("No client named 'Elsewhere'");
  expect(asked.mock.calls.length).toBeGreaterThan(3);
});
