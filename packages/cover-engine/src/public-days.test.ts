/** The days with known best scores: each strategy's best is reached and proven, and every option keeps every rule. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkSessions, readPlan, scorePlan } from './judge.ts';
import { loadHighs } from './load-highs.ts';
import { buildModel } from './build-model.ts';
import type { CoverProblem, Pin, Strategy } from './problem.ts';
import { judge } from './proof/judge.ts';
import { judgeModel } from './proof/judge-model.ts';
import { solve } from './solve.ts';

type Best = Partial<Record<Strategy, number>>;

interface Day {
  problem: CoverProblem;
  /** Lowest score that any plan has, by strategy. */
  best: Best;
  pinned?: { pins: Pin[]; best: Best };
}

const folder = new URL('../fixtures/', import.meta.url);
const days = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file): [string, CoverProblem, Best][] => {
    const { problem, best, pinned } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Day;
    const name = file.replace('.json', '');
    const rows: [string, CoverProblem, Best][] = [[name, problem, best]];
    if (pinned) rows.push([`${name}-pinned`, { ...problem, pins: pinned.pins }, pinned.best]);
    return rows;
  });
const highs = await loadHighs();

test('the days are all here', () => {
  expect(days.length).toBe(30);
});

test.each(days)('%s', (_name, problem, best) => {
  const solved = solve(problem, { highs, options: 6 });
  if (!solved.ok) throw new Error(solved.refusal.detail);
  const options = solved.options.map((o) => o.option);
  const model = buildModel(problem);
  const outside = judgeModel(problem);
  for (const option of options) {
    expect(option).toMatchObject({ proven: true, bound: option.score.total });
    expect(checkSessions(model, option.sessions)).toEqual([]);
    const judged = judge(problem, { sessions: option.sessions }, option.strategy, outside);
    expect(judged.broken).toEqual([]);
    expect(judged.score).toMatchObject(option.score);
  }
  for (const [strategy, score] of Object.entries(best) as [Strategy, number][]) {
    const reached = options.map((o) => scorePlan(model, readPlan(model, o.sessions).plan, strategy).total);
    expect(Math.min(...reached), strategy).toBe(score);
  }
});
