import { sql } from 'kysely';
import {
  addDays,
  codeOf,
  compareNames,
  compareText,
  datesFrom,
  groupBy,
  listWords,
  defaultLocation,
  locationOf,
  locationValues,
  locationLabel,
  minutesOf,
  pushTo,
  subtract,
  timeSlot,
  type Interval,
  type IsoDate,
  type Location,
  type PersonKind,
} from '@clinic/domain';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import { together } from '../db/snapshot.ts';
import { withTimes } from '../db/wall-time.ts';
import { selectUses, unpaidIn } from '../ledgers/count/authorizations.ts';
import { careNow, missedTime, openFrom, type CareNow } from '../ledgers/count/care-hours.ts';
import { absenceAt, absenceOf, selectAbsenceRows } from './facts/clinic-day.queries.ts';
import { rootOf, type DayAbsence, type Decline } from './facts/day.ts';
import { declineOf, selectDeclines } from '../tell/memory/declines.ts';
import { doubleBooked, type DoubleBooked, type Expected } from './double-booked.ts';
import { plannedFrom } from './facts/grid-plan.ts';
import { cutAt, isDemoClinic, type WallOf } from './facts/present.ts';
import { selectBooked, selectRuled, type BookedRow } from './ruled-sessions.ts';
import { brokenRules, isMendedByCover, type Broken, type RuledSession } from './session-rules.ts';
import { toCancelOf } from './to-cancel.ts';
import { awayByDate, uncoveredOf, type AwayWindows } from './facts/uncovered.ts';

/** A booked session among the things that are wrong. */
export interface WrongSession extends Interval {
  readonly key: string;
  readonly location: Location;
  /** The names of its people; null for administrative time, and without a therapist. */
  readonly client: string | null;
  readonly therapist: string | null;
}

/** One thing that is wrong on a day. */
export type Wrong = {
  /** The day's sessions that it is about, the first one first. */
  readonly sessions: readonly WrongSession[];
} & (
  | {
      /** A person is in two places at once. */
      readonly kind: 'twice';
      readonly person: { readonly type: PersonKind; readonly name: string };
      /** When. */
      readonly times: readonly Interval[];
    }
  /** A session breaks rules. */
  | {
      readonly kind: 'rule';
      readonly session: RuledSession;
      readonly broken: readonly Broken[];
      readonly byCover: boolean;
    }
  /** A client is away, and the session is still booked. */
  | { readonly kind: 'to-submit'; readonly times: readonly Interval[] }
);

/** Whether all is well at a location on a date. */
export interface WellDay {
  readonly location: Location;
  readonly date: IsoDate;
  /** How many sessions with clients are booked. */
  readonly booked: number;
  /** How many of them need cover. */
  readonly open: number;
  readonly wrong: readonly Wrong[];
  /** For each appointment of the location that something is wrong with, what it is, in sentences. */
  readonly marks: ReadonlyMap<string, readonly string[]>;
}

/** The days of all locations from `from` through `to`. */
export type WellDays = (location: Location, date: IsoDate) => WellDay;

/**
 * Finds out whether all is well on some dates at every location. Solves nothing, and reads nothing of earlier dates
 * except for clients who see only familiar people, and what authorizations have left. The number of statements does not depend on the number of dates.
 */
export async function loadWell(db: Db, [from, to]: readonly [IsoDate, IsoDate], wallOf: WallOf): Promise<WellDays> {
  const onDates = sql`location = ${anyOf(locationValues())} and starts::date between ${from}::date and ${to}::date`;
  const [booked, absences, isDemo, declines] = await together(
    selectBooked(db, onDates),
    selectAbsenceRows(db).where('date', '>=', from).where('date', '<=', to).execute(),
    isDemoClinic(db),
    Promise.all(locationValues().map((location) => selectDeclines(db, location, from, to))),
  );
  const awayAt = awayByClock(absences.map((row) => ({ ...absenceOf(row), date: row.date })));
  const refused = new Map(locationValues().map((location, i) => [location, declines[i] ?? []]));
  const placed = booked.map((row) => {
    const timed = withTimes(row);
    const { date, location, start, end } = timed;
    const away = awayAt(location)(date);
    const own = (refused.get(location) ?? []).filter((decline) => decline.date === date);
    const cut = cutAt(wallOf(location), isDemo)(date);
    const present = careNow(wallOf(location), cutAt(wallOf(location), isDemo));
    return { ...timed, ...expectedOf({ ...row, date, start, end }, own, away, { cut, present }) };
  });
  const [ruled, names, unpaid] = await together(
    selectRuled(db, booked),
    selectNames(db, booked),
    loadUnpaid(db, placed, [from, to], careNow(wallOf(defaultLocation()), cutAt(wallOf(defaultLocation()), isDemo))),
  );
  const rules = new Map(ruled.map((session) => [session.id, { ...session, isSpent: unpaid.has(session.id) }]));
  const rows = placed.map((row): Placed => ({ ...row, names: namesOf(row, names) }));
  const rowsOn = groupBy(rows, ({ date }) => date);
  const clashesOn = new Map([...rowsOn].map(([date, own]) => [date, doubleBooked(own)]));
  return (location, date) => {
    const here = (rowsOn.get(date) ?? []).filter((row) => row.location === location);
    return wellDay({ location, date }, here, clashesOn.get(date) ?? [], rules);
  };
}

/** A booked appointment, with everything that is asked about it. */
/** Who is away on a date, by the clock of a location. */
function awayByClock(
  absences: readonly (DayAbsence & { readonly date: IsoDate })[],
): (location: Location) => ReturnType<typeof awayByDate> {
  const byZone = new Map<string, ReturnType<typeof awayByDate>>();
  return (location) => {
    const { zone } = locationOf(location);
    const known = byZone.get(zone);
    if (known) return known;
    const made = awayByDate(
      absences.map((absence) => ({ ...absenceAt(absence, location, absence.date), date: absence.date })),
    );
    byZone.set(zone, made);
    return made;
  };
}

interface Placed extends BookedRow, Expected {
  readonly date: IsoDate;
  readonly start: number;
  readonly end: number;
  /** When it has no therapist. */
  readonly open: readonly Interval[];
  /** When its client is away although it is not cancelled. */
  readonly toCancel: readonly Interval[];
  /** How much of it uses units of an authorization: all but what is lost. */
  readonly minutes: number;
  readonly names: Pick<WrongSession, 'client' | 'therapist'>;
}

/** When an appointment's people are expected, from `cut` on, and when someone is missing. */
function expectedOf(
  row: BookedRow & Interval & { readonly date: IsoDate },
  declines: readonly Decline[],
  away: AwayWindows,
  { cut, present }: { readonly cut: number | null; readonly present: CareNow },
) {
  const { client_id: clientId, therapist_id: therapistId, date, service, start, end } = row;
  const declined = declineOf(declines, { key: row.id, parentId: row.parent_id, therapistId }) && 'declined';
  const coverable = { clientId, therapistId, service, start, end, occupies: true, declined };
  const ahead = { start: Math.max(start, plannedFrom(cut)), end };
  const clientThere = subtract([ahead], away.get(clientId ?? '') ?? []);
  const open = uncoveredOf(coverable, away, cut);
  const missing = [...open, ...(away.get(therapistId ?? '') ?? [])];
  const takesPlace = therapistId === null ? [] : subtract(clientThere, missing);
  const minutes = end - start - minutesOf(missedTime({ ...coverable, date }, away, present).lost);
  return { open, clientThere, takesPlace, minutes, toCancel: toCancelOf(coverable, away, cut) };
}

/** Finds the sessions that nothing pays for, because earlier ones used up the units. */
async function loadUnpaid(
  db: Db,
  booked: readonly Omit<Placed, 'names'>[],
  [from, to]: readonly [IsoDate, IsoDate],
  now: CareNow,
): Promise<ReadonlySet<string>> {
  const sessions = booked.flatMap(({ id, client_id: client, date, service, subject, start, minutes }) =>
    client === null ? [] : [{ key: id, client, date, code: codeOf(service, subject), start, minutes }],
  );
  const clients = [...new Set(sessions.map(({ client }) => client))].sort(compareText);
  const dates = datesFrom(addDays(from, 1), to);
  return unpaidIn(await selectUses(db, clients, [from, ...dates], openFrom(from, now)), sessions);
}

async function selectNames(db: Db, booked: readonly BookedRow[]): Promise<ReadonlyMap<string, string>> {
  const named = (table: 'client' | 'therapist', ids: readonly (string | null)[]) =>
    db
      .selectFrom(table)
      .select(['id', 'display_name'])
      .where('id', '=', anyOf(new Set(ids)))
      .execute();
  const [clients, therapists] = await together(
    named(
      'client',
      booked.map((row) => row.client_id),
    ),
    named(
      'therapist',
      booked.map((row) => row.therapist_id),
    ),
  );
  return new Map([...clients, ...therapists].map(({ id, display_name }) => [id, display_name]));
}

const namesOf = (row: BookedRow, names: ReadonlyMap<string, string>): Placed['names'] => ({
  client: names.get(row.client_id ?? '') ?? null,
  therapist: names.get(row.therapist_id ?? '') ?? null,
});

const shown = ({ id: key, location, start, end, names }: Placed): WrongSession => ({
  key,
  location,
  start,
  end,
  ...names,
});

/** Puts together what is wrong at a location on a date. */
function wellDay(
  on: Pick<WellDay, 'location' | 'date'>,
  here: readonly Placed[],
  clashes: readonly DoubleBooked<Placed>[],
  rules: ReadonlyMap<string, RuledSession>,
): WellDay {
  const marks = new Map<string, string[]>();
  const twice = clashes
    .filter(({ rows }) => rows.some(({ location }) => location === on.location))
    .map((clash) => {
      for (const row of clash.rows) if (row.location === on.location) pushTo(marks, row.id, twiceWords(clash, row));
      return twiceOf(clash, on.location);
    });
  const against = here.flatMap((row): Wrong[] => {
    const session = row.takesPlace.length === 0 ? undefined : rules.get(row.id);
    const broken = session ? brokenRules(session) : [];
    for (const { why } of broken) pushTo(marks, row.id, why);
    if (!session || broken.length === 0) return [];
    const byCover = broken.every(({ rule }) => isMendedByCover(rule));
    return [{ kind: 'rule', sessions: [shown(row)], session, broken, byCover }];
  });
  const unsubmitted = [
    ...groupBy(
      here.filter((row) => row.toCancel.length > 0),
      keyOf,
    ).values(),
  ].map((pieces): Wrong => {
    for (const row of pieces) pushTo(marks, row.id, UNSUBMITTED);
    return { kind: 'to-submit', sessions: pieces.map(shown), times: pieces.flatMap(({ toCancel }) => toCancel) };
  });
  const withClients = here.filter((row) => row.service !== 'admin');
  return {
    ...on,
    booked: countRoots(withClients),
    open: countRoots(here.filter((row) => row.open.length > 0)),
    wrong: [...twice, ...against, ...unsubmitted].sort(inOrder),
    marks,
  };
}

/** How many sessions are not cancelled yet although their client is away. */
export const countToSubmit = ({ wrong }: WellDay): number => wrong.filter(({ kind }) => kind === 'to-submit').length;

const UNSUBMITTED = 'The client is away, and the cancellation is not submitted.';

const keyOf = ({ id, parent_id }: BookedRow): string => rootOf({ key: id, parentId: parent_id });
const countRoots = (rows: readonly Placed[]): number => new Set(rows.map(keyOf)).size;

const startOf = ({ sessions }: Wrong): number => Math.min(...sessions.map(({ start }) => start));
const inOrder = (a: Wrong, b: Wrong): number =>
  startOf(a) - startOf(b) || compareNames(a.sessions[0]?.client ?? '', b.sessions[0]?.client ?? '');

function twiceOf({ type, rows, times }: DoubleBooked<Placed>, location: Location): Wrong {
  // The location's own sessions come first: its page can show only them.
  const own = rows.toSorted((a, b) => Number(b.location === location) - Number(a.location === location));
  const name = own[0]?.names[type] ?? '';
  return { kind: 'twice', person: { type, name }, sessions: own.map(shown), times };
}

/** Says beside one of a double booking's appointments where else the person is. */
function twiceWords({ type, rows }: DoubleBooked<Placed>, row: Placed): string {
  const others = rows.filter((each) => each !== row);
  const words = others.map((other) => {
    const slot = timeSlot(other.start, other.end);
    if (other.location !== row.location) return `${slot} at ${locationLabel(other.location)}`;
    return `${slot} with ${(type === 'therapist' ? other.names.client : other.names.therapist) ?? 'no one yet'}`;
  });
  return `${row.names[type] ?? ''} is also booked ${listWords(words)}.`;
}
