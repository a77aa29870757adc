import {
  adminEndpoints,
  appointmentsEndpoints,
  locationsEndpoints,
  ownAccountEndpoints,
  recordsEndpoints,
  clientBodySchema,
  therapistBodySchema,
} from '@clinic/contract';
import { expect, test } from 'vitest';
import { FIELD_LABELS } from '../field-labels.ts';
import { ApiError } from './client.ts';
import { fieldRefusals, refusalWords } from './refusal-words.ts';

test('given a field’s name in a refusal, the refusal shows the field’s label instead', () => {
  expect(new ApiError(422, 'first_name: is longer than 80 characters').message).toBe(
    'First name: is longer than 80 characters',
  );
  expect(refusalWords('weekly_until: a series can run for at most a year.')).toBe(
    'Weekly until: a series can run for at most a year.',
  );
  expect(refusalWords('first_name: is missing; availability.2.end_time: not a time, written HH:MM')).toBe(
    'First name: is missing; Weekly Availability, entry 3, To: not a time, written HH:MM',
  );
});

test('every field that a user fills in has a label', () => {
  const bodies = [
    therapistBodySchema,
    clientBodySchema,
    appointmentsEndpoints.create.body,
    adminEndpoints.createAccount.body,
    ownAccountEndpoints.changePassword.body,
    locationsEndpoints.createLocation.body,
    recordsEndpoints.addServiceAccount.body,
    recordsEndpoints.addWebhook.body,
  ];
  const fields = new Set(bodies.flatMap((schema) => Object.keys(schema.shape)));
  for (const untyped of ['version', 'disabled', 'ask', 'passkey']) fields.delete(untyped);
  expect([...fields].filter((field) => !(field in FIELD_LABELS))).toEqual([]);
});

test('a message that names no known field is left unchanged', () => {
  for (const text of ['The drawer is stuck.', 'the request: is not right', 'Ana Ruiz: booked 9:00 AM', 'queries.0: no'])
    expect([refusalWords(text), fieldRefusals(text)]).toEqual([text, []]);
});

test('a refusal is shown beside a field only if it is about the whole field, not about one of its entries', () => {
  expect(fieldRefusals('last_name: must not be empty; gender: must be Male or Female')).toEqual([
    { field: 'last_name', text: 'Must not be empty' },
    { field: 'gender', text: 'Must be Male or Female' },
  ]);
  expect(fieldRefusals('availability.0: 9 to 5 overlaps 8 to 10.')).toEqual([]);
  expect(new ApiError(409, { message: 'Taken.', conflicts: [] }).fields).toEqual([]);
});
