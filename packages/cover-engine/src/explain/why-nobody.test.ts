import { expect, test } from 'vitest';
import { mainBar } from './why-nobody.ts';

test('the main reason is the one for most slots; of equally frequent reasons, the one that is checked first', () => {
  expect(mainBar([null, 'covering elsewhere', 'with own client', 'covering elsewhere'])).toBe('covering elsewhere');
  expect(mainBar(['covering elsewhere', 'away'])).toBe('away');
  expect(mainBar([null, null])).toBeNull();
});
