import { sql } from 'kysely';
import type { AbsenceLossBody, AuditAction } from '@clinic/contract';
import {
  addDays,
  daysBetween,
  formatTime,
  groupBy,
  isoDate,
  type Interval,
  type IsoDate,
  type Location,
  type PersonKind,
} from '@clinic/domain';
import type { Act } from '../../access/act.ts';
import { atEach, auditBy } from '../../access/audit.ts';
import { mayWorkAt } from '../../access/caller.ts';
import type { AppointmentChange } from '../../day/appointment-states.ts';
import { datedOf, selectAppointmentRows } from '../../day/facts/clinic-day.queries.ts';
import type { DatedAppointment } from '../../day/facts/day.ts';
import { plannedFrom } from '../../day/facts/grid-plan.ts';
import {
  isOnLeave,
  leaveDates,
  leaveHorizon,
  selectLeave,
  selectLeaves,
  type Leave,
  type LeaveTerms,
} from '../../day/facts/leaves.ts';
import { readLoss, type AbsenceLossValues } from '../../day/facts/losses.ts';
import { cutOf, type WallOf } from '../../day/facts/present.ts';
import { bumpDays } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll, personDay } from '../../db/locks.ts';
import { isoAt } from '../../platform/clock.ts';
import { publishAppointments } from '../../platform/events.ts';
import { refusal } from '../../platform/refusal.ts';
import { setAside } from '../problem/set-aside.ts';
import type { WantedWindow } from './absence-windows.ts';
import type { AbsentPerson } from './absences.queries.ts';
import type { PersonDate } from './store.ts';
import type { StoredChange } from './taking-back.ts';

/** An absence over several dates that is to be recorded. */
export interface NewLeave {
  readonly person: AbsentPerson;
  /** The location that reports it. */
  readonly location: Location;
  readonly terms: LeaveTerms;
  readonly loss: AbsenceLossBody | undefined;
}

/** The furthest that a leave may reach back: plans are made for no earlier dates. */
const MOST_DAYS_BACK = 366;

/** The name of the lock on a person's leaves. */
export const leavesOf = (person: Pick<AbsentPerson, 'kind' | 'id'>): string => `leaves-of:${person.kind}:${person.id}`;

/**
 * Records an absence over several dates, without its dates, for `datesToStore`. The same leave recorded again is the one
 * that stands.
 */
export async function insertLeave(trx: Db, wallOf: WallOf, leave: NewLeave, act: Act): Promise<Leave> {
  const { person, location, terms } = leave;
  const today = wallOf(location).date;
  checkTerms(person.displayName, terms, today);
  await lockAll(trx, [leavesOf(person), ...(await locksOfLeave(trx, person, terms, today))]);
  const standing = await selectLeaves(trx, [person]);
  const same = standing.find((each) => isSame(each, terms));
  if (same) return same;
  const values = await readLoss(trx, leave.loss, wallOf(location));
  return addLeave(trx, { person, location, terms }, { ...values, untold: leave.loss?.untold ?? null }, today, act);
}

/** Stores a new fact. */
export async function addLeave(
  trx: Db,
  { person, location, terms }: Pick<NewLeave, 'person' | 'location' | 'terms'>,
  loss: AbsenceLossValues,
  today: IsoDate,
  act: Act,
): Promise<Leave> {
  const at = isoAt(act.at);
  const { id } = await trx
    .insertInto('leave')
    .values({
      location,
      therapist_id: person.kind === 'therapist' ? person.id : null,
      client_id: person.kind === 'client' ? person.id : null,
      ...columnsOf(terms),
      ...loss,
      made_until: leaveHorizon(today),
      recorded_by: act.caller.id,
      recorded_at: at,
      changed_by: act.caller.id,
      changed_at: at,
      before: null,
      ended_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const made = await selectLeave(trx, id);
  if (!made) throw new Error('the leave was not stored');
  return made;
}

/** A leave's dates and times as the database stores them. */
export const columnsOf = (terms: LeaveTerms) => ({
  first_date: terms.first,
  last_date: terms.last,
  weekdays: [...new Set(terms.weekdays)].sort(),
  start_minute: terms.start,
  end_minute: terms.end,
});

export const isSame = (a: LeaveTerms, b: LeaveTerms): boolean =>
  JSON.stringify(columnsOf(a)) === JSON.stringify(columnsOf(b));

/** Refuses dates that are the wrong way round, too far away, or none at all. */
export function checkTerms(name: string, terms: LeaveTerms, today: IsoDate): void {
  const { first, last, start, end } = terms;
  if (last !== null && last < first) throw refusal('leave-reversed', name);
  if (start >= end) throw refusal('absence-too-short', name, first, formatTime(start), formatTime(end));
  const horizon = leaveHorizon(today);
  if (first > horizon || daysBetween(first, today) > MOST_DAYS_BACK)
    throw refusal('leave-out-of-reach', name, addDays(today, -MOST_DAYS_BACK), horizon);
  if (leaveDates(terms, first, horizon).length === 0) throw refusal('leave-without-dates', name);
}

/** The locks on the days of a leave, and on those of the therapists whose sessions with an absent client it cancels. */
async function locksOfLeave(trx: Db, person: AbsentPerson, terms: LeaveTerms, today: IsoDate): Promise<string[]> {
  const own = leaveDates(terms, terms.first, leaveHorizon(today)).map((date) =>
    personDay(person.kind, person.id, date),
  );
  if (person.kind === 'therapist') return own;
  const sessions = await sessionsOnLeave(trx, { kind: person.kind, personId: person.id, ...terms });
  const with_ = sessions.flatMap(({ therapistId, date }) =>
    therapistId === null ? [] : [personDay('therapist', therapistId, date)],
  );
  return [...own, ...with_];
}

/** The window of a leave, for storing one of its dates. */
export const windowOf = ({ id, loss, start, end }: Leave): WantedWindow => ({
  timeOf: () => ({ start, end }),
  leave: { id, loss },
});

/** What a new leave stores on its dates: it only adds to what is recorded there. */
export const datesToStore = (leave: Leave, person: AbsentPerson, location: Location): PersonDate[] =>
  leaveDates(leave, leave.first, leave.madeUntil)
    .filter((date) => !leave.exceptions.includes(date))
    .map((date) => ({ person, date, location, wanted: { windows: [windowOf(leave)], replaces: false } }));

/** Whose leave, and when. */
type Whose = LeaveTerms & { readonly kind: PersonKind; readonly personId: string };

/** The sessions that are still to take place in the time of a leave, at any location, sorted by time. */
export async function sessionsOnLeave(db: Db, leave: Whose): Promise<DatedAppointment[]> {
  const rows = await selectAppointmentRows(db)
    .where(leave.kind === 'client' ? 'client_id' : 'therapist_id', '=', leave.personId)
    .where('starts', '>=', sql<string>`${leave.first}::timestamp`)
    .where(sql<boolean>`(${leave.last}::date is null or starts < ${leave.last}::date + 1)`)
    .where('occupies', '=', true)
    .where('status', 'in', ['pending', 'booked'])
    .orderBy('starts')
    .orderBy('id')
    .execute();
  return rows
    .map(datedOf)
    .filter((row) => isOnLeave(leave, row.date) && row.start < leave.end && row.end > leave.start);
}

/**
 * Cancels the sessions of a client who is away, on every date of the leave (only `dates`, if given), where the account
 * may work. They are lost as the leave says. What has begun today stays.
 */
export async function cancelOnLeave(
  trx: Db,
  wallOf: WallOf,
  leave: Leave,
  { name, dates }: { readonly name: string; readonly dates?: ReadonlySet<IsoDate> },
  act: Act,
): Promise<AppointmentChange[]> {
  if (leave.kind !== 'client') return [];
  const wall = wallOf(leave.location);
  const cut = await cutOf(trx, wall);
  const sessions = (await sessionsOnLeave(trx, leave)).filter(
    ({ date, location }) =>
      (dates?.has(date) ?? true) &&
      !leave.exceptions.includes(date) &&
      mayWorkAt(act.caller, location) &&
      !(date < wall.date && cut(wall.date) !== null),
  );
  const off = ({ date }: DatedAppointment): Interval[] => {
    const start = Math.max(leave.start, plannedFrom(cut(date)));
    return start < leave.end ? [{ start, end: leave.end }] : [];
  };
  const changes = await setAside(trx, sessions, off, { loss: leave.loss, reason: `${name} is away` }, act);
  await trx
    .updateTable('leave')
    .set({ set_aside: sql<string>`set_aside || ${JSON.stringify(changes)}::jsonb` })
    .where('id', '=', leave.id)
    .execute();
  await tellAppointments(trx, changes, act);
  return changes;
}

/** Audits, at each location whose days have changed, what was done to a leave: one entry for all its dates. */
export async function auditLeave(
  trx: Db,
  leave: Leave,
  action: Extract<AuditAction, `leave.${string}`>,
  done: readonly StoredChange[],
  act: Act,
): Promise<void> {
  const own = done.filter(({ person }) => person.kind === leave.kind && person.id === leave.personId);
  const { first, last, weekdays, start, end } = leave;
  const detail = { leave: leave.id, first, last, weekdays, times: `${formatTime(start)}-${formatTime(end)}` };
  const places = [leave.location, ...own.flatMap(({ touched }) => touched)];
  await auditBy(
    trx,
    act,
    ...atEach(places, {
      action,
      subjectKind: leave.kind,
      subjectIds: [leave.personId],
      detail: { ...detail, dates: own.length },
    }),
  );
}

/** Gives each changed day a new version, and tells open pages. */
export async function tellAppointments(trx: Db, changes: readonly AppointmentChange[], act: Act): Promise<void> {
  const days = [...groupBy(changes, ({ location, date }) => `${date} ${location}`).values()].flatMap(([first]) =>
    first ? [{ location: first.location, date: isoDate(first.date) }] : [],
  );
  await bumpDays(trx, days);
  await publishAppointments(trx, days, act.caller.id);
}
