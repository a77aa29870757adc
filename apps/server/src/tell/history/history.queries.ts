import { isInnerStatus } from '@clinic/contract';
import { byName, parseDate, type IsoDate, type Location, type PersonKind } from '@clinic/domain';
import type { DatedAppointment } from '../../day/facts/day.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { timestampOf } from '../../db/wall-time.ts';
import type { RecordedEvent, RecordedState } from './history-words.ts';

/** Returns the ids of a session's clients; for a group, everyone in it at that time, sorted by name. */
export async function selectClientsOf(db: Db, session: DatedAppointment): Promise<string[]> {
  const { groupKey, clientId, therapistId, location, date, start, end } = session;
  if (clientId === null) return [];
  if (groupKey === null || therapistId === null) return [clientId];
  const rows = await db
    .selectFrom('appointment as a')
    .innerJoin('client as c', 'c.id', 'a.client_id')
    .select(['c.id', 'c.display_name'])
    .where((eb) => eb.and({ 'a.group_key': groupKey, 'a.location': location, 'a.therapist_id': therapistId }))
    .where((eb) => eb.and({ 'a.starts': timestampOf(date, start), 'a.ends': timestampOf(date, end) }))
    .where('a.occupies', '=', true)
    .execute();
  return byName(rows, (row) => row.display_name).map((row) => row.id);
}

export interface SessionEvent extends RecordedEvent {
  readonly of: string;
  /** A timestamp as PostgreSQL writes it. */
  readonly at: string;
  readonly by: string;
  /** The account that did it, and the commit that it was part of. */
  readonly account: string | null;
  readonly commit: string | null;
}

const eventsQuery = (db: Db) =>
  db
    .selectFrom('appointment_event as e')
    .leftJoin('account as a', 'a.id', 'e.account_id')
    .select([
      'e.appointment_id',
      'e.at',
      'e.what',
      'e.reason',
      'e.before',
      'e.after',
      'a.name',
      'e.account_id',
      'e.commit_id',
    ]);

type EventRow = Awaited<ReturnType<ReturnType<typeof eventsQuery>['execute']>>[number];

const eventOf = (row: EventRow): SessionEvent => ({
  of: row.appointment_id,
  at: row.at,
  by: row.name ?? '',
  account: row.account_id,
  commit: row.commit_id,
  what: row.what,
  reason: row.reason,
  before: stateIn(row.before),
  after: stateIn(row.after),
});

/** The events of these appointments, oldest first. */
export async function selectEvents(db: Db, keys: readonly string[]): Promise<SessionEvent[]> {
  const rows = await eventsQuery(db).where('e.appointment_id', '=', anyOf(keys, 'uuid')).orderBy('e.id').execute();
  return rows.map(eventOf);
}

/**
 * The newest events of a person's sessions from a date on, newest first.
 * @param locations where the sessions are; null for all locations
 */
export async function selectEventsOf(
  db: Db,
  { type, id }: { readonly type: PersonKind; readonly id: string },
  since: IsoDate,
  locations: readonly Location[] | null,
): Promise<SessionEvent[]> {
  const rows = await eventsQuery(db)
    .innerJoin('appointment as p', 'p.id', 'e.appointment_id')
    .where(`p.${type}_id`, '=', id)
    .where('p.starts', '>=', timestampOf(since, 0))
    .$if(locations !== null, (query) => query.where('p.location', 'in', [...(locations ?? [])]))
    .orderBy('e.id', 'desc')
    .limit(MOST_EVENTS)
    .execute();
  return rows.map(eventOf);
}
/** A series is booked in one act with an event for each of its sessions. */
const MOST_EVENTS = 300;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads a recorded state in any of its stored forms; a booking's form has a date and times in minutes. */
function stateIn(json: unknown): RecordedState | null {
  if (!isRecord(json)) return null;
  const { therapistId, bookedTherapistId, status, date, start, end } = json;
  const on = parseDate(textOf(date) ?? '');
  const at = (minutes: unknown): string | undefined =>
    on !== null && typeof minutes === 'number' ? timestampOf(on, minutes) : undefined;
  const starts = textOf(json['starts']) ?? at(start);
  const ends = textOf(json['ends']) ?? at(end);
  return {
    therapistId: textOf(therapistId) ?? null,
    bookedTherapistId: textOf(bookedTherapistId) ?? null,
    ...(isInnerStatus(status) ? { status } : {}),
    ...(starts === undefined || ends === undefined ? {} : { starts, ends }),
  };
}
