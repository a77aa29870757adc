/** Reads the days with known best scores (`fixtures`), and checks which of these scores an answer misses. */
import type { CoverOption } from '../answer.ts';
import type { CoverProblem, Pin, Strategy } from '../problem.ts';
import { judge } from './judge.ts';
import { HELD, JUDGE_STRATEGIES, judgeModel, mostBeside, type JudgeModel, type JudgeUnit } from './judge-model.ts';

type Best = Partial<Record<Strategy, number>>;

/** The content of one file in `fixtures`. */
export interface DayFile {
  problem: CoverProblem;
  /** The lowest score that any plan has, by strategy. */
  best: Best;
  /** The units of the best Option 1 that limit other strategies. */
  caps?: Partial<Record<JudgeUnit, number>>;
  pinned?: { pins: Pin[]; best: Best };
}

export type KnownDay = Omit<DayFile, 'pinned'> & { name: string };

/** Returns a file's day and, if the file has pins, the same day with pins. */
export function knownDays(name: string, { pinned, ...day }: DayFile): KnownDay[] {
  const { problem } = day;
  const days: KnownDay[] = [{ name, ...day }];
  if (pinned) days.push({ name: `${name}-pinned`, problem: { ...problem, pins: pinned.pins }, best: pinned.best });
  return days;
}

/**
 * Lists in words the best scores that no option reaches within the caps, for the strategies in `asked`. A strategy that
 * Option 1 limits is skipped if the limits that this answer's Option 1 sets differ from the file's `caps`.
 */
export function missedScores(
  { problem, best, caps }: KnownDay,
  options: readonly CoverOption[],
  asked: readonly Strategy[] = Object.keys(best) as Strategy[],
  model: JudgeModel = judgeModel(problem),
): string[] {
  const [first] = options;
  if (!first) return ['no option'];
  const held = judge(problem, { sessions: first.sessions }, 'balanced', model).units;
  const alike = HELD.every((unit) => held[unit] === (caps?.[unit] ?? held[unit]));
  return asked.flatMap((strategy) => {
    const known = best[strategy];
    if (known === undefined || (JUDGE_STRATEGIES[strategy].held && !alike)) return [];
    const keeps = (units: Record<JudgeUnit, number>): boolean =>
      !JUDGE_STRATEGIES[strategy].held ||
      HELD.every((unit) => units[unit] <= mostBeside(unit, caps?.[unit] ?? Infinity));
    const reached = options
      .map((o) => judge(problem, { sessions: o.sessions }, strategy, model))
      .filter(({ units }) => keeps(units))
      .map(({ score }) => score.total);
    const least = Math.min(...reached);
    return least === known ? [] : [`${strategy} ${least}, best known ${known}`];
  });
}
