import type { Conflict } from '@clinic/contract';
import { timeSlot } from '@clinic/domain';
import { sql } from 'kysely';
import { codeOf } from '../../start-error.ts';
import { dateIn, minutesAfter } from '../../db/wall-time.ts';
import type { Db } from '../../db/connection.ts';
import { refusal, Refusal } from '../../platform/refusal.ts';

/** Matches PostgreSQL's report of a violated exclusion constraint: the instants of the one booked, and the person. */
const DETAIL = /existing key .*?\)=\((\["[\d :+-]+","[\d :+-]+"\)), ([^,]+), /;

/**
 * Returns a conflict (409) if the database refused a write because of a double booking or a therapist who has left.
 * Returns any other error unchanged.
 */
export async function asConflict(db: Db, error: unknown): Promise<unknown> {
  if (codeOf(error) !== '23P01') return error;
  const left = /therapist (\S+) has left/.exec((error as Error).message)?.[1];
  if (left) {
    const gone = await db.selectFrom('therapist').select('display_name').where('id', '=', left).executeTakeFirst();
    return refusal('therapist-left', gone?.display_name);
  }
  const { detail } = error as { detail?: unknown };
  const match = DETAIL.exec(typeof detail === 'string' ? detail : '');
  const [, instants, who] = match ?? [];
  if (!who || !instants) return new Refusal('conflict');
  const booked = await db
    .selectFrom('appointment')
    .select(['starts', 'ends'])
    .where((eb) => eb.or([eb('therapist_id', '=', who), eb('client_id', '=', who)]))
    .where(sql<boolean>`instants = ${instants}::tstzrange and occupies`)
    .executeTakeFirst();
  if (!booked) return new Refusal('conflict');
  const { starts, ends } = booked;
  const date = dateIn(starts);
  const therapist = await db.selectFrom('therapist').select('display_name').where('id', '=', who).executeTakeFirst();
  const client = therapist
    ? undefined
    : await db.selectFrom('client').select('display_name').where('id', '=', who).executeTakeFirst();
  const conflict: Conflict = {
    date,
    time: timeSlot(minutesAfter(date, starts), minutesAfter(date, ends)),
    therapist: therapist?.display_name ?? '',
    ...(client ? { client: client.display_name } : {}),
    why: `${therapist?.display_name ?? client?.display_name ?? 'Someone'} is booked elsewhere at that time.`,
  };
  return new Refusal('conflict', { conflicts: [conflict] });
}
