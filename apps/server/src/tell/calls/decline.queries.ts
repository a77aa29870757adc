import type { Interval, IsoDate } from '@clinic/domain';
import { sql } from 'kysely';
import type { Db } from '../../db/connection.ts';
import type { DeclinedTime } from '../../db/schema/calls.ts';
import type { Act } from '../../access/act.ts';
import type { LocationDay } from '../../day/facts/versions.ts';
import { isoAt } from '../../platform/clock.ts';

interface DeclineToKeep extends LocationDay {
  readonly therapistId: string;
  readonly clientId?: string;
  readonly scope: 'session' | 'today' | 'until';
  readonly sessions: readonly string[];
  readonly saidTo: readonly DeclinedTime[];
  readonly until?: number;
  readonly away?: readonly Interval[];
  readonly wallMinute: number;
  readonly answerId: string | null;
  readonly act: Act;
}

/**
 * Stores a no, unless the same no stands: it can come from the therapist's own page and from a coordinator, and taking
 * it back once takes back both. A no to fewer sessions is stored beside a wider one, so that it still counts when the
 * wider one is taken back. (`isRepeated` finds a request that is sent again.)
 */
export async function insertDecline(db: Db, { act, ...decline }: DeclineToKeep): Promise<void> {
  const stored = await storedAlready(db, decline);
  if (stored !== undefined) {
    if (decline.answerId === null) return;
    const repeated = sql<string[]>`array_append(repeated_by, ${decline.answerId}::text)`;
    await db.updateTable('call_decline').set({ repeated_by: repeated }).where('id', '=', stored).execute();
    return;
  }
  await db
    .insertInto('call_decline')
    .values({
      location: decline.location,
      date: decline.date,
      therapist_id: decline.therapistId,
      client_id: decline.clientId ?? null,
      scope: decline.scope,
      sessions: [...decline.sessions],
      said_to: JSON.stringify(decline.saidTo),
      until_minute: decline.until ?? null,
      away: JSON.stringify(decline.away ?? []),
      wall_minute: decline.wallMinute,
      at: isoAt(act.at),
      account_id: act.caller.id,
      ended_at: null,
      ended_by: null,
      answer_id: decline.answerId,
    })
    .execute();
}

/** The id of the same no, if it is stored and has not ended. A no to a part of a session names no sessions, only times. */
async function storedAlready(db: Db, decline: Omit<DeclineToKeep, 'act'>): Promise<string | undefined> {
  const { location, date, scope } = decline;
  const row = await db
    .selectFrom('call_decline')
    .select('id')
    .where((eb) => eb.and({ location, date, scope, ended_at: null, therapist_id: decline.therapistId }))
    .where((eb) => eb.and({ client_id: decline.clientId ?? null, until_minute: decline.until ?? null }))
    .where(sql<boolean>`away = ${JSON.stringify(decline.away ?? [])}::jsonb`)
    .where(sql<boolean>`sessions @> ${[...decline.sessions]}::text[] and sessions <@ ${[...decline.sessions]}::text[]`)
    .where(sql<boolean>`(sessions <> '{}' or scope <> 'session' or said_to = ${JSON.stringify(decline.saidTo)}::jsonb)`)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Returns the time on a date for which a therapist is away because of noes that have not ended. */
export async function selectAwayByNo(db: Db, date: IsoDate, therapistId: string): Promise<Interval[]> {
  const rows = await db
    .selectFrom('call_decline')
    .select('away')
    .where((eb) => eb.and({ date, therapist_id: therapistId, ended_at: null }))
    .execute();
  return rows.flatMap(({ away }) => away);
}

const ending = ({ at, caller }: Act) => ({ ended_at: isoAt(at), ended_by: caller.id });

/** Ends a therapist's own declines of any of these sessions; returns how many ended. */
export async function endDeclines(
  db: Db,
  { location, date, therapistId, sessions }: LocationDay & { therapistId: string; sessions: readonly string[] },
  act: Act,
): Promise<number> {
  const ended = await db
    .updateTable('call_decline')
    .set(ending(act))
    .where((eb) => eb.and({ location, date, therapist_id: therapistId, client_id: null, ended_at: null }))
    .where(sql<boolean>`sessions && ${[...sessions]}::text[]`)
    .executeTakeFirst();
  return Number(ended.numUpdatedRows);
}

/**
 * Lets the declines stand again that a therapist's yes ended (`endDeclines`), given the yes's time and account; returns
 * how many. Leaves out those that the therapist has repeated since; one beside a wider one counts (`insertDecline`).
 */
export async function reopenDeclines(
  db: Db,
  of: LocationDay & { therapistId: string; at: string; accountId: string | null },
): Promise<number> {
  const reopened = await db
    .updateTable('call_decline as d')
    .set({ ended_at: null, ended_by: null })
    .where((eb) => eb.and({ location: of.location, date: of.date, therapist_id: of.therapistId, client_id: null }))
    .where((eb) => eb.and({ ended_at: of.at, ended_by: of.accountId }))
    .where(sql<boolean>`d.sessions <> '{}'`)
    .where(
      sql<boolean>`not exists (select from call_decline e where e.location = d.location and e.date = d.date
      and e.therapist_id = d.therapist_id and e.client_id is null and e.ended_at is null and e.scope = d.scope
      and e.sessions @> d.sessions and e.sessions <@ d.sessions)`,
    )
    .executeTakeFirst();
  return Number(reopened.numUpdatedRows);
}

/** Whether the account has ended this decline before. */
export async function hasEnded(db: Db, { location, date }: LocationDay, id: string, accountId: string) {
  if (!isId(id)) return false;
  const row = await db
    .selectFrom('call_decline')
    .select('id')
    .where((eb) => eb.and({ id, location, date, ended_by: accountId }))
    .executeTakeFirst();
  return row !== undefined;
}

const isId = (id: string): boolean => /^\d{1,15}$/.test(id);

/** Ends a decline and returns it; undefined when no open decline has this id. */
export async function endDecline(db: Db, { location, date }: LocationDay, id: string, act: Act) {
  if (!isId(id)) return undefined;
  const row = await db
    .updateTable('call_decline')
    .set(ending(act))
    .where((eb) => eb.and({ id, location, date, ended_at: null }))
    .returning(['therapist_id', 'away'])
    .executeTakeFirst();
  return row && { therapistId: row.therapist_id, away: row.away };
}
