import { expect, test } from 'vitest';
import { offered } from './model.ts';

test('a retired cause is offered only if it is already chosen', () => {
  const causes = [
    { id: 'sick', label: 'Sick', lost_by: null, retired: false, version: 'a1' },
    { id: 'flood', label: 'Flood', lost_by: null, retired: true, version: 'a2' },
  ];
  expect(offered(causes, '').map((cause) => cause.id)).toEqual(['sick']);
  expect(offered(causes, 'flood').map((cause) => cause.id)).toEqual(['sick', 'flood']);
});
