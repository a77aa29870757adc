/** What is known of a location over a range of dates: the one load behind all problems of weeks. */
import { sql } from 'kysely';
import {
  addDays,
  CARE_DAYS,
  datesFrom,
  groupBy,
  isoDate,
  mondayOf,
  NO_CARE,
  USUAL_PRIORITY,
  type HourLimits,
  type IsoDate,
  type Location,
  type RecentCare,
} from '@clinic/domain';
import type { Rules } from '@clinic/contract';
import { datedOf, selectAppointmentRows, selectAbsenceRows, absenceOf } from '../../day/facts/clinic-day.queries.ts';
import type { DatedAppointment, Decline, Familiarity } from '../../day/facts/day.ts';
import { cutOf, type WallPresent } from '../../day/facts/present.ts';
import { awayByDate, type AwayWindows } from '../../day/facts/uncovered.ts';
import { selectRuledPeople } from '../../day/ruled-sessions.ts';
import { acquaintanceOf, type Acquaintance } from '../../day/clinic-day.ts';
import type { RuledClient, RuledTherapist } from '../../day/session-rules.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { together } from '../../db/snapshot.ts';
import { selectKinds } from '../../ledgers/count/authorization-kinds.ts';
import { selectUsesOf, type Uses } from '../../ledgers/count/authorizations.ts';
import { selectCare } from '../../ledgers/count/care.ts';
import { careNow, openFrom } from '../../ledgers/count/care-hours.ts';
import { selectFamiliarity } from '../../ledgers/count/familiarity.queries.ts';
import { limitsOf } from '../../ledgers/count/hours.ts';
import { loadRules } from '../../ledgers/count/rules.ts';
import { selectTherapists } from '../../people/therapists.queries.ts';
import { selectDeclines } from '../../tell/memory/declines.ts';

export interface WeeksTherapist extends RuledTherapist {
  readonly firstName: string;
  readonly startDate: IsoDate;
  readonly limits: HourLimits;
}

export interface WeeksClient extends RuledClient {
  /** The stored priority in percent, and the care of the four weeks before today; see `priorityOf`. */
  readonly priority: number;
  readonly care: RecentCare;
  readonly knows: ReadonlyMap<string, Familiarity>;
}

export interface WeeksFacts {
  readonly location: Location;
  readonly from: IsoDate;
  readonly until: IsoDate;
  readonly today: IsoDate;
  readonly rules: Rules;
  /** The location's therapists, by id. */
  readonly therapists: ReadonlyMap<string, WeeksTherapist>;
  /** The clients asked about, by id. */
  readonly clients: ReadonlyMap<string, WeeksClient>;
  /**
   * What takes up time in the weeks of the range, whole weeks from Monday to Sunday: the location's sessions, and these
   * people's at other locations. In chronological order.
   */
  readonly sessions: readonly DatedAppointment[];
  readonly away: (date: IsoDate) => AwayWindows;
  readonly declines: readonly Decline[];
  /** What the clients were granted, and what sessions before the range used of it. */
  readonly uses: Uses;
}

export interface WeeksRange {
  readonly location: Location;
  readonly from: IsoDate;
  readonly until: IsoDate;
}

/** The most days of a range: a year. */
export const MOST_WEEKS_DAYS = 366;

/**
 * Loads a location's people and time over a range of dates. How well clients know therapists is counted up to the range's
 * first date, as it is for that date's plans.
 * @param clientIds the clients for whom something is planned
 */
export async function loadWeeks(
  db: Db,
  { location, from, until }: WeeksRange,
  clientIds: readonly string[],
  wall: WallPresent,
): Promise<WeeksFacts> {
  const weeks = [mondayOf(from), addDays(mondayOf(until), 6)] as const;
  const rows = (await selectTherapists(db, location, from)).filter((t) => !t.deleted && t.location === location);
  const ids = rows.map(({ id }) => id);
  const [cut, rules, people, sessions, absences, declines, familiarity, kinds, priorities] = await together(
    cutOf(db, wall),
    loadRules(db),
    selectRuledPeople(db, ids, clientIds),
    selectSessions(db, location, weeks, { ids, clientIds }),
    selectAbsencesOf(db, weeks, [...ids, ...clientIds]),
    selectDeclines(db, location, from, until),
    selectFamiliarity(db, clientIds, ids, from),
    selectKinds(db, clientIds, datesFrom(from, until)),
    selectPriorities(db, clientIds),
  );
  const now = careNow(wall, cut);
  const [care, uses] = await together(
    selectCare(db, clientIds, [addDays(wall.date, -CARE_DAYS), wall.date], openFrom(wall.date, now)),
    selectUsesOf(db, kinds, from, openFrom(from, now)),
  );
  const knows: Acquaintance = acquaintanceOf(familiarity);
  return {
    location,
    from,
    until,
    today: wall.date,
    rules,
    therapists: new Map(
      rows.flatMap((row) => {
        const own = people.therapists.get(row.id);
        const { firstName, startDate, limits } = row;
        return own
          ? [[row.id, { ...own, firstName, startDate: isoDate(startDate), limits: limitsOf(limits, rules) }]]
          : [];
      }),
    ),
    clients: new Map(
      [...people.clients.values()].map((client) => {
        const { id } = client;
        const priority = priorities.get(id) ?? USUAL_PRIORITY;
        return [id, { ...client, priority, care: care.get(id) ?? NO_CARE, knows: knows.get(id) ?? new Map() }];
      }),
    ),
    sessions,
    away: awayByDate(absences),
    declines,
    uses,
  };
}

async function selectPriorities(db: Db, clientIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('client').select(['id', 'priority']).where('id', '=', anyOf(clientIds)).execute();
  return new Map(rows.map(({ id, priority }) => [id, priority]));
}

async function selectSessions(
  db: Db,
  location: Location,
  [first, last]: readonly [IsoDate, IsoDate],
  { ids, clientIds }: { readonly ids: readonly string[]; readonly clientIds: readonly string[] },
): Promise<DatedAppointment[]> {
  const rows = await selectAppointmentRows(db)
    .where('starts', '>=', sql<string>`${first}::timestamp`)
    .where('starts', '<', sql<string>`${addDays(last, 1)}::timestamp`)
    .where('occupies', '=', true)
    .where((eb) =>
      eb.or([
        eb('location', '=', location),
        eb('therapist_id', '=', anyOf(ids)),
        eb('client_id', '=', anyOf(clientIds)),
      ]),
    )
    .orderBy('starts')
    .orderBy('id')
    .execute();
  return rows.map(datedOf);
}

async function selectAbsencesOf(db: Db, [first, last]: readonly [IsoDate, IsoDate], people: readonly string[]) {
  const rows = await selectAbsenceRows(db)
    .where('date', '>=', first)
    .where('date', '<=', last)
    .where((eb) => eb.or([eb('therapist_id', '=', anyOf(people)), eb('client_id', '=', anyOf(people))]))
    .orderBy('date')
    .orderBy('start_minute')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...absenceOf(row), date: row.date }));
}

/** The sessions of each therapist, by id and date; also those that they declined. */
export const sessionsByTherapist = ({ sessions }: Pick<WeeksFacts, 'sessions'>) => {
  const own = groupBy(sessions, ({ therapistId, date }) => `${therapistId} ${date}`);
  return (therapistId: string, date: IsoDate): readonly DatedAppointment[] => own.get(`${therapistId} ${date}`) ?? [];
};
