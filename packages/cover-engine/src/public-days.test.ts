/** The days with known best scores: each strategy's best is reached and proven, and every option keeps every rule. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkSessions } from './judge.ts';
import { loadHighs } from './load-highs.ts';
import { buildModel } from './build-model.ts';
import type { CoverProblem, Pin, Strategy } from './problem.ts';
import { judge, type Verdict } from './proof/judge.ts';
import { HELD, judgeModel, type JudgeUnit } from './proof/judge-model.ts';
import { solve } from './solve.ts';
import { STRATEGIES } from './strategies.ts';

type Best = Partial<Record<Strategy, number>>;

type Units = Partial<Record<JudgeUnit, number>>;

interface Day {
  problem: CoverProblem;
  /** Lowest score that any plan has, by strategy; held to these caps, which Option 1 has. */
  best: Best;
  caps?: Units;
  pinned?: { pins: Pin[]; best: Best };
}

const folder = new URL('../fixtures/', import.meta.url);
const days = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file): [string, Day][] => {
    const day = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Day;
    const name = file.replace('.json', '');
    const { problem, pinned } = day;
    const rows: [string, Day][] = [[name, day]];
    if (pinned) rows.push([`${name}-pinned`, { problem: { ...problem, pins: pinned.pins }, best: pinned.best }]);
    return rows;
  });
/** Days whose every option takes long to prove: here only what is quick, all of it in the benchmark. */
const LONG = /40x45-absent10-206|40x45-absent20-(hard-211|trade)|100x110/;
/** A day that is not proven in reasonable time yet: the benchmark's alone. */
const UNPROVEN = /40x45-absent20-trade-215/;
const QUICK: Strategy[] = ['balanced', 'most-care', 'whole-sessions'];
const highs = await loadHighs();

test('the days are all here', () => {
  expect(days.length).toBe(33);
});

test.each(days.filter(([name]) => !UNPROVEN.test(name)))('%s', (name, { problem, best, caps }) => {
  const long = LONG.test(name);
  const solved = solve(problem, { highs, options: 6, ...(long ? { strategies: QUICK } : {}) });
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
  }
  for (const [strategy, score] of Object.entries(best) as [Strategy, number][]) {
    if (long && !QUICK.includes(strategy)) continue;
    const keeps = (units: Record<JudgeUnit, number>): boolean =>
      !STRATEGIES[strategy].held || HELD.every((unit) => units[unit] <= (caps?.[unit] ?? Infinity));
    const reached = options
      .map((o) => judge(problem, { sessions: o.sessions }, strategy, outside))
      .filter(({ units }) => keeps(units))
      .map((v) => v.score.total);
    expect(Math.min(...reached), strategy).toBe(score);
  }
});
