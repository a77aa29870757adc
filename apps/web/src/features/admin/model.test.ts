import { accountBodySchema, type Account } from '@clinic/contract';
import { expect, test } from 'vitest';
import {
  accountBody,
  accountForm,
  actionWords,
  checkEmail,
  checkPassword,
  detailWords,
  newAccount,
  placesWords,
  readAuditFilters,
  subjectWords,
} from './model.ts';

const dana: Account = {
  id: '6f1c1f7e-0000-4000-8000-000000000000',
  email: 'dana@clinic.example',
  name: 'Dana Whitfield',
  role: 'admin',
  locations: ['tampa', 'altamonte'],
  disabled: false,
  version: 'a1',
};

test('an account form trims its fields and sends a password only if one was typed', () => {
  const body = accountBody(accountForm(dana), false);
  expect(body).toEqual({
    name: 'Dana Whitfield',
    email: 'dana@clinic.example',
    role: 'admin',
    locations: ['altamonte', 'tampa'],
    disabled: false,
  });
  expect(accountBodySchema.safeParse(body).success).toBe(true);
  expect(accountBody({ ...accountForm(dana), everywhere: true }, false).locations).toBeNull();
  const added = accountBody(
    { ...newAccount(null), name: ' Bo ', email: ' bo@clinic.example ', password: 'x'.repeat(12) },
    true,
  );
  expect(added).toEqual({
    name: 'Bo',
    email: 'bo@clinic.example',
    role: 'scheduler',
    locations: null,
    password: 'x'.repeat(12),
  });
});

test('a new account needs a password, and a new password for an existing account must be long enough', () => {
  expect(checkPassword(true)('')).toBe('A new account needs a password');
  expect(checkPassword(false)('')).toBe(true);
  expect(checkPassword(false)('short')).toBe('At least 12 characters');
  expect(checkEmail('dana')).toMatch(/^An email/);
  expect(checkEmail(' dana@clinic.example ')).toBe(true);
});

test('audit entries are shown in words, and unknown actions by their technical name', () => {
  expect(actionWords('schedule.committed')).toBe('Submitted a schedule');
  expect(actionWords('calls.read')).toBe('Viewed the call list');
  expect(actionWords('series.extended')).toBe('series extended');
  expect(detailWords({ role: 'admin', locations: null, changed: ['gender', 'location'], note: '' })).toBe(
    'role admin, changed gender location',
  );
  expect(subjectWords('appointment', ['8fceb25c-2777-4832-8eae-f8065668abdf'])).toBe('appointment 8fceb25c');
  expect(subjectWords('client', ['C-1', 'C-2', 'C-3', 'C-4', 'C-5'])).toBe('client C-1, C-2, C-3 and 2 more');
  expect(placesWords(['palm beach'])).toBe('Palm Beach');
  expect(placesWords(null)).toBe('All locations');
});

test('given an administrator with access to only some locations, a new account starts with at most those locations', () => {
  expect(newAccount(null)).toMatchObject({ everywhere: true, locations: [] });
  expect(newAccount(['tampa'])).toMatchObject({ everywhere: false, locations: ['tampa'] });
  expect(newAccount(['tampa', 'orlando'])).toMatchObject({ everywhere: false, locations: [] });
});

test('given filters of the audit trail in the address, then they are kept, apart from an account that cannot exist', () => {
  expect(readAuditFilters({ account: dana.id, subject: 'C-0001' })).toEqual({ account: dana.id, subject: 'C-0001' });
  expect(readAuditFilters({ account: 'dana', subject: 'C-0001' })).toEqual({ account: '', subject: 'C-0001' });
  expect(readAuditFilters({})).toEqual({ account: '', subject: '' });
  // The server refuses a longer text.
  expect(readAuditFilters({ subject: 'C'.repeat(101) }).subject).toHaveLength(100);
});
