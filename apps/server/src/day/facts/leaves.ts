import { sql } from 'kysely';
import { addDays, dayOfWeek, type IsoDate, type Location, type PersonKind } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { lossColumn, type AbsenceLossValues, type LossRow } from './losses.ts';

/** On which dates and at which times a person is away. `last` null: until further notice. */
export interface LeaveTerms {
  readonly first: IsoDate;
  readonly last: IsoDate | null;
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
  readonly start: number;
  readonly end: number;
}

/** An absence over a range of dates, as one fact. */
export interface Leave extends LeaveTerms {
  readonly id: string;
  readonly location: Location;
  readonly kind: PersonKind;
  readonly personId: string;
  readonly loss: AbsenceLossValues;
  readonly madeUntil: IsoDate;
  /** The dates whose absence was changed by itself. */
  readonly exceptions: readonly IsoDate[];
}

/** What an absence of one date says of the leave that it belongs to. */
export interface LeaveTag {
  readonly id: string;
  readonly first: IsoDate;
  readonly last: IsoDate | null;
  readonly weekdays: readonly number[];
}

/** How many days ahead the absences of a leave are stored: longer than anything can be booked. */
const LEAVE_HORIZON_DAYS = 400;
export const leaveHorizon = (today: IsoDate): IsoDate => addDays(today, LEAVE_HORIZON_DAYS);

/** Whether a leave's dates include this one. */
export const isOnLeave = ({ first, last, weekdays }: LeaveTerms, date: IsoDate): boolean =>
  first <= date && (last === null || date <= last) && weekdays.includes(dayOfWeek(date));

/** The dates of a leave between two dates, both included, sorted. */
export function leaveDates(terms: LeaveTerms, from: IsoDate, until: IsoDate): IsoDate[] {
  const end = terms.last !== null && terms.last < until ? terms.last : until;
  const dates: IsoDate[] = [];
  for (let date = terms.first > from ? terms.first : from; date <= end; date = addDays(date, 1))
    if (isOnLeave(terms, date)) dates.push(date);
  return dates;
}

/** An absence's leave in SQL, as one column that is null for an absence of a single date. */
export const leaveColumn = sql<LeaveTag | null>`case when absence.leave_id is not null then (
  select json_build_object('id', l.id, 'first', l.first_date, 'last', l.last_date, 'weekdays', l.weekdays)
  from leave l where l.id = absence.leave_id) end`.as('leave');

const leaveRows = (db: Db) =>
  db
    .selectFrom('leave')
    .select(['id', 'location', 'therapist_id', 'client_id', 'first_date', 'last_date', 'weekdays'])
    .select(['start_minute', 'end_minute', 'lost_by', 'cause_id', 'known_at', 'untold', 'made_until'])
    .select(
      sql<IsoDate[]>`array(select e.date::text from leave_exception e where e.leave_id = leave.id order by 1)`.as(
        'exceptions',
      ),
    )
    .where('ended_at', 'is', null)
    .orderBy('first_date')
    .orderBy('id');

type LeaveRow = Awaited<ReturnType<ReturnType<typeof leaveRows>['execute']>>[number];

function leaveOf(row: LeaveRow): Leave {
  const { lost_by, cause_id, known_at, untold } = row;
  return {
    id: row.id,
    location: row.location,
    kind: row.therapist_id === null ? 'client' : 'therapist',
    personId: row.therapist_id ?? row.client_id ?? '',
    first: row.first_date,
    last: row.last_date,
    weekdays: row.weekdays,
    start: row.start_minute,
    end: row.end_minute,
    loss: { lost_by, cause_id, known_at, untold },
    madeUntil: row.made_until,
    exceptions: row.exceptions,
  };
}

/** The standing leaves of these people, sorted by their first date. */
export async function selectLeaves(db: Db, people: readonly { kind: PersonKind; id: string }[]): Promise<Leave[]> {
  const idsOf = (kind: PersonKind) => anyOf([...new Set(people.flatMap((p) => (p.kind === kind ? p.id : [])))]);
  const rows = await leaveRows(db)
    .where((eb) => eb.or([eb('therapist_id', '=', idsOf('therapist')), eb('client_id', '=', idsOf('client'))]))
    .execute();
  return rows.map(leaveOf);
}

/** The standing leave with this id; undefined if there is none. */
export async function selectLeave(db: Db, id: string): Promise<Leave | undefined> {
  const row = await leaveRows(db).where('id', '=', id).executeTakeFirst();
  return row && leaveOf(row);
}

/** The standing leaves whose absences are not yet stored up to the horizon. */
export async function selectLeavesToExtend(db: Db, horizon: IsoDate): Promise<Leave[]> {
  const rows = await leaveRows(db)
    .where('made_until', '<', horizon)
    .where(sql<boolean>`(last_date is null or made_until < last_date)`)
    .execute();
  return rows.map(leaveOf);
}

/** Records that these dates' absences were changed by themselves. */
export async function addExceptions(
  db: Db,
  list: readonly { readonly leave: string; readonly date: IsoDate }[],
): Promise<void> {
  if (list.length === 0) return;
  await db
    .insertInto('leave_exception')
    .values(list.map(({ leave, date }) => ({ leave_id: leave, date })))
    .onConflict((c) => c.doNothing())
    .execute();
}

/**
 * The standing leaves that last until a date or later, of people who belong to a location or whose leave it reported,
 * each with the person's name and its loss. Sorted by the first date.
 */
export async function selectLeavesAt(
  db: Db,
  location: Location,
  date: IsoDate,
): Promise<{ leave: Leave; name: string; loss: LossRow['loss'] }[]> {
  const rows = await leaveRows(db)
    .select([
      lossColumn('leave'),
      sql<string | null>`(select coalesce(
        (select t.display_name from therapist t where t.id = leave.therapist_id and t.deleted_at is null),
        (select c.display_name from client c where c.id = leave.client_id)))`.as('name'),
    ])
    .where(sql<boolean>`coalesce(last_date, 'infinity') >= ${date}::date`)
    .where(
      sql<boolean>`${location} in (leave.location, (select t.location from therapist t where t.id = leave.therapist_id),
        (select c.location from client c where c.id = leave.client_id))`,
    )
    .execute();
  return rows.flatMap(({ loss, name, ...row }) => (name === null ? [] : [{ leave: leaveOf(row), name, loss }]));
}
