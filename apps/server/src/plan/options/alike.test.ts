/** Options that are nearly the same as an earlier one give their column to an alternative. */
import { buildModel, loadHighs, nearlySame, solve, toAnswer, type CoverOption } from '@clinic/cover-engine';
import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { withoutAlike } from './solver.ts';

const highs = await loadHighs();

/** The first of these days on which an option is nearly the same as an earlier one. */
function dayWithAlike() {
  for (let seed = 5200; seed < 5260; seed++) {
    const problem = coverDay({ seed, therapists: 14, clients: 16, absent: 3 });
    const model = buildModel(problem);
    const { options } = toAnswer(solve(problem, { highs }));
    const alike = nearlySame(model, options).filter((near) => near !== null).length;
    if (alike > 0) return { problem, model, options, alike };
  }
  throw new Error('no day has two options that are nearly the same');
}
const strategies = (options: readonly CoverOption[]) => options.map(({ strategy }) => strategy);
const isNamed = ({ strategy }: CoverOption): boolean => strategy !== 'alternative';

test('given an option nearly the same as an earlier one, a page shows an alternative in its place; other answers stay as they were', () => {
  const { problem, model, options, alike } = dayWithAlike();
  const asked = toAnswer(solve(problem, { highs, distinct: true })).options;
  // Nothing that was found is lost, and the options before the alternatives are the same.
  expect(asked.filter(isNamed)).toEqual(options.filter(isNamed));
  expect(asked.length).toBeGreaterThan(options.length);
  const shown = withoutAlike(model, asked);
  expect(shown.length).toBeGreaterThanOrEqual(Math.min(3, asked.length));
  expect(shown[0]).toEqual(options[0]);
  expect(nearlySame(model, shown).filter((near) => near !== null).length).toBeLessThan(alike);
  expect(strategies(shown)).toContain('alternative');
});

test('without an alternative for it, an option that is nearly the same keeps its column', () => {
  const { model, options } = dayWithAlike();
  const named = options.filter(isNamed);
  expect(withoutAlike(model, named)).toEqual(named);
});
