import { expect, test } from 'vitest';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '@clinic/contract';
import { randomFrom } from '@clinic/testkit';
import { isCommon } from './common-passwords.ts';
import { hashChecked } from './accounts.service.ts';
import { contextWords, weakness } from './weak-password.ts';

const own = ['dana.whitfield@northside.example', 'Dana Whitfield'];

test.each([
  'password1234',
  'Password123!',
  'qwertyuiop12',
  '1q2w3e4r5t6y',
  '123456789012',
  'abcdefghijkl',
  'aaaaaaaaaaaa',
  'abababababab',
  'iloveyou1234',
  'Welcome2026!',
  'clinic-scheduler',
  'Altamonte2026',
  'Therapist!!2026',
  'danawhitfield1',
  'Northside.2026',
  'letmeinletmein',
  'Summer2026!!',
  'changeme1234',
])('the password %s is refused', (password) => {
  expect(['too-few-characters', 'common-words']).toContain(weakness(password, own));
});

// None of these has a common word, a sequence or a repeat: only the list of stolen passwords catches them.
test.each([
  'leavemealone',
  'LeaveMeAlone',
  'sonyericsson',
  'gfhjkmgfhjkm',
  'Sojdlg123aljg',
  'estabilizador',
  'zavtrazavtra',
])('the password %s is refused because it is on the list of stolen passwords', (password) => {
  expect(weakness(password, own)).toBe('stolen');
});

test('given ten thousand random passwords, hardly any are on the list of stolen passwords', () => {
  const random = randomFrom(1);
  const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
  const made = Array.from({ length: 10_000 }, () => Array.from({ length: 14 }, () => random.pick(letters)).join(''));
  expect(made.filter((password) => isCommon(password)).length).toBeLessThan(3);
});

test.each([
  'demo clinic password of ours',
  'correct horse battery staple',
  'a password of some length',
  'vT8#kd0q!pLm2',
  'пароль длинный и свой',
  '日本語の長い合言葉です。はい',
  'the tampa office has a blue door',
])('the password %s is accepted: it may contain common words if it has enough other characters', (password) => {
  expect(weakness(password, own)).toBeNull();
});

test('a password made of words like “clinic” or “scheduler” is refused, in upper or lower case and with a year after it', () => {
  for (const word of contextWords()) expect(weakness(`${word.toUpperCase()}-${word}-2026`, []), word).not.toBeNull();
});

test('a very long password is checked like any other', () => {
  expect(weakness('ab'.repeat(512), [])).not.toBeNull();
  expect(weakness(`${'xyz12'.repeat(200)}!`, [])).not.toBeUndefined();
});

test('a password that is too short or too long is refused before it is hashed, wherever it comes from', async () => {
  const account = { email: 'dana@clinic.example', name: 'Dana' };
  for (const length of [SHORTEST_PASSWORD - 1, LONGEST_PASSWORD + 1])
    await expect(hashChecked('vT8#kd0q!pLm2'.repeat(80).slice(0, length), account)).rejects.toThrow(
      `password: a password needs ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters.`,
    );
});
