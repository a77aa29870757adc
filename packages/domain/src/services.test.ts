import { expect, test } from 'vitest';
import { isGroupSubject, isTelehealth, serviceOfSubject } from './services.ts';

test('subjects in upper or lower case map to services; an unknown subject means direct therapy', () => {
  expect(serviceOfSubject('  SUPERVISION ')).toBe('supervision');
  expect(serviceOfSubject('Assessment')).toBe('supervision');
  expect(serviceOfSubject('Parent  Training')).toBe('parent-training');
  expect(serviceOfSubject('Direct Therapy, "make-up"\nsee note')).toBe('direct');
  expect(serviceOfSubject('constructor')).toBe('direct');
});

test('given a subject with a billing code, the code decides the service, unless the subject is the name of one', () => {
  expect(['97151', '97155 Protocol modification', 'ABA - 97155', '97158'].map(serviceOfSubject)).toEqual(
    Array(4).fill('supervision'),
  );
  expect(['97156', 'Caregiver training (97156)', '97157'].map(serviceOfSubject)).toEqual(
    Array(3).fill('parent-training'),
  );
  expect(['97152', '97153', '97154', 'Room 197155', '97153 beside 97155'].map(serviceOfSubject)).toEqual(
    Array(5).fill('direct'),
  );
});

test('given a subject that begins with the name of a service, then it is that service, unless a billing code says otherwise', () => {
  expect(
    ['BCBA Supervision', 'Supervision - Telehealth', 'Initial Assessment', 'Re-Assessment'].map(serviceOfSubject),
  ).toEqual(Array(4).fill('supervision'));
  expect(['Caregiver Training', 'Parent Training (home)', 'Family Guidance: week 3'].map(serviceOfSubject)).toEqual(
    Array(3).fill('parent-training'),
  );
  expect(
    [
      'Supervision 97153',
      'Supervision - 97153',
      'Supervisions',
      'No supervision',
      'Self-assessment skills',
      ' - Supervision',
    ].map(serviceOfSubject),
  ).toEqual(Array(6).fill('direct'));
});

test('a subject with the word “group”, or with a billing code for groups, marks a group session', () => {
  expect(isGroupSubject('Social Skills Group')).toBe(true);
  expect(isGroupSubject('Regrouping')).toBe(false);
  expect(['97154', '97157 Parents', '97158'].map(isGroupSubject)).toEqual([true, true, true]);
  expect(['97153', '97155', '97153 after 97154'].map(isGroupSubject)).toEqual([false, false, false]);
});

test('a subject that says telehealth, virtual or video marks a session to which nobody travels', () => {
  const said = ['Parent Training - Telehealth', 'TELE-HEALTH', 'Virtual supervision', '97156 (video)', 'Teletherapy'];
  expect(said.map(isTelehealth)).toEqual(Array(5).fill(true));
  expect(['Direct Therapy', 'Televised', 'Videogames group', 'Virtually none'].map(isTelehealth)).toEqual(
    Array(4).fill(false),
  );
});
