/**
 * The engine trusts no program that contradicts itself, and HiGHS solves the engine's programs rightly. HiGHS 1.16 did
 * not: with presolve and a known plan, it stated optima that its own solutions did not have, on 11 of 29 programs of
 * these days.
 */
import { coverDay } from '@clinic/testkit';
import type { Highs, Model, ModelData } from 'highs';
import { expect, test } from 'vitest';
import { loadHighs } from '../load-highs.ts';
import type { CoverProblem } from '../problem.ts';
import { solve } from '../solve.ts';
import { STRATEGY_ORDER } from '../strategies.ts';

const highs = await loadHighs();
const OPTIMAL = 7;

/** HiGHS, except for these members of each model that is given to it whole: an integer program. */
function changed(members: (model: Model, source: ModelData) => Partial<Model>): Highs {
  const over = <T extends object>(target: T, own: Partial<T>): T =>
    new Proxy(target, {
      get(of, key) {
        const value: unknown = Reflect.get(Object.hasOwn(own, key) ? own : of, key);
        return typeof value === 'function' ? (...given: unknown[]): unknown => Reflect.apply(value, of, given) : value;
      },
    });
  return over(highs, {
    createModel(source?: Parameters<Highs['createModel']>[0]) {
      const model = highs.createModel(source);
      return source && 'matrix' in source ? over(model, members(model, source)) : model;
    },
  } as Partial<Highs>);
}

const hardDay = (seed: number): CoverProblem =>
  coverDay({
    seed,
    therapists: 16 + seed,
    clients: 20 + seed,
    absent: 0.3,
    hard: true,
    trade: seed % 2 === 0,
    now: seed % 3 === 0 ? '09:40' : null,
  });

/** The least score of each strategy, and whether it is proven. */
function best(problem: CoverProblem, by: Highs) {
  const solved = solve(problem, { highs: by, options: 5, strategies: STRATEGY_ORDER, left: () => 100 });
  if (!solved.ok) throw new Error(solved.refusal.detail);
  return solved.options.map(({ option: { strategy, score, bound, proven } }) => ({ strategy, score, bound, proven }));
}

test('given a HiGHS that states better costs than its solutions have, no option is called proven by it', () => {
  let lies = 0;
  const lying = changed((model) => ({
    getObjectiveValue: () => {
      lies++;
      return model.getObjectiveValue() - 684;
    },
  }));
  const raised = changed((model) => ({
    info: new Proxy(model.info, {
      get: (info, key): unknown =>
        key === 'get'
          ? (name: Parameters<Model['info']['get']>[0]) =>
              name === 'mip_dual_bound' && model.getModelStatus() === OPTIMAL
                ? Number(info.get(name)) + 500
                : info.get(name)
          : Reflect.get(info, key),
    }),
    getObjectiveValue: () => model.getObjectiveValue() + (model.getModelStatus() === OPTIMAL ? 500 : 0),
  }));
  let unproven = 0;
  for (let seed = 1; seed <= 6; seed++) {
    const right = best(hardDay(seed), highs);
    expect(right.every(({ proven }) => proven)).toBe(true);
    const [option1] = right;
    for (const by of [lying, raised]) {
      const [first] = best(hardDay(seed), by);
      expect(first!.bound, `seed ${seed}`).toBeLessThanOrEqual(option1!.score.total);
      if (first!.proven) expect(first!.score.total, `seed ${seed}`).toBe(option1!.score.total);
      else unproven++;
    }
  }
  expect(lies).toBeGreaterThan(5);
  expect(unproven).toBeGreaterThan(1);
});

interface Program {
  readonly source: ModelData;
  readonly plan: Float64Array;
}

/** The integer programs that the engine gives to HiGHS with a known plan. */
function programsOf(problem: CoverProblem): Program[] {
  const programs: Program[] = [];
  const watched = changed((model, source) => ({
    setSolution(solution: Parameters<Model['setSolution']>[0]) {
      if ('colValue' in solution) programs.push({ source, plan: Float64Array.from(solution.colValue) });
      return model.setSolution(solution);
    },
  }));
  best(problem, watched);
  return programs;
}

/** Solves a program; returns the cost that HiGHS states, and what its solution costs. */
function solveProgram({ source, plan }: Program, presolve: 'on' | 'off', start: boolean) {
  const model = highs.createModel(source);
  try {
    model.options.set({ output_flag: false, mip_rel_gap: 0, mip_abs_gap: 0.999, presolve });
    if (start) model.setSolution({ colValue: plan });
    model.run();
    const { colValue } = model.getSolution();
    const cost = colValue.reduce((n, value, j) => n + value * (source.colCost?.[j] ?? 0), source.offset ?? 0);
    return { stated: model.getObjectiveValue(), cost };
  } finally {
    model.dispose();
  }
}

test('given programs of every kind with a known plan, HiGHS states what its solution costs, and the same without presolve', () => {
  const days = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(hardDay);
  const programs = days.flatMap(programsOf);
  expect(programs.length).toBeGreaterThan(15);
  for (const [i, program] of programs.entries()) {
    const plain = solveProgram(program, 'off', false);
    const given = solveProgram(program, 'on', true);
    expect(Math.abs(given.stated - given.cost), `program ${i}`).toBeLessThan(0.5);
    expect(Math.abs(given.stated - plain.stated), `program ${i}`).toBeLessThan(1);
  }
});
