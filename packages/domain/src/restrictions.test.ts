import { expect, test } from 'vitest';
import { restrictionsInWords } from './restrictions.ts';

const nameOf = (id: string): string => (id === 'T-0009' ? 'Ana Ruiz' : id);

test('restrictions are said in words: gender is an only, a therapist is a never', () => {
  expect(restrictionsInWords([{ type: 'gender', requiresGender: 'Female' }], nameOf)).toEqual([
    'only female therapists',
  ]);
  expect(
    restrictionsInWords(
      [
        { type: 'therapist', excludesTherapist: 'T-0009' },
        { type: 'gender', requiresGender: 'Male' },
      ],
      nameOf,
    ),
  ).toEqual(['only male therapists', 'never Ana Ruiz']);
});

test('two genders mean either', () => {
  const both = [
    { type: 'gender', requiresGender: 'Female' },
    { type: 'gender', requiresGender: 'Male' },
  ] as const;
  expect(restrictionsInWords(both, nameOf)).toEqual(['female or male therapists']);
  expect(restrictionsInWords([], nameOf)).toEqual([]);
});
