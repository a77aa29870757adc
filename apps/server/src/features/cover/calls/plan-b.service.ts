import { formatTime } from '@clinic/domain';
import { loadClinicDay } from '../../../clinic-day/clinic-day.ts';
import { plannedFrom } from '../../../clinic-day/grid-plan.ts';
import { cutOf, type WallOf } from '../../../clinic-day/present.ts';
import type { LocationDay } from '../../../clinic-day/versions.ts';
import type { Db } from '../../../db/connection.ts';
import { onSnapshot } from '../../../db/retry.ts';
import type { Asker, Solve } from '../proposals/solve-days.ts';
import { callList, type Line } from './lines.ts';
import { loadCallData } from './load-calls.ts';
import { planB, type PlanB } from './plan-b.ts';

/** A line's plan B. */
export interface LinePlanB extends PlanB {
  readonly line: Line;
}

/** How many plans are remembered, by all that decides them. */
const MOST_KEPT = 2000;
const kept = new WeakMap<Db, Map<string, Promise<PlanB>>>();

/**
 * The plan B of every line that waits for a yes. They are solved one after the other, so that a list never uses more
 * than one worker, and each only once for a version of the day.
 */
export async function plansB(
  db: Db,
  solveOne: Solve,
  wallOf: WallOf,
  { location, date }: LocationDay,
  asker: Asker,
): Promise<LinePlanB[]> {
  const { day, now, lines } = await onSnapshot(db, async (trx) => ({
    day: await loadClinicDay(trx, location, date),
    now: (await cutOf(trx, wallOf(location)))(date),
    lines: callList(await loadCallData(trx, location, date, wallOf(location))).lines,
  }));
  const plans = kept.get(db) ?? new Map<string, Promise<PlanB>>();
  kept.set(db, plans);
  const from = now === null ? '' : formatTime(plannedFrom(now));
  const out: LinePlanB[] = [];
  for (const line of lines.filter((each) => each.call === 'ask' && each.sessions.length > 0)) {
    const key = JSON.stringify([location, date, day.version, from, line.person, line.version]);
    const plan = plans.get(key) ?? planB(day, line, now, ({ problem }) => solveOne(problem, asker));
    remember(plans, key, plan);
    try {
      out.push({ line, ...(await plan) });
    } catch (error) {
      plans.delete(key); // the next request tries again
      throw error;
    }
  }
  return out;
}

function remember(plans: Map<string, Promise<PlanB>>, key: string, plan: Promise<PlanB>): void {
  plans.delete(key);
  plans.set(key, plan);
  const [oldest] = plans.keys();
  if (plans.size > MOST_KEPT && oldest !== undefined) plans.delete(oldest);
}
