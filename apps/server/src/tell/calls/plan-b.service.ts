import { createHash } from 'node:crypto';
import { formatTime, listWords, minutesOf } from '@clinic/domain';
import { loadClinicDay } from '../../day/clinic-day.ts';
import type { ClinicDay } from '../../day/facts/day.ts';
import { plannedFrom } from '../../day/facts/grid-plan.ts';
import { cutAt, type WallOf } from '../../day/facts/present.ts';
import type { LocationDay } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { onSnapshot } from '../../db/retry.ts';
import { keepLatest } from '../../platform/keep-latest.ts';
import type { Asker, Solve } from '../../plan/options/solve-days.ts';
import { isGone } from '../../plan/options/solves.ts';
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
 * Returns the plan B of every line that asks a question, in the list's order. A plan is solved again only if what is
 * known of the day, the line's sessions or the current quarter hour has changed.
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
  const known = signOf(day);
  const from = now === null ? '' : formatTime(plannedFrom(now));
  const asked = lines.filter((each) => each.call === 'ask' && each.sessions.length > 0);
  const planOf = async (line: Line, taken: readonly Taker[] = []): Promise<PlanB> => {
    const key = JSON.stringify([known, from, line.sessions, taken]);
    for (;;) {
      const plan = plans.get(key) ?? planB(day, line, now, ({ problem }) => solveOne(problem, asker), taken);
      keepLatest(plans, key, plan, MOST_KEPT);
      try {
        return await plan;
      } catch (error) {
        if (plans.get(key) === plan) plans.delete(key); // so that the next request tries again
        // Another request, which began the plan, was given up.
        if (!isGone(error) || asker.gone?.aborted !== false) throw error;
      }
    }
  };
  const first = await inTurns(asked, async (line) => ({ line, ...(await planOf(line)) }));
  return sparing(first, saidNoTo(day), planOf);
}

/**
 * Returns a sign that is the same only if everything that is known of the day is: not its version, because hours of other
 * dates, rules of payers and what calls told also count for a plan.
 */
const signOf = (day: ClinicDay): string =>
  createHash('sha256')
    .update(JSON.stringify(day, (_, value: unknown) => (value instanceof Map ? [...value] : value)))
    .digest('base64');

/** The times of the sessions that therapists said no to; what families said no to is no matter of other children. */
const saidNoTo = (day: ClinicDay): Taker[] =>
  day.declines
    .filter(({ clientId }) => clientId === null)
    .flatMap(({ therapistId: therapist, saidTo }) => {
      const name = day.therapists.find(({ id }) => id === therapist)?.displayName ?? '';
      return saidTo.map(({ start, end }) => ({ therapist, name, start, end }));
    });

/**
 * Lets nobody be plan B of two asks at one time, in the list's order, nor at a time at which they said no to someone
 * else: they are asked again only if no one else can come, and then the line says so.
 */
async function sparing(
  plans: readonly LinePlanB[],
  noes: readonly Taker[],
  planOf: (line: Line, taken: readonly Taker[]) => Promise<PlanB>,
): Promise<LinePlanB[]> {
  const done: LinePlanB[] = [];
  for (const plan of plans) {
    const taken = done.flatMap(({ takers }) => takers);
    let best: PlanB = plan;
    for (const spared of [[...taken, ...noes], taken]) {
      if (doubled(plan, spared).length === 0) break;
      const other = await planOf(plan.line, spared);
      if (minutesOf(other.takers) < minutesOf(plan.takers)) continue;
      best = other;
      break;
    }
    done.push({ ...plan, ...best });
  }
  return done.map((plan) => {
    const also = done.filter((each) => each !== plan && doubled(each, plan.takers).length > 0);
    const twice = doubled(
      plan,
      also.flatMap(({ takers }) => takers),
    );
    const notes = [
      ...(also.length === 0 ? [] : [`${namesOf(twice)} also for ${listWords(also.map(({ line }) => line.name))}`]),
      ...(doubled(plan, noes).length === 0
        ? []
        : [`${namesOf(doubled(plan, noes))} said no to another session at that time`]),
    ];
    return notes.length === 0 ? plan : { ...plan, words: `${plan.words} (${notes.join('; ')})` };
  });
}

const namesOf = (takers: readonly Taker[]): string => listWords([...new Set(takers.map(({ name }) => name))]);

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
