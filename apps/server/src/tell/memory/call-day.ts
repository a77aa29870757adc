import type { AuditAction, CallResult } from '@clinic/contract';
import {
  addDays,
  joinStretches,
  type FreeTime,
  type Interval,
  type IsoDate,
  type Location,
  type PersonKind,
  type RingPromise,
  type Service,
  type ToldStretch,
} from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { minutesAfter } from '../../db/wall-time.ts';
import type { Act } from '../../access/act.ts';
import { auditBy } from '../../access/audit.ts';
import { publishEvent } from '../../platform/events.ts';
import { isTakenBack, selectNoes } from '../../day/facts/taken-back.ts';
import { inWriteOrder, type LocationDay } from '../../day/facts/versions.ts';

/** Identifies a person: `therapist:ID` or `client:ID`. */
export type PersonKey = `${PersonKind}:${string}`;
export const personKey = (kind: PersonKind, id: string): PersonKey => `${kind}:${id}`;
export const idOf = (person: PersonKey): string => person.slice(person.indexOf(':') + 1);

/**
 * An appointment as it was when its date's call list was opened; `state` is null if the appointment did not exist yet.
 */
export interface BeforeRow {
  readonly key: string;
  readonly state:
    | (Interval & {
        readonly clientId: string | null;
        readonly therapistId: string | null;
        readonly service: Service;
      })
    | null;
}

/**
 * Opens the call lists of these days: from now on, every change to these days adds calls to make. Must run before the
 * transaction's first write to these days.
 */
export async function openCallDays(trx: Db, days: readonly LocationDay[]): Promise<void> {
  if (days.length === 0) return;
  await trx
    .insertInto('call_day')
    .values(inWriteOrder(days).map(({ location, date }) => ({ location, date })))
    .onConflict((c) => c.doNothing())
    .execute();
}

/**
 * How many days ahead people must be told about changes. With three days, people must be told about changes to Monday
 * from Friday on.
 */
export const DAYS_BEFORE = 3;

/**
 * Selects, from these days, today and the next `DAYS_BEFORE` days. People must be told about changes to these days now.
 */
export const nearDays = <T extends LocationDay>(days: readonly T[], today: IsoDate): T[] =>
  days.filter(({ date }) => today <= date && date <= addDays(today, DAYS_BEFORE));

/** Whether a date's call list is open. */
export async function isOpen(db: Db, { location, date }: LocationDay): Promise<boolean> {
  const row = await db
    .selectFrom('call_day')
    .select('date')
    .where((eb) => eb.and({ location, date }))
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the appointments that have changed since the list was opened, as they were when it was opened. */
export async function selectBefore(db: Db, location: Location, date: IsoDate): Promise<BeforeRow[]> {
  const rows = await db
    .selectFrom('call_before')
    .select(['appointment_id', 'client_id', 'therapist_id', 'service', 'starts', 'ends'])
    .where((eb) => eb.and({ location, date }))
    .execute();
  return rows.map((row) => {
    const { service, starts, ends } = row;
    if (service === null || starts === null || ends === null) return { key: row.appointment_id, state: null };
    const times = { start: minutesAfter(date, starts), end: minutesAfter(date, ends) };
    return {
      key: row.appointment_id,
      state: { clientId: row.client_id, therapistId: row.therapist_id, service, ...times },
    };
  });
}

/**
 * The outcome of a call to a person about a day. A day sheet that was sent, and a therapist’s answer on their own page,
 * are stored in the same form.
 */
export interface Answer {
  readonly id: string;
  readonly person: PersonKey;
  readonly answer: CallResult;
  readonly note: string | null;
  readonly version: string;
  /** What the person was told about their whole day; null if this answer told them nothing about it. */
  readonly day: readonly ToldStretch[] | null;
  /**
   * The cancelled sessions that the family was told about; null if they were told about their whole day, or about
   * nothing.
   */
  readonly cancelled: readonly ToldStretch[] | null;
  /** The promise to ring the family again; null if they were promised nothing. */
  readonly ringAgain: RingPromise | null;
  /** What a therapist was told about time in which they had lost their sessions. */
  readonly free: readonly FreeTime[];
  /** A timestamp as PostgreSQL writes it. */
  readonly at: string;
  readonly accountId: string | null;
  readonly by: string;
  /** Whether the person answered on their own page. */
  readonly byPage: boolean;
  /** Whether this was a no that was taken back: the person may be asked again. */
  readonly takenBack: boolean;
}

/** Names the lock that must be held to change a person's calls on a day. */
export const lockOf = ({ location, date }: LocationDay, person: PersonKey): string =>
  `call:${location}:${date}:${person}`;

/** Returns every answer to a day's calls, oldest first. */
export async function selectAnswers(db: Db, location: Location, date: IsoDate): Promise<Answer[]> {
  const rows = await db
    .selectFrom('call_answer as c')
    .leftJoin('account as a', 'a.id', 'c.account_id')
    .selectAll('c')
    .select('a.name')
    .where((eb) => eb.and({ 'c.location': location, 'c.date': date }))
    .orderBy('c.id')
    .execute();
  const noes = rows.some((row) => row.answer === 'said-no') ? await selectNoes(db, location, date) : [];
  return rows.map((row) => ({
    id: row.id,
    person:
      row.therapist_id === null ? personKey('client', row.client_id ?? '') : personKey('therapist', row.therapist_id),
    answer: row.answer,
    note: row.note,
    version: row.version,
    day: row.day && joinStretches(row.day),
    cancelled: row.cancelled,
    ringAgain: row.ring_again,
    free: row.free ?? [],
    at: row.at,
    accountId: row.account_id,
    by: row.name ?? '',
    byPage: row.by_page,
    takenBack: row.answer === 'said-no' && isTakenBack(row.id, noes),
  }));
}

export type AnswerToKeep = Omit<
  Answer,
  'id' | 'at' | 'accountId' | 'by' | 'cancelled' | 'ringAgain' | 'free' | 'takenBack'
> &
  Partial<Pick<Answer, 'cancelled' | 'ringAgain' | 'free'>>;

/** Stores answers and returns their ids; `at` is in ISO 8601. */
export async function insertAnswers(
  db: Db,
  { location, date }: LocationDay,
  answers: readonly AnswerToKeep[],
  accountId: string,
  at: string,
): Promise<string[]> {
  if (answers.length === 0) return [];
  const rows = await db
    .insertInto('call_answer')
    .values(
      answers.map(({ person, answer, note, version, day, cancelled = null, ringAgain = null, free = [], byPage }) => ({
        location,
        date,
        answer,
        note,
        version,
        at,
        account_id: accountId,
        by_page: byPage,
        therapist_id: person.startsWith('therapist:') ? idOf(person) : null,
        client_id: person.startsWith('client:') ? idOf(person) : null,
        day: day && JSON.stringify(day),
        cancelled: cancelled && JSON.stringify(cancelled),
        ring_again: ringAgain && JSON.stringify(ringAgain),
        free: free.length === 0 ? null : JSON.stringify(free),
      })),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function dropClaim(db: Db, { location, date }: LocationDay, person: PersonKey): Promise<void> {
  await db
    .deleteFrom('call_claim')
    .where((eb) => eb.and({ location, date, person }))
    .execute();
}

/** Announces a change to calls: sends an event to open pages, and writes the audit entry. */
export async function recordCallChange(
  trx: Db,
  on: LocationDay,
  act: Act,
  done: { action: AuditAction; kind: string; ids: string[]; answer?: string; scope?: string },
): Promise<void> {
  await publishEvent(trx, { kind: 'calls', location: on.location, dates: [on.date], by: act.caller.id });
  await auditBy(trx, act, {
    action: done.action,
    subjectKind: done.kind,
    subjectIds: done.ids,
    location: on.location,
    detail: { date: on.date, answer: done.answer, scope: done.scope },
  });
}
