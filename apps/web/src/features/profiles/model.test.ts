import { clientBodySchema, therapistBodySchema, type Therapist } from '@clinic/contract';
import { expect, test } from 'vitest';
import { FIELD_LABELS } from '../../shared/field-labels.ts';
import { clientBody, newClient, type ClientForm } from './client-form.ts';
import { checkContact, newContact } from './contacts.ts';
import { checkField, textField } from './form-fields.ts';
import { differences, mergeEdits } from '../../shared/edits/merge.ts';
import { searchProfiles } from './model.ts';
import { canAddRestriction, restrictionEffects, restrictionWords } from './restrictions.ts';
import { newTherapist, THERAPIST_FORM, therapistBody, therapistForm } from './therapist-form.ts';
import { checkWindow, newWindow, weekInWords, weekPicture, weeklyHours } from './week.ts';

const ana: Therapist = {
  id: 'T-0001',
  first_name: 'Ana',
  last_name: 'Ruíz',
  display_name: 'Ana Ruíz',
  location: 'altamonte',
  specialization: 'RBT',
  gender: 'Female',
  start_date: '2024-03-04',
  end_date: null,
  week_hours: null,
  day_hours: null,
  guaranteed_hours: null,
  consistency: 82,
  availability: [
    { id: 'w1', day_of_week: 1, start_time: '08:00', end_time: '12:00' },
    { id: 'w2', day_of_week: 1, start_time: '13:00', end_time: '18:30' },
    { id: 'w3', day_of_week: 6, start_time: '16:00', end_time: '24:00' },
  ],
  credentials: [],
  tags: [],
  version: 3,
};
const row = (day: number, start_time: string, end_time: string) => ({
  day_of_week: String(day),
  start_time,
  end_time,
  from_date: '',
  until_date: '',
  id: '',
});

test('[PROF-07] a new therapist works Monday to Friday, 9 to 5, and a new window is Monday, 9 to 5', () => {
  expect(newTherapist().availability.map((w) => [w.day_of_week, w.start_time, w.end_time])).toEqual(
    ['1', '2', '3', '4', '5'].map((day) => [day, '09:00', '17:00']),
  );
  expect(newWindow()).toMatchObject({ day_of_week: '1', start_time: '09:00', end_time: '17:00', id: '' });
});

test('[PROF-06] a missing required field is named; spaces count as empty', () => {
  const check = (name: keyof typeof THERAPIST_FORM, typed: string) =>
    checkField(THERAPIST_FORM[name], FIELD_LABELS[name], typed);
  expect(checkField(textField(), 'First name', '  ')).toBe('First name is required');
  expect(check('first_name', 'Ana')).toBe(true);
  expect(check('start_date', '')).toBe('Start date is required');
  expect(check('start_date', '2026-02-30')).toBe('This date does not exist');
  expect(check('start_date', '2026-02-28')).toBe(true);
  expect([check('consistency', ''), check('consistency', '100')]).toEqual([true, true]);
  expect(check('consistency', '101')).toBe('A whole number from 0 to 100');
  expect([check('week_hours', ''), check('week_hours', '37.5'), check('day_hours', '7,25')]).toEqual([
    true,
    true,
    true,
  ]);
  for (const wrong of ['37.3', '0.5', '25', '-8', 'eight'])
    expect(check('day_hours', wrong)).toBe('Hours from 1 to 24, in quarters such as 37.5');
});

test('a limit in quarters of an hour is sent as a number and shown in hours and minutes', () => {
  const typed = { ...therapistForm(ana), week_hours: '37,5', day_hours: '8' };
  expect(therapistBody(typed, 3)).toMatchObject({ week_hours: 37.5, day_hours: 8, guaranteed_hours: null });
  expect(therapistForm({ ...ana, week_hours: 37.5 }).week_hours).toBe('37.5');
  const { week_hours: week } = THERAPIST_FORM;
  expect([week.read?.(37.5), week.read?.(40), week.read?.(null)]).toEqual([
    '37 h 30 min',
    '40 h',
    'the clinic’s limit',
  ]);
});

test('a loaded therapist is sent back unchanged, including window ids and an end at midnight', () => {
  const form = therapistForm(ana);
  expect(form.availability[2]?.end_time).toBe('23:59');
  const body = therapistBody(form, ana.version);
  expect(body).toEqual({
    first_name: 'Ana',
    last_name: 'Ruíz',
    location: 'altamonte',
    specialization: 'RBT',
    gender: 'Female',
    start_date: '2024-03-04',
    end_date: null,
    week_hours: null,
    day_hours: null,
    guaranteed_hours: null,
    consistency: 82,
    availability: ana.availability,
    credentials: [],
    tags: [],
    contacts: [],
    version: 3,
  });
  expect(therapistBodySchema.safeParse(body).success).toBe(true);
});

test('a new profile is sent without a version, in the form that the contract requires', () => {
  const therapist = { ...newTherapist(), first_name: ' Bo ', last_name: 'Lee', location: 'tampa' };
  const body = therapistBody(
    { ...therapist, specialization: 'BT', gender: 'Male', start_date: '2026-01-05' },
    undefined,
  );
  expect(body.first_name).toBe('Bo');
  expect('version' in body).toBe(false);
  expect(therapistBodySchema.safeParse(body).success).toBe(true);
  const client = clientBody(
    { ...newClient(), first_name: 'Mo', last_name: 'Diaz', gender: 'Male', location: 'tampa' },
    2,
  );
  expect(client.version).toBe(2);
  expect(clientBodySchema.safeParse(client).success).toBe(true);
});

test('a window that is reversed, or overlaps another window on the same day, is refused with a sentence', () => {
  expect(checkWindow([row(1, '08:00', '08:00')], 0)).toBe('Must be after 8:00 AM');
  expect(checkWindow([row(1, '', '08:00')], 0)).toBe('Enter both times');
  const rows = [row(1, '09:00', '17:00'), row(1, '16:00', '18:00'), row(2, '16:00', '18:00'), row(1, '17:00', '23:59')];
  expect(checkWindow(rows, 1)).toBe('Overlaps 9:00 AM - 5:00 PM');
  expect(checkWindow(rows, 2)).toBe(true);
  expect(checkWindow([rows[0] ?? row(0, '', ''), row(1, '17:00', '23:59')], 1)).toBe(true);
  const dated = (from_date: string, until_date: string) => [{ ...row(1, '08:00', '09:00'), from_date, until_date }];
  expect(checkWindow(dated('2026-02-02', '2026-02-01'), 0)).toBe('The last date is before the first');
  expect(checkWindow(dated('2026-02-01', '2026-02-02'), 0)).toBe(true);
});

test('the week picture starts with Sunday and shows 7 AM to 7 PM, and the same week in words has the full times', () => {
  const week = weekPicture(ana.availability);
  expect(week.map((day) => day.length)).toEqual([0, 2, 0, 0, 0, 0, 1]);
  expect(week[1]).toEqual([
    { slots: 4, length: 16, words: '8-12' },
    { slots: 24, length: 22, words: '1-6:30' },
  ]);
  expect(week[6]).toEqual([{ slots: 36, length: 12, words: '4-12' }]);
  expect(weeklyHours(ana.availability)).toBe('17 h 30 min a week');
  const sunday = { day_of_week: 0, start_time: '09:00', end_time: '10:00' };
  expect(weekInWords([...ana.availability, sunday])).toEqual([
    { day: 0, words: '9:00 AM - 10:00 AM' },
    { day: 1, words: '8:00 AM - 12:00 PM, 1:00 PM - 6:30 PM' },
    { day: 6, words: '4:00 PM - 12:00 AM' },
  ]);
});

test('[PROF-01] search ignores case, accents and word order, and stays within the location', () => {
  const list = [
    ana,
    { ...ana, display_name: 'Ruth Anaya', location: 'tampa' as const },
    { ...ana, display_name: 'Bo Lee' },
  ];
  const names = (typed: string, at: 'altamonte' | null) => searchProfiles(list, typed, at).map((p) => p.display_name);
  expect(names('ruiz ANA', null)).toEqual(['Ana Ruíz']);
  expect(names('ana', null)).toEqual(['Ana Ruíz', 'Ruth Anaya']);
  expect(names('ana', 'altamonte')).toEqual(['Ana Ruíz']);
  expect(names('', 'altamonte')).toEqual(['Ana Ruíz', 'Bo Lee']);
  expect(names('wolcott', null)).toEqual([]);
});

test('a restriction that is chosen but not yet added is sent once, with the others, if it is complete', () => {
  const sent = (adding: ClientForm['adding'], restrictions: ClientForm['restrictions'] = []) =>
    clientBody({ ...newClient(), restrictions, adding }, 3).restrictions;
  const male = { type: 'gender', restriction: 'male' } as const;
  expect(sent(male)).toEqual([male]);
  expect(sent(male, [male])).toEqual([male]);
  expect(sent({ type: 'gender', restriction: '' })).toEqual([]);
  expect(clientBody({ ...newClient(), adding: male }, 3)).not.toHaveProperty('adding');
});

test('each restriction is shown in words, with its effect', () => {
  const nameOf = (id: string) => (id === 'T-0001' ? 'Ana Ruíz' : id);
  const only = { type: 'gender', restriction: 'male' } as const;
  const never = { type: 'therapist', restriction: 'T-0001' } as const;
  expect(restrictionWords(only, nameOf)).toBe('Only male therapists');
  expect(restrictionWords(never, nameOf)).toBe('Never Ana Ruíz');
  const people = [
    ana,
    { ...ana, id: 'T-0002', gender: 'Male' as const },
    { ...ana, id: 'T-3', location: 'tampa' as const },
  ];
  expect(restrictionEffects([only, never], people, 'altamonte')).toEqual([
    'leaves 1 of 2 therapists at Altamonte',
    'already excluded by the gender restriction',
  ]);
  expect(restrictionEffects([never, { type: 'therapist', restriction: 'T-9' }], people, 'altamonte')).toEqual([
    '',
    'no longer with the clinic',
  ]);
  expect(restrictionEffects([only, { type: 'gender', restriction: 'female' }], people, 'altamonte')).toEqual([
    'both genders are listed, so either may come',
    'both genders are listed, so either may come',
  ]);
});

test('[PROF-08] a restriction can be added only with a type and a value, and only once', () => {
  expect(canAddRestriction([], 'gender', 'female')).toBe(true);
  expect(canAddRestriction([], 'gender', '')).toBe(false);
  expect(canAddRestriction([], '', 'female')).toBe(false);
  expect(canAddRestriction([{ type: 'gender', restriction: 'female' }], 'gender', 'Female')).toBe(false);
  expect(canAddRestriction([{ type: 'gender', restriction: 'female' }], 'gender', 'male')).toBe(true);
});

test('two people’s edits are compared field by field, and windows by their times', () => {
  const mine = therapistForm(ana);
  const same = { ...mine, availability: mine.availability.map((w) => ({ ...w, id: 'other' })).reverse() };
  expect(differences(mine, same, FIELD_LABELS)).toEqual([]);
  const theirs = { ...same, first_name: 'Anna', availability: [...same.availability, newWindow()] };
  expect(differences(mine, theirs, FIELD_LABELS)).toEqual(['First name', 'Weekly Availability']);
});

test('only contacts with something typed are sent, and reordering contacts counts as an edit', () => {
  const [pat, sam] = [
    { ...newContact(), name: ' Pat ', phone: ' 407-555-0100 ' },
    { ...newContact(), name: 'Sam' },
  ];
  const form = { ...therapistForm(ana), contacts: [pat, newContact(), sam] };
  expect(therapistBody(form, 3).contacts).toEqual([{ ...pat, name: 'Pat', phone: '407-555-0100' }, sam]);
  const turned = { ...form, contacts: [sam, newContact(), pat] };
  expect(differences(form, turned, FIELD_LABELS)).toEqual(['Contacts']);
  expect(mergeEdits(form, turned, { ...form, first_name: 'Anna' })).toEqual({ ...turned, first_name: 'Anna' });
});

test('a contact is checked only when something was typed, and each field is checked separately', () => {
  const row = { ...newContact(), phone: 'ask', email: 'at school', preferred: 'text' as const };
  const faults = (of: typeof row) => (['name', 'phone', 'email', 'preferred'] as const).map((f) => checkContact(of, f));
  expect(faults(row)).toEqual([
    'Name is required',
    expect.stringMatching(/^Not a tel/),
    expect.stringMatching(/^Not an email/),
    true,
  ]);
  expect(checkContact({ ...row, phone: '' }, 'preferred')).toBe('Needs a telephone number');
  expect(faults({ ...row, name: 'Pat', phone: '407-555-0100', email: 'pat@example.org' })).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(checkContact(newContact(), 'name')).toBe(true);
});

test('merging keeps the other person’s changes, except in fields also edited here', () => {
  const base = therapistForm(ana);
  const mine = { ...base, last_name: 'Cole', gender: 'Male' };
  const theirs = { ...base, first_name: 'Anna', gender: '' };
  expect(mergeEdits(base, mine, theirs)).toEqual({ ...base, first_name: 'Anna', last_name: 'Cole', gender: 'Male' });
});
