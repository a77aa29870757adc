import { sql } from 'kysely';
import type { Conflict } from '@clinic/contract';
import { isoDate, type IsoDate, type Location } from '@clinic/domain';
import { recordEvents, type AppointmentChange, type AppointmentState } from '../../day/appointment-states.ts';
import type { WallOf } from '../../day/facts/present.ts';
import { undoConflicts, whyNotUndo } from '../../day/undo-check.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll } from '../../db/locks.ts';
import { onDate } from '../../db/wall-time.ts';
import type { Act } from '../../access/act.ts';
import { requireTouched } from '../../access/caller.ts';
import type { Caller } from '../../access/sessions.ts';
import { isoAt, isoOf } from '../../platform/clock.ts';
import { refusal, Refusal } from '../../platform/refusal.ts';
import { peopleDays, restoreBefore } from '../problem/restore-before.ts';
import type { AbsentPerson } from './absences.queries.ts';

/** The newest withdrawal of a person's absence on a date. Timestamps are as PostgreSQL writes them. */
interface Withdrawal {
  readonly at: string;
  readonly by: string | null;
  readonly wall: string;
  readonly locations: readonly Location[];
  /** Whether the absence was only made shorter; false if the whole absence was withdrawn. */
  readonly shortened: boolean;
}

interface Where {
  readonly person: AbsentPerson;
  readonly date: IsoDate;
  /** The location at which the account is working. */
  readonly location: Location;
  /** Whether it was made by a change to a leave, which may have moved the window, and brings its own sessions back. */
  readonly ofLeave?: boolean;
}

/**
 * Undoes the newest withdrawal of a person's absence: restores the absence, and gives the person's sessions back to the
 * therapists who covered them. Refuses, naming people, when later changes depend on the withdrawal.
 * @param which when the withdrawal to undo was made (ISO 8601); undefined for the newest, whichever it is
 * @returns every location whose day has changed; undefined when there is nothing to undo, or `which` is not the newest
 */
export async function undoWithdrawal(
  trx: Db,
  wallOf: WallOf,
  where: Where,
  which: string | undefined,
  act: Act,
): Promise<{ locations: readonly Location[] } | undefined> {
  const { person, location } = where;
  const withdrawal = await selectWithdrawal(trx, where);
  if (!withdrawal || (which !== undefined && isoOf(withdrawal.at) !== isoOf(which))) return undefined;
  const isAside = where.ofLeave && person.kind === 'client';
  const changes = isAside ? [] : await selectReturned(trx, where, withdrawal);
  await lockAll(trx, changes.flatMap(peopleDays));
  const locations = touchedLocations(withdrawal, changes);
  requireReach(act.caller, where, locations);
  const conflicts = await conflictsOf(trx, wallOf, where, withdrawal, changes, true);
  if (conflicts.length > 0) throw refusal('undo-blocked').with({ conflicts });
  const at = isoAt(act.at);
  await reinstate(trx, where, withdrawal, act.caller.id, at);
  const undone = await restoreBefore(trx, changes, `${person.displayName} is away after all`);
  await recordEvents(trx, undone, { accountId: act.caller.id, commitId: null, at });
  return { locations: [...new Set([location, person.location, ...locations])] };
}

/** When the newest withdrawal of a person's absence on a date was made (ISO 8601); null if there is nothing to undo. */
export async function newestWithdrawal(db: Db, where: Where): Promise<string | null> {
  const withdrawal = await selectWithdrawal(db, where);
  return withdrawal && isoOf(withdrawal.at);
}

/** Finds everyone at a location whose absence on a date was withdrawn or shortened, sorted by name. */
async function selectWithdrawn(db: Db, location: Location, date: IsoDate): Promise<AbsentPerson[]> {
  const { rows } = await sql<AbsentPerson>`
    select distinct case when t.id is null then 'client' else 'therapist' end as kind, coalesce(t.id, c.id) as id,
      coalesce(t.display_name, c.display_name) as "displayName", coalesce(t.location, c.location) as location
    from absence a left join therapist t on t.id = a.therapist_id left join client c on c.id = a.client_id
    where a.date = ${date}::date and a.withdrawn_at is not null
      and ${location} in (a.location, t.location, c.location)
    order by "displayName", id`.execute(db);
  return rows;
}

/** A withdrawal that took sessions back. At least one of these sessions still waits for a plan. */
export interface TakenBack {
  readonly person: AbsentPerson;
  /** When it was made (ISO 8601). */
  readonly at: string;
  readonly shortened: boolean;
  /** How many sessions the withdrawal took back. */
  readonly sessions: number;
  /** Why an undo would be refused; null if it is possible. */
  readonly cannotUndo: string | null;
}

/**
 * Finds the withdrawals on a date that gave sessions back to an absent person. Leaves out a withdrawal if all of these
 * sessions have changed since.
 */
export async function withdrawalsOf(
  db: Db,
  wallOf: WallOf,
  { location, date }: Pick<Where, 'location' | 'date'>,
  caller: Caller,
): Promise<TakenBack[]> {
  const list: TakenBack[] = [];
  for (const person of await selectWithdrawn(db, location, date)) {
    const found = await takenBack(db, wallOf, { person, date, location }, caller);
    if (found) list.push(found);
  }
  return list;
}

async function takenBack(db: Db, wallOf: WallOf, where: Where, caller: Caller): Promise<TakenBack | null> {
  const withdrawal = await selectWithdrawal(db, where);
  if (!withdrawal) return null;
  const changes = await selectReturned(db, where, withdrawal);
  const returned = changes.filter((c) => c.what === 'returned');
  if (!(await someStand(db, returned))) return null;
  const { person } = where;
  const sessions = new Set(returned.map((c) => c.of)).size;
  const told = { person, at: isoOf(withdrawal.at), shortened: withdrawal.shortened, sessions };
  try {
    requireReach(caller, where, touchedLocations(withdrawal, changes));
  } catch (error) {
    if (error instanceof Refusal) return { ...told, cannotUndo: error.message };
    throw error;
  }
  const conflicts = await conflictsOf(db, wallOf, where, withdrawal, changes, false);
  return { ...told, cannotUndo: whyNotUndo(conflicts) };
}

/** Whether at least one of these sessions has not changed again since. */
async function someStand(db: Db, changes: readonly AppointmentChange[]): Promise<boolean> {
  const keys = changes.map((c) => c.key);
  const rows = await db
    .selectFrom('appointment')
    .select(['id', 'version'])
    .where('id', '=', anyOf(keys, 'uuid'))
    .execute();
  return changes.some((c) => rows.some((row) => row.id === c.key && row.version === c.after.version));
}

const touchedLocations = (withdrawal: Withdrawal, changes: readonly AppointmentChange[]): Location[] => [
  ...new Set([...withdrawal.locations, ...changes.map((c) => c.location)]),
];

const requireReach = (caller: Caller, { person, date }: Where, locations: readonly Location[]): void =>
  requireTouched(caller, locations, (places) => refusal('absence-reaches-elsewhere', places, person.displayName, date));

const conflictsOf = (
  db: Db,
  wallOf: WallOf,
  { location }: Where,
  { wall }: Withdrawal,
  changes: readonly AppointmentChange[],
  lock: boolean,
): Promise<Conflict[]> => undoConflicts(db, wallOf(location), { location, wall }, changes, lock);

const column = ({ kind }: Pick<AbsentPerson, 'kind'>) => sql.ref(kind === 'therapist' ? 'therapist_id' : 'client_id');

/**
 * Returns the newest withdrawal of a person's absence on a date. Null when there is nothing to undo: the person has
 * been recorded as away again since then, or the absence was moved to other times rather than shortened.
 */
async function selectWithdrawal(
  db: Db,
  { person, date, location, ofLeave = false }: Where,
): Promise<Withdrawal | null> {
  const theirs = sql`${column(person)} = ${person.id} and date = ${date}::date`;
  const { rows } = await sql<Withdrawal>`
    with standing as (
      select reported_at, int4range(start_minute, end_minute) as time from absence
      where ${theirs} and withdrawn_at is null),
    newest as (
      select withdrawn_at as at, withdrawn_by as by, array_agg(distinct location) as locations,
        range_agg(int4range(start_minute, end_minute)) as times
      from absence where ${theirs} and withdrawn_at is not null
      group by withdrawn_at, withdrawn_by order by withdrawn_at desc limit 1)
    select n.at, n.by, n.locations, to_char(n.at at time zone l.zone, 'YYYY-MM-DD HH24:MI:00') as wall,
      exists (select from standing) as shortened
    from newest n cross join (select zone from location where value = ${location}) l
    where not exists (select from standing s where s.reported_at > n.at
      or s.reported_at = n.at and not s.time <@ n.times and not ${ofLeave} or s.reported_at < n.at and s.time && n.times)`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Returns the changes that the withdrawal made to sessions, read from the sessions' history. */
async function selectReturned(
  trx: Db,
  { person, date }: Pick<Where, 'person' | 'date'>,
  { at, by }: Withdrawal,
): Promise<AppointmentChange[]> {
  const whose =
    person.kind === 'therapist' ? sql`e.after->>'bookedTherapistId' = ${person.id}` : sql`a.client_id = ${person.id}`;
  const { rows } = await sql<{
    key: string;
    before: AppointmentState | { of: string; therapistId: string | null };
    after: AppointmentState;
    what: AppointmentChange['what'];
    reason: string;
    clientId: string | null;
    location: Location;
    subject: string;
    date: string;
  }>`
    select e.appointment_id as key, e.before, e.after, e.what, e.reason, a.client_id as "clientId", a.location,
      a.subject, a.starts::date::text as date
    from appointment_event e join appointment a on a.id = e.appointment_id
    where e.at = ${at}::timestamptz and e.account_id is not distinct from ${by}::uuid and e.commit_id is null
      and ${whose} and ${onDate(date, 'a')} order by e.id`.execute(trx);
  return rows.map(({ before, ...row }): AppointmentChange => {
    const { key, after } = row;
    const made = !('key' in before);
    const of = 'key' in before ? key : before.of;
    return {
      ...row,
      date: isoDate(row.date),
      of,
      wireId: after.wireId,
      before: made ? null : before,
      had: before.therapistId,
    };
  });
}

/**
 * Restores the windows as they were recorded (by whom, when and why), and withdraws the shorter windows that replaced
 * them.
 */
async function reinstate(
  trx: Db,
  { person, date, ofLeave }: Where,
  withdrawal: Withdrawal,
  accountId: string,
  at: string,
): Promise<void> {
  const theirs = sql`${column(person)} = ${person.id} and date = ${date}::date`;
  await sql`update absence set withdrawn_at = ${at}::timestamptz, withdrawn_by = ${accountId}::uuid
    where ${theirs} and withdrawn_at is null and reported_at = ${withdrawal.at}::timestamptz`.execute(trx);
  const { rows } = await sql<{ leave_id: string | null }>`
    update absence set withdrawn_at = null, withdrawn_by = null, leave_id = (
      select l.id from leave l where l.id = absence.leave_id and l.ended_at is null
        and date between l.first_date and coalesce(l.last_date, 'infinity') and extract(dow from date) = any(l.weekdays))
    where ${theirs} and withdrawn_at = ${withdrawal.at}::timestamptz returning leave_id`.execute(trx);
  if (ofLeave) return;
  await trx
    .deleteFrom('leave_exception')
    .where(
      'leave_id',
      '=',
      anyOf(
        rows.flatMap((row) => row.leave_id ?? []),
        'uuid',
      ),
    )
    .where('date', '=', date)
    .execute();
}
