import type { LossBody } from '@clinic/contract';
import type { WallMoment } from '@clinic/domain';
import { readLoss, writeSessionLoss } from '../day/facts/losses.ts';
import type { DatedAppointment } from '../day/facts/day.ts';
import type { Db } from '../db/connection.ts';

/**
 * Records the cause (if given) of sessions just cancelled or marked as no-shows, and when the loss became known.
 * Earlier values stay unless new ones are given. Returns the keys of the sessions that changed.
 */
export async function sayWhy(
  trx: Db,
  rows: readonly Pick<DatedAppointment, 'key' | 'loss'>[],
  said: LossBody | undefined,
  now: WallMoment,
): Promise<string[]> {
  const changed: string[] = [];
  for (const { key, loss } of rows) {
    const before = loss?.cause == null ? {} : { cause: loss.cause, lost_by: loss.saidBy };
    const values = await readLoss(trx, said ?? { cause: null, ...before }, now, loss?.known ?? null);
    changed.push(...(await writeSessionLoss(trx, [key], values)));
  }
  return changed;
}
