/**
 * Tests the days with known best scores: the engine reaches and proves each best score, and every option obeys every
 * rule.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkSessions } from './judge.ts';
import { loadHighs } from './load-highs.ts';
import { buildModel } from './build-model.ts';
import type { Strategy } from './problem.ts';
import { judge, type Verdict } from './proof/judge.ts';
import { judgeModel } from './proof/judge-model.ts';
import { knownDays, missedScores, type DayFile } from './proof/known-days.ts';
import { solve } from './solve.ts';
import { STRATEGY_ORDER } from './strategies.ts';

const folder = new URL('../fixtures/', import.meta.url);
const days = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) =>
    knownDays(file.replace('.json', ''), JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as DayFile),
  )
  .map((day) => [day.name, day] as const);
/** These take longer than all others together; the benchmark solves them whole. */
const LONG = /40x45-absent20-trade-215|100x110/;
const QUICK: Strategy[] = ['balanced', 'whole-sessions'];
const highs = await loadHighs();

test('every day in fixtures is loaded, and a day with pins is also loaded in its pinned form', () => {
  expect(days.length).toBe(41);
});

test.each(days)(
  'given the known day %s, every best score is reached and proven, and every option is legal',
  (name, day) => {
    const { problem } = day;
    const asked = LONG.test(name) ? QUICK : STRATEGY_ORDER;
    const solved = solve(problem, { highs, options: 6, ...(LONG.test(name) ? { strategies: QUICK } : {}) });
    if (!solved.ok) throw new Error(solved.refusal.detail);
    const options = solved.options.map((o) => o.option);
    const model = buildModel(problem);
    const outside = judgeModel(problem);
    let first: Verdict | null = null;
    for (const option of options) {
      expect(option).toMatchObject({ proven: true, bound: option.score.total });
      expect(checkSessions(model, option.sessions)).toEqual([]);
      const judged = judge(problem, { sessions: option.sessions }, option.strategy, outside, first);
      first ??= judged;
      expect(judged.broken).toEqual([]);
      expect(judged.score).toMatchObject(option.score);
      // No strategy leaves a child alone and covers it again, or covers a stump, more often than Option 1.
      if (option.strategy === 'alternative') continue;
      for (const unit of ['gap', 'stub'] as const) expect(judged.units[unit]).toBeLessThanOrEqual(first.units[unit]);
    }
    expect(missedScores(day, options, asked, outside)).toEqual([]);
  },
);
