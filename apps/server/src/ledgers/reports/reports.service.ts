import {
  MOST_REPORT_DAYS,
  UNASSIGNED,
  type ReportBy,
  type ReportFigure,
  type ReportGroup,
  type ReportReply,
  type ReportSessions,
} from '@clinic/contract';
import {
  compareNames,
  daysBetween,
  formatTime,
  locationLabel,
  clinicLocations,
  shortDate,
  weekdayName,
  capital,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import { careNow, type CareNow } from '../count/care-hours.ts';
import { selectAbsencesOf, selectCareSessions, selectClientSessions } from '../count/care-hours.queries.ts';
import { loadBilling, silentPayers } from '../count/billing.ts';
import { countSessions, type CountedSession } from '../count/count-sessions.ts';
import { selectNames } from '../../people/people.ts';
import { cutOf } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import { onSnapshot } from '../../db/retry.ts';
import { mayWorkAt } from '../../access/caller.ts';
import type { Caller } from '../../access/sessions.ts';
import { refusal } from '../../platform/refusal.ts';
import type { WallNow } from '../../platform/wall-clock.ts';
import { coverLoad, groupHours, groupsOf, holderOf, median, NONE, workedBy, type Group } from './report.ts';
import { selectCauseLabels, selectTherapistTime, type TherapistTime } from './reports.queries.ts';

/** The locations and dates of a report. */
export interface ReportRange {
  readonly locations: readonly Location[];
  readonly from: IsoDate;
  readonly to: IsoDate;
}

/** The maximum number of sessions listed for one figure. */
const MOST_SESSIONS = 500;

/**
 * Reads a request's range. Refuses with 422 a range that is empty
 * or too long.
 */
export function readRange(
  caller: Pick<Caller, 'locations'>,
  query: { location?: Location | undefined; from: string; to: string },
): ReportRange {
  const all = clinicLocations()
    .map((each) => each.value)
    .filter((each) => mayWorkAt(caller, each));
  const [from, to] = [query.from as IsoDate, query.to as IsoDate];
  const days = daysBetween(from, to) + 1;
  if (days < 1 || days > MOST_REPORT_DAYS) throw refusal('report-range', MOST_REPORT_DAYS);
  return { locations: query.location === undefined ? all : [query.location], from, to };
}

type NowAt = (location: Location) => WallNow;

const nowhere = (location: Location): never => {
  throw new Error(`no session at ${location}`);
};

/**
 * Returns every session in the range with its kept, lost and open minutes, by the clock of its location. Also returns
 * the payers without a record of which codes may be billed at the same time. What is billable also depends on the
 * clients' sessions at other locations, whether or not the account may see those locations.
 */
async function countRange(trx: Db, { locations, from, to }: ReportRange, nowAt: NowAt) {
  const here = [];
  for (const location of locations) here.push(...(await selectCareSessions(trx, location, from, to)));
  const clients = [...new Set(here.flatMap(({ clientId }) => clientId ?? []))];
  const elsewhere = await selectClientSessions(trx, clients, from, to, locations);
  const all = [...here, ...elsewhere];
  const absences = await selectAbsencesOf(trx, all, [from, to]);
  const billing = await loadBilling(trx, clients, [from, to]);
  const now = new Map<Location, CareNow>();
  for (const location of new Set(all.map((session) => session.location))) {
    const wall = nowAt(location);
    now.set(location, careNow(wall, await cutOf(trx, wall)));
  }
  const counted = countSessions(all, absences, (location) => now.get(location) ?? nowhere(location), billing);
  return { counted: counted.filter(({ session }) => locations.includes(session.location)), silent: billing.silent };
}

/** Makes the report for a range, read in one snapshot. */
export async function readReport(db: Db, range: ReportRange, nowAt: NowAt): Promise<ReportReply> {
  return onSnapshot(db, async (trx) => {
    const { counted, silent } = await countRange(trx, range, nowAt);
    const therapists = await selectTherapistTime(trx, range.locations, range.from, range.to);
    const worked = workedBy(counted);
    const labels = await labelsOf(trx, counted);
    const group = (by: ReportBy): ReportGroup[] =>
      groupHours(counted, by)
        .map((each) => presentGroup(each, labels(by, each.key)))
        .sort(BY_TIME.has(by) ? (a, b) => (a.key < b.key ? -1 : 1) : byName);
    const mostLost = (a: ReportGroup, b: ReportGroup): number => b.lost - a.lost || byName(a, b);
    return {
      from: range.from,
      to: range.to,
      locations: [...range.locations],
      total: {
        ...presentGroup(groupHours(counted, 'total')[0] ?? NOTHING, 'All sessions'),
        available: therapists.reduce((sum, each) => sum + each.available, 0),
        worked: [...worked.values()].reduce((sum, minutes) => sum + minutes, 0),
      },
      groups: {
        location: group('location'),
        client: group('client'),
        therapist: withTime(group('therapist'), therapists, worked),
        weekday: group('weekday'),
        day: group('day'),
        cause: group('cause').sort(mostLost),
        side: group('side').sort(mostLost),
      },
      cover: coverOf(counted, therapists),
      off: silentPayers(silent),
    };
  });
}

const BY_TIME: ReadonlySet<ReportBy> = new Set(['weekday', 'day']);
const byName = (a: ReportGroup, b: ReportGroup): number => compareNames(a.label, b.label);
const NOTHING: Group = { key: '', hours: NONE, sessions: 0 };

const presentGroup = ({ key, hours, sessions }: Group, label: string): ReportGroup => ({
  key,
  label,
  sessions,
  ...hours,
});

/**
 * Adds a group for each of these therapists who has no sessions. Adds to each therapist's group how many minutes they
 * worked, and how many they were available. Therapists from other locations have no availability here.
 */
function withTime(
  groups: readonly ReportGroup[],
  therapists: readonly TherapistTime[],
  worked: ReadonlyMap<string, number>,
): ReportGroup[] {
  const time = new Map(therapists.map((each) => [each.id, each]));
  const found = new Set(groups.map((each) => each.key));
  const idle = therapists
    .filter(({ id }) => !found.has(id))
    .map(({ id, name }) => presentGroup({ ...NOTHING, key: id }, name));
  return [...groups, ...idle]
    .map((each) => {
      const available = time.get(each.key)?.available;
      const own = { ...each, ...(each.key === '' ? {} : { worked: worked.get(each.key) ?? 0 }) };
      return available === undefined ? own : { ...own, available };
    })
    .sort(byName);
}

function coverOf(counted: readonly CountedSession[], therapists: readonly TherapistTime[]): ReportReply['cover'] {
  const names = new Map(therapists.map((each) => [each.id, each.name]));
  const load = [...coverLoad(counted, [...names.keys()])]
    .map(([id, minutes]) => ({ therapist: names.get(id) ?? '', minutes }))
    .sort((a, b) => b.minutes - a.minutes || compareNames(a.therapist, b.therapist));
  const shared = (of: (typeof load)[number] | undefined) =>
    of === undefined ? null : { ...of, others: load.filter(({ minutes }) => minutes === of.minutes).length - 1 };
  return { most: shared(load[0]), median: median(load.map((each) => each.minutes)), least: shared(load.at(-1)) };
}

/** Returns a function that gives a group's label. */
async function labelsOf(trx: Db, counted: readonly CountedSession[]): Promise<(by: ReportBy, key: string) => string> {
  const people = counted.flatMap(({ session }) => [session.clientId ?? '', holderOf(session)]);
  const names = await selectNames(trx, people);
  const causes = await selectCauseLabels(trx);
  return (by, key) => {
    if (by === 'location') return locationLabel(key);
    if (by === 'client') return names.get(key) ?? '';
    if (by === 'therapist') return names.get(key) ?? UNASSIGNED;
    if (by === 'weekday') return weekdayName(Number(key));
    if (by === 'day') return shortDate(key as IsoDate);
    if (by === 'cause') return causes.get(key) ?? 'No reason yet';
    return capital(key);
  };
}

/** Returns the sessions that make up a group's figure, in chronological order. */
export async function readReportSessions(
  db: Db,
  range: ReportRange,
  nowAt: NowAt,
  of: { readonly by: ReportBy; readonly key: string; readonly figure: ReportFigure },
): Promise<ReportSessions> {
  return onSnapshot(db, async (trx) => {
    const found = (await countRange(trx, range, nowAt)).counted.flatMap((counted) => {
      const minutes = groupsOf(counted, of.by)
        .filter((group) => group.key === of.key)
        .reduce((sum, group) => sum + group.hours[of.figure], 0);
      return minutes > 0 ? [{ counted, minutes }] : [];
    });
    found.sort((a, b) => compareStart(a.counted, b.counted));
    const listed = found.slice(0, MOST_SESSIONS);
    const names = await labelsOf(
      trx,
      listed.map((each) => each.counted),
    );
    return {
      count: found.length,
      sessions: listed.map(({ counted: { session, losses }, minutes }) => ({
        key: session.key,
        location: session.location,
        date: session.date,
        start: formatTime(session.start),
        end: formatTime(session.end),
        client: names('client', session.clientId ?? ''),
        therapist: names('therapist', holderOf(session)),
        subject: session.subject,
        minutes,
        causes: losses.map(({ label, side, late }) => ({ label, side, late })),
      })),
    };
  });
}

const compareStart = ({ session: a }: CountedSession, { session: b }: CountedSession): number =>
  a.date === b.date ? a.start - b.start : a.date < b.date ? -1 : 1;
