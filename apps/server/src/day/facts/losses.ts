import { sql } from 'kysely';
import type { Loss, LossBody } from '@clinic/contract';
import { formatTime, isLateNotice, type IsoDate, type LossSide, type WallMoment } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { minutesAfter } from '../../db/wall-time.ts';
import { refusal } from '../../platform/refusal.ts';

/**
 * Why someone is away or a session was cancelled, as far as this is recorded. Only staff may see it, never families.
 */
export interface DayLoss {
  readonly cause: string | null;
  readonly label: string | null;
  /**
   * The side (family or clinic) that caused the loss: the side that a user recorded, or else the side that the cause
   * implies. If null, the side that was away caused the loss.
   */
  readonly lostBy: LossSide | null;
  /** The side that caused the loss, if a user recorded it. */
  readonly saidBy: LossSide | null;
  /** When the loss became known, by the clinic's clock: `YYYY-MM-DD HH:MM:SS`. */
  readonly known: string | null;
}

/**
 * A row's loss in SQL, as one column that is null when no loss is recorded. `table` is `absence`, `appointment`, or an
 * alias of either.
 */
export const lossColumn = (table: string) => {
  const of = (column: string) => sql.ref(`${table}.${column}`);
  // Most rows record no loss, so only this condition is checked for them, and the cause is not looked up.
  return sql<DayLoss | null>`case when ${of('cause_id')} is not null or ${of('lost_by')} is not null
      or ${of('known_at')} is not null then json_build_object(
      'cause', ${of('cause_id')}, 'label', (select c.label from cause c where c.id = ${of('cause_id')}),
      'lostBy', coalesce(${of('lost_by')}, (select c.lost_by from cause c where c.id = ${of('cause_id')})),
      'saidBy', ${of('lost_by')}, 'known', ${of('known_at')}::text) end`.as('loss');
};

/** A row with the column that `lossColumn` makes. */
export interface LossRow {
  readonly loss: DayLoss | null;
}

/** Returns the loss recorded in a row, to be spread into an object; empty when no loss is recorded. */
export const lossOfRow = ({ loss }: LossRow): { loss?: DayLoss } => (loss === null ? {} : { loss });

/** The columns that record a loss in the database. */
export interface LossValues {
  readonly lost_by: LossSide | null;
  readonly cause_id: string | null;
  readonly known_at: string | null;
}

/**
 * Converts an entered loss into database values. If the user entered no time, the loss counts as known since `before`,
 * or else since `now`. Throws a refusal for an unknown cause; a cause that is no longer offered is accepted.
 */
export async function readLoss(
  db: Db,
  said: LossBody | undefined,
  now: WallMoment | null,
  before: string | null = null,
): Promise<LossValues> {
  const present = now === null ? null : `${now.date} ${formatTime(now.minutes)}:00`;
  const known = said?.known === undefined ? (before ?? present) : `${said.known.replace('T', ' ')}:00`;
  if (said?.cause != null) {
    const found = await db.selectFrom('cause').select('id').where('id', '=', said.cause).executeTakeFirst();
    if (!found) throw refusal('no-such-cause');
  }
  return { lost_by: said?.lost_by ?? null, cause_id: said?.cause ?? null, known_at: known };
}

/** The columns that record the loss of an absence. */
export interface AbsenceLossValues extends LossValues {
  /** Whether the person does not know of it yet; null if nobody said. */
  readonly untold: boolean | null;
}

/** Splits a `timestamp` from the database into date and time. */
function momentOf(timestamp: string): WallMoment {
  const date = timestamp.slice(0, 10) as IsoDate;
  return { date, minutes: minutesAfter(date, timestamp) };
}

/**
 * Whether the notice of a loss came late; the loss begins at `first`. Null when the time of the notice was not
 * recorded.
 */
export const isLate = (known: string | null, first: WallMoment): boolean | null =>
  known === null ? null : isLateNotice(momentOf(known), first);

/** A loss as the API shows it. `side` is the party that is away, or the family if the session was cancelled. */
export function presentLoss(loss: DayLoss, side: LossSide, first: WallMoment): Loss {
  return {
    cause: loss.cause,
    label: loss.label,
    lost_by: loss.lostBy ?? side,
    known: loss.known === null ? null : loss.known.slice(0, 16).replace(' ', 'T'),
    late: isLate(loss.known, first),
  };
}

/** Records why these sessions were lost. Updates only cancelled sessions and no-shows, and returns their keys. */
export async function writeSessionLoss(trx: Db, keys: readonly string[], loss: LossValues): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update appointment set lost_by = ${loss.lost_by}, cause_id = ${loss.cause_id}, known_at = ${loss.known_at}::timestamp
    where id = ${anyOf(keys, 'uuid')} and status in ('cancelled', 'noshow')
      and (lost_by, cause_id, known_at) is distinct from
        (${loss.lost_by}::text, ${loss.cause_id}::text, ${loss.known_at}::timestamp)
    returning id`.execute(trx);
  return rows.map((row) => row.id);
}

/**
 * Records why these people are away, and returns how many absences changed. Whether they know of it stays as it is
 * recorded, unless `untold` is given.
 */
export async function writeAbsenceLoss(
  trx: Db,
  ids: readonly string[],
  loss: LossValues,
  untold: boolean | null = null,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update absence set lost_by = ${loss.lost_by}, cause_id = ${loss.cause_id}, known_at = ${loss.known_at}::timestamp,
      untold = coalesce(${untold}::boolean, untold)
    where id = ${anyOf(ids, 'uuid')}
      and (lost_by, cause_id, known_at, untold) is distinct from
        (${loss.lost_by}::text, ${loss.cause_id}::text, ${loss.known_at}::timestamp, coalesce(${untold}::boolean, untold))
    returning id`.execute(trx);
  return rows.length;
}
