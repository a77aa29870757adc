import { expect, test } from 'vitest';
import { isGroupSubject, serviceOfSubject } from './services.ts';

test('subjects in upper or lower case map to services; an unknown subject means direct therapy', () => {
  expect(serviceOfSubject('  SUPERVISION ')).toBe('supervision');
  expect(serviceOfSubject('Assessment')).toBe('supervision');
  expect(serviceOfSubject('Parent  Training')).toBe('parent-training');
  expect(serviceOfSubject('Direct Therapy, "make-up"\nsee note')).toBe('direct');
  expect(serviceOfSubject('constructor')).toBe('direct');
});

test('a subject with the word “group” marks a group session', () => {
  expect(isGroupSubject('Social Skills Group')).toBe(true);
  expect(isGroupSubject('Regrouping')).toBe(false);
});
