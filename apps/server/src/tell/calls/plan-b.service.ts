import { formatTime, listWords, minutesOf } from '@clinic/domain';
import { loadClinicDay } from '../../day/clinic-day.ts';
import { plannedFrom } from '../../day/facts/grid-plan.ts';
import { cutAt, type WallOf } from '../../day/facts/present.ts';
import type { LocationDay } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { onSnapshot } from '../../db/retry.ts';
import { keepLatest } from '../../platform/keep-latest.ts';
import type { Asker, Solve } from '../../plan/options/solve-days.ts';
import type { Line } from '../lines/line.ts';
import { callList } from '../lines/lines.ts';
import { loadCallData } from '../lines/load-calls.ts';
import { doubled, planB, type PlanB, type Taker } from './plan-b.ts';

/** A call line with its plan B. */
export interface LinePlanB extends PlanB {
  readonly line: Line;
}

/** The maximum number of plans kept in memory. A plan's key contains everything that determines the plan. */
const MOST_KEPT = 2000;
const kept = new WeakMap<Db, Map<string, Promise<PlanB>>>();

/**
 * How many lines are solved at the same time: while one problem is being solved, the next ones are built. Each problem
 * is small, and the solver takes other accounts' problems in between.
 */
const AT_ONCE = 4;

/**
 * Returns the plan B of every line that asks a question, in the list's order. A plan is solved again only if the day,
 * the line or the current quarter hour has changed.
 */
export async function plansB(
  db: Db,
  solveOne: Solve,
  wallOf: WallOf,
  { location, date }: LocationDay,
  asker: Asker,
): Promise<LinePlanB[]> {
  const { day, now, lines } = await onSnapshot(db, async (trx) => {
    const wall = wallOf(location);
    const day = await loadClinicDay(trx, location, date, { wall });
    const now = cutAt(wall, day.isDemo)(date);
    return { day, now, lines: callList(await loadCallData(trx, location, date, wall, day)).lines };
  });
  const plans = kept.get(db) ?? new Map<string, Promise<PlanB>>();
  kept.set(db, plans);
  // A call changes what therapists were told, and not the day's version.
  const free = [...day.freeTold];
  const from = now === null ? '' : formatTime(plannedFrom(now));
  const asked = lines.filter((each) => each.call === 'ask' && each.sessions.length > 0);
  const planOf = async (line: Line, taken: readonly Taker[] = []): Promise<PlanB> => {
    const key = JSON.stringify([location, date, day.version, from, line.person, line.version, taken, free]);
    const plan = plans.get(key) ?? planB(day, line, now, ({ problem }) => solveOne(problem, asker), taken);
    keepLatest(plans, key, plan, MOST_KEPT);
    try {
      return await plan;
    } catch (error) {
      plans.delete(key); // forget the failed plan, so that the next request tries again
      throw error;
    }
  };
  const first = await inTurns(asked, async (line) => ({ line, ...(await planOf(line)) }));
  return withoutDoubles(first, (line, taken) => planOf(line, taken));
}

/**
 * Lets nobody be plan B of two asks at one time: in the list's order, whoever would come instead of an earlier one counts
 * as taken. If no one else can come, both lines say for whom else they would.
 */
async function withoutDoubles(
  plans: readonly LinePlanB[],
  planOf: (line: Line, taken: readonly Taker[]) => Promise<PlanB>,
): Promise<LinePlanB[]> {
  const done: LinePlanB[] = [];
  for (const plan of plans) {
    const taken = done.flatMap(({ takers }) => takers);
    const other = doubled(plan, taken).length === 0 ? plan : await planOf(plan.line, taken);
    done.push({ ...plan, ...(minutesOf(other.takers) < minutesOf(plan.takers) ? {} : other) });
  }
  return done.map((plan) => {
    const also = done.filter((each) => each !== plan && doubled(each, plan.takers).length > 0);
    if (also.length === 0) return plan;
    const names = listWords([
      ...new Set(
        doubled(
          plan,
          also.flatMap(({ takers }) => takers),
        ).map(({ name }) => name),
      ),
    ]);
    return { ...plan, words: `${plan.words} (${names} also for ${listWords(also.map(({ line }) => line.name))})` };
  });
}

/** Runs the work for all items, `AT_ONCE` at a time. After the first failure, it starts no more items. */
async function inTurns<T, Done>(all: readonly T[], work: (each: T) => Promise<Done>): Promise<Done[]> {
  const done = new Map<T, Done>();
  const rest = all.values();
  let failed = false;
  const one = async (): Promise<void> => {
    for (const each of rest) {
      if (failed) return;
      try {
        done.set(each, await work(each));
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return all.flatMap((each) => done.get(each) ?? []);
}
