import { expect, test } from 'vitest';
import { briefWindow, initialsOf, shortName } from './labels.ts';

test.each([
  ["Jamal O'Brien", "J. O'Brien", 'JO'],
  ['Óscar Moreau', 'Ó. Moreau', 'ÓM'],
  ['Maria Lopez (2)', 'M. Lopez (2)', 'ML'],
  ['Cher', 'Cher', 'C'],
  ['Ana de la Cruz', 'A. de la Cruz', 'AC'],
])('%s is shortened to %s and %s', (name, short, initials) => {
  expect(shortName(name)).toBe(short);
  expect(initialsOf(name)).toBe(initials);
});

test.each([
  [0, 1440, 'all day'],
  [420, 600, '7 - 10 AM'],
  [630, 810, '10:30 AM - 1:30 PM'],
  [780, 1440, 'from 1 PM'],
  [0, 600, 'to 10 AM'],
])('the window from minute %i to minute %i reads %s', (start, end, words) => {
  expect(briefWindow(start, end)).toBe(words);
});
