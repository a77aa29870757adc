import { expect, test } from 'vitest';
import { availabilityEntrySchema, clientBodySchema, restrictionSchema, therapistBodySchema } from './profiles.ts';

const therapist = {
  first_name: 'Ana',
  last_name: 'Ruiz',
  location: 'altamonte',
  specialization: 'RBT',
  gender: 'Female',
  start_date: '2024-03-04',
  availability: [{ day_of_week: 1, start_time: '09:00', end_time: '17:00' }],
};
const client = { first_name: 'Bo', last_name: 'Lee', gender: 'Male', location: 'altamonte', restrictions: [] };

const fieldsOf = (result: { error?: { issues: { path: PropertyKey[] }[] } | undefined }): string[] =>
  (result.error?.issues ?? []).map((issue) => issue.path.join('.'));

test('[PROF-06] a therapist without required fields is refused, and the refusal names each missing field', () => {
  expect(therapistBodySchema.safeParse(therapist).success).toBe(true);
  for (const field of ['first_name', 'last_name', 'location', 'specialization', 'gender', 'start_date'] as const) {
    const { [field]: _left, ...rest } = therapist;
    expect(fieldsOf(therapistBodySchema.safeParse(rest)), field).toEqual([field]);
  }
  expect(fieldsOf(therapistBodySchema.safeParse({ ...therapist, first_name: ' ' }))).toEqual(['first_name']);
});

test('[PROF-06] a client without a required field is refused; specialization and gender accept only the listed values', () => {
  expect(clientBodySchema.safeParse(client).success).toBe(true);
  for (const field of ['first_name', 'last_name', 'location', 'gender'] as const) {
    const { [field]: _left, ...rest } = client;
    expect(fieldsOf(clientBodySchema.safeParse(rest)), field).toEqual([field]);
  }
  for (const specialization of ['BCBA', 'RBT', 'BT']) {
    expect(therapistBodySchema.safeParse({ ...therapist, specialization }).success).toBe(true);
  }
  expect(fieldsOf(therapistBodySchema.safeParse({ ...therapist, specialization: 'OT' }))).toEqual(['specialization']);
  expect(fieldsOf(clientBodySchema.safeParse({ ...client, gender: 'female' }))).toEqual(['gender']);
});

test('[PROF-07] a weekly window needs a day from 0 to 6 and an end after its start', () => {
  const entry = { day_of_week: 0, start_time: '09:00', end_time: '17:00' };
  expect(availabilityEntrySchema.safeParse(entry).success).toBe(true);
  expect(availabilityEntrySchema.safeParse({ ...entry, id: null }).success).toBe(true);
  for (const day_of_week of [-1, 7, 1.5, '1']) {
    expect(fieldsOf(availabilityEntrySchema.safeParse({ ...entry, day_of_week }))).toEqual(['day_of_week']);
  }
  for (const end_time of ['09:00', '08:59'])
    expect(fieldsOf(availabilityEntrySchema.safeParse({ ...entry, end_time }))).toEqual(['end_time']);
});

test('[PROF-08] a restriction has a type and a value: male or female, or a therapist’s id', () => {
  for (const restriction of ['male', 'Female', 'FEMALE']) {
    expect(restrictionSchema.safeParse({ type: 'gender', restriction }).success).toBe(true);
  }
  expect(restrictionSchema.safeParse({ type: 'therapist', restriction: 'T-0009' }).success).toBe(true);
  for (const wrong of [
    { type: 'gender', restriction: 'other' },
    { type: 'gender', restriction: '' },
    { type: 'therapist', restriction: ' ' },
  ]) {
    expect(restrictionSchema.safeParse(wrong).success).toBe(false);
  }
  expect(restrictionSchema.safeParse({ type: 'colour', restriction: 'blue' }).success).toBe(false);
});
