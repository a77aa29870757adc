import { expect, test } from 'vitest';
import { lossWords, offered } from './model.ts';

const loss = { cause: 'sick', label: 'Sick', lost_by: 'therapist', known: null, late: null } as const;

test('a loss in words names who caused it only when that is not the side that is away', () => {
  expect(lossWords(loss, 'therapist')).toBe('Sick');
  expect(lossWords({ ...loss, late: true }, 'therapist')).toBe('Sick, late notice');
  expect(lossWords({ ...loss, label: 'Weather', lost_by: 'clinic', late: false }, 'family')).toBe('Weather, clinic');
  expect(lossWords({ ...loss, cause: null, label: null }, 'therapist')).toBeNull();
});

test('a retired cause is offered only where it was chosen', () => {
  const causes = [
    { id: 'sick', label: 'Sick', lost_by: null, retired: false },
    { id: 'flood', label: 'Flood', lost_by: null, retired: true },
  ];
  expect(offered(causes, '').map((cause) => cause.id)).toEqual(['sick']);
  expect(offered(causes, 'flood').map((cause) => cause.id)).toEqual(['sick', 'flood']);
});
