import { groupBy, type IsoDate } from '@clinic/domain';
import type { Session } from './appointment-plan.ts';
import { LIMITS } from '../read/limits.ts';

/** A session to write, and the appointment's earlier date if it moves to another date. */
interface Dated {
  readonly session: Session;
  readonly from: IsoDate | null;
}

/**
 * Splits sessions by date into batches of about `most`, to be written one after the other. A date is never divided. If
 * an appointment moves from one date to another, both dates are in one batch, because the appointment could otherwise
 * collide with another one during the import. Two such dates stay apart only if together they exceed the limit for one
 * date.
 */
export function inBatches(all: readonly Dated[], most: number): Session[][] {
  const lots = groupBy(all, (each) => each.session.record.date);
  for (const { session, from } of all) {
    const here = lots.get(session.record.date);
    const there = from === null ? undefined : lots.get(from);
    if (!here || !there || here === there || here.length + there.length > LIMITS.rowsOnADate) continue;
    const [large, small] = here.length >= there.length ? [here, there] : [there, here];
    const dates = new Set(small.map((each) => each.session.record.date));
    large.push(...small);
    for (const date of dates) lots.set(date, large);
  }
  const batches: Session[][] = [];
  let last: Session[] | null = null;
  for (const lot of new Set([...lots].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each))) {
    const sessions = lot.map((each) => each.session);
    if (last && last.length + sessions.length <= most) last.push(...sessions);
    else batches.push((last = sessions));
  }
  return batches;
}
