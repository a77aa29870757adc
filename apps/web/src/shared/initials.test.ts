import { expect, test } from 'vitest';
import { initials } from './initials.ts';

test.each([
  ["Jamal O'Brien", 'JO'],
  ['  ana de la  cruz ', 'AC'],
  ['Cher', 'C'],
  ['👩‍⚕️ Émilie 𝔾omez', '👩𝔾'],
  ['', ''],
])('the initials of %j are whole characters: %s', (name, letters) => {
  expect(initials(name)).toBe(letters);
});
