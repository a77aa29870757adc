import {
  addDays,
  clockTime,
  compareNames,
  mondayOf,
  MINUTES_A_DAY,
  overlaps,
  type Interval,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import { loadClinicDay } from '../day/clinic-day.ts';
import { rootOf, type ClinicDay, type DayAppointment } from '../day/facts/day.ts';
import { selectUndoableCommits, type CommitRow } from '../day/commits.ts';
import { loadWell, type WellDay } from '../day/well.ts';
import { closedTime, selectClosures } from '../day/facts/closures.ts';
import { cutAt } from '../day/facts/present.ts';
import { onSnapshot } from '../db/retry.ts';
import { together } from '../db/snapshot.ts';
import { awayPeople, peopleOfDay, type AwayPerson } from '../day/rows.ts';
import { awayByDate, awayWindows, uncoveredOf, type AwayWindows } from '../day/facts/uncovered.ts';
import type { Db } from '../db/connection.ts';
import type { WallNow } from '../platform/wall-clock.ts';
import { reserveOf, type Reserve } from './reserve.ts';
import { careNow } from '../ledgers/count/care-hours.ts';
import { selectAbsencesOf, selectCareSessions } from '../ledgers/count/care-hours.queries.ts';
import { selectNotSaid, type NotSaid } from './today.queries.ts';
import { weekHours, type DayHours } from './week.ts';

/** A part of a session that has no therapist. */
export interface OpenStretch extends Interval {
  readonly key: string;
  /** The key of the session, which all its pieces share. */
  readonly session: string;
  readonly client: string;
  readonly subject: string;
  /** Why the time has no therapist, in one sentence. */
  readonly why: string;
}

/** What needs doing at a location. */
export interface Today {
  readonly now: WallNow;
  readonly open: readonly OpenStretch[];
  readonly well: WellDay;
  readonly away: readonly AwayPerson[];
  readonly commits: readonly CommitRow[];
  readonly reserve: readonly Reserve[];
  readonly week: readonly DayHours[];
  /** The absences and lost sessions of the whole week that have no cause yet. */
  readonly notSaid: readonly NotSaid[];
}

/** Reads a date and its week at a location, in one snapshot. */
export async function readToday(db: Db, location: Location, date: IsoDate, now: WallNow): Promise<Today> {
  return onSnapshot(db, async (trx) => {
    const monday = mondayOf(date);
    const sunday = addDays(monday, 6);
    const [day, wellOf, sessions, commits, notSaid, closures] = await together(
      loadClinicDay(trx, location, date, { familiarity: false }),
      loadWell(trx, [date, date], () => now),
      selectCareSessions(trx, location, monday, sunday),
      selectUndoableCommits(trx, location, date, now),
      selectNotSaid(trx, location, monday, sunday),
      selectClosures(trx, date, date),
    );
    const cut = cutAt(now, day.isDemo);
    const closed = closures.flatMap((each) => (each.location === location ? (closedTime(each, date) ?? []) : []));
    const absences = await selectAbsencesOf(trx, sessions, [monday, sunday]);
    return {
      now,
      open: openStretches(day, cut(date)),
      well: wellOf(location, date),
      away: awayPeople(day, peopleOfDay(day)),
      commits,
      reserve: reserveOf(day, closed, cut(date)),
      notSaid,
      week: weekHours(monday, sessions, awayByDate(absences), careNow(now, cut)),
    };
  });
}

function openStretches(day: ClinicDay, cut: number | null): OpenStretch[] {
  const away = awayWindows(day);
  const names = new Map([...day.therapists, ...day.clients].map((person) => [person.id, person.displayName]));
  return day.appointments
    .filter((appointment) => appointment.location === day.location)
    .flatMap((appointment) =>
      uncoveredOf(appointment, away, cut).map(({ start, end }) => ({
        key: appointment.key,
        session: rootOf(appointment),
        client: names.get(appointment.clientId ?? '') ?? '',
        start,
        end,
        subject: appointment.subject,
        why: whyOpen(appointment, names, away),
      })),
    )
    .sort((a, b) => a.start - b.start || compareNames(a.client, b.client));
}

function whyOpen(appointment: DayAppointment, names: ReadonlyMap<string, string>, away: AwayWindows): string {
  const { therapistId, bookedTherapistId, declined } = appointment;
  if (therapistId !== null && declined !== undefined)
    return `${names.get(therapistId) ?? 'The therapist'}: ${declined}.`;
  if (therapistId !== null) {
    const windows = (away.get(therapistId) ?? []).filter((w) => overlaps(w, appointment));
    return `${names.get(therapistId) ?? 'The therapist'} is away ${windows.map(inWords).join(' and ')}.`;
  }
  const before = bookedTherapistId === null ? undefined : names.get(bookedTherapistId);
  return before === undefined ? 'No therapist is booked.' : `It was ${before}’s; no one has taken it.`;
}

function inWords({ start, end }: Interval): string {
  if (start <= 0 && end >= MINUTES_A_DAY - 1) return 'all day';
  if (start <= 0) return `until ${clockTime(end)}`;
  return end >= MINUTES_A_DAY - 1 ? `from ${clockTime(start)}` : `from ${clockTime(start)} to ${clockTime(end)}`;
}
