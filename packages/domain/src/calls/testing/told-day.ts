import fc from 'fast-check';
import type { ToldStretch } from '../told-day.ts';

const PEOPLE = ['A', 'B', 'C', null];
const stretch: fc.Arbitrary<ToldStretch> = fc
  .record({
    start: fc.integer({ min: 480, max: 520 }),
    length: fc.integer({ min: 1, max: 30 }),
    with: fc.constantFrom(...PEOPLE),
    service: fc.constantFrom('direct' as const, 'supervision' as const, 'admin' as const),
  })
  .map(({ length, ...s }) => ({ ...s, end: s.start + length }));
/** Some stretches of a day; they may overlap. */
export const day = fc.array(stretch, { maxLength: 6 });
