import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compareOptions, loadHighs, solve, WEIGHTS } from '@clinic/cover-engine';
import { optionWords } from './option-words.ts';

test('only Fewest changes names the counts that its strategy weighs; every option says how it compares', async () => {
  const day = new URL('../../../../../../packages/cover-engine/fixtures/40x45-absent10-107.json', import.meta.url);
  const { problem } = JSON.parse(readFileSync(day, 'utf8')) as { problem: unknown };
  const solved = solve(problem, { highs: await loadHighs(), options: 4 });
  if (!solved.ok) throw new Error(solved.refusal.detail);
  const [first, ...others] = solved.options.map((o) => o.option);
  if (!first) throw new Error('no option');
  const words = new Map(
    others.map((option) => {
      const compared = compareOptions(solved.model, first, option);
      return [option.strategy, { said: optionWords(option.strategy, compared), text: compared.text, option }] as const;
    }),
  );
  const fewest = words.get('fewest-changes');
  const { change = 0, swap = 0 } = fewest?.option.score ?? {};
  const weights = WEIGHTS['fewest-changes'];
  expect([change, swap]).toEqual([2 * weights.change, 0]);
  expect(fewest?.said).toBe(
    `counts handovers (2) and other children’s sessions that move (0), not sessions taken whole; ${fewest?.text}`,
  );
  const familiar = words.get('most-familiar');
  expect(familiar?.said).toBe(familiar?.text);
});
