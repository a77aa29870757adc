import type {
  CoverProblem,
  Declined,
  Pin,
  ProblemAbsence,
  ProblemSession,
  ProblemTherapist,
} from '@clinic/cover-engine';
import {
  compareNames,
  compareText,
  formatTime,
  groupBy,
  listWords,
  overlaps,
  SLOT_MINUTES,
  subtract,
  unpaidMemberSentence,
  type Interval,
} from '@clinic/domain';
import {
  groupOf,
  isHere,
  rootOf,
  type ClinicDay,
  type DayAppointment,
  type DayClient,
  type DayTherapist,
} from '../../day/facts/day.ts';
import { declinedWords, declineOf } from '../../tell/memory/declines.ts';
import { beyondGrid, inward, onGrid, outward, plannedFrom, toReal } from '../../day/facts/grid-plan.ts';
import { helpWindows } from '../../day/reserve.ts';
import { inBuilding, releasedSoon } from './in-building.ts';
import { problemClient, type ExtraTeam } from './joint-client.ts';
import { mismatch } from '../../people/match.ts';
import { reachOf } from '../../day/extra-hours.ts';
import type { FixedStretch, PlannedDay, PlannedPart, PlannedSession } from './planned-day.ts';
import { withPriorities } from '../../ledgers/count/priorities.ts';
import { awayWindows, type AwayWindows } from '../../day/facts/uncovered.ts';

export interface ToProblemOptions {
  /** The minute up to which the day counts as past; null if no part of it does. */
  now: number | null;
  /**
   * For each client: therapists who cover for the client on an earlier date of the proposal and so count as on the
   * client's team.
   */
  extraTeam?: ExtraTeam;
  /**
   * Appointments to plan as if they had no therapist: people were told that someone else is coming, or a coordinator
   * chose another therapist.
   */
  unheld?: readonly string[];
  /** For each therapist: the minutes that earlier dates of the proposal add to the week's hours. */
  added?: ReadonlyMap<string, number>;
}

/**
 * Turns a day into a problem for the engine, and keeps what is needed to turn its answer back into appointments.
 * Sessions at other locations, and time outside 7:00 to 19:00, do not change.
 */
export function toProblem(day: ClinicDay, options: ToProblemOptions): PlannedDay {
  const now = options.now;
  const extra = options.extraTeam ?? new Map<string, ReadonlySet<string>>();
  const absences = awayWindows(day);
  const clients = withPriorities(day, absences, options.unheld);
  const here = day.appointments.filter((a) => a.location === day.location && a.occupies);
  const therapists = day.therapists.filter(
    (t) => t.available.length > 0 || here.some((a) => a.therapistId === t.id || a.bookedTherapistId === t.id),
  );
  const ids = therapists.map((t) => t.id);
  const sessions: PlannedSession[] = [];
  const problemSessions: ProblemSession[] = [];
  const problemClients = new Map<string, CoverProblem['clients'][number]>();
  const pins: Pin[] = [];
  const declined: Declined[] = [];
  for (const rows of groupRows(here, absences, clients)) {
    const members = rows.flatMap((r) => clients.get(r.clientId ?? '') ?? []);
    const session = planSession(day, rows, members, absences, plannedFrom(now), options.unheld);
    sessions.push(session);
    if (!session.grid) continue;
    problemClients.set(session.problemClient, problemClient(session.problemClient, members, ids, extra));
    problemSessions.push({
      ...window(session.grid),
      id: session.id,
      client: session.problemClient,
      therapist: session.therapistId,
      service: session.service,
      weight: session.weight ?? 100,
    });
    declined.push(...declinedBy(day, rows, session, ids));
    const pin = heldWhole(session);
    if (pin) pins.push(pin);
  }
  for (const a of here) {
    const grid = a.service === 'admin' ? onGrid(a) : null;
    if (grid)
      problemSessions.push({ ...window(grid), id: a.key, client: null, therapist: a.therapistId, service: 'admin' });
  }
  const known = new Set([...ids, ...problemClients.keys()]);
  const inside = inBuilding(day, sessions, absences, now);
  const elsewhere = bookedElsewhere(day);
  const problem: CoverProblem = {
    format: 'cover-problem/3',
    date: day.date,
    location: day.location,
    now: now === null ? null : formatTime(now),
    therapists: therapists.map((t) =>
      problemTherapist(day, t, elsewhere.get(t.id) ?? [], { inside, added: options.added?.get(t.id), now }),
    ),
    clients: [...problemClients.values()],
    sessions: problemSessions,
    absences: [...absences].flatMap(([who, list]) =>
      known.has(who) ? list.map((a): ProblemAbsence => ({ who, ...window(a) })) : [],
    ),
    declined,
    pins,
  };
  const names = Object.fromEntries(day.therapists.map((t) => [t.id, t.displayName]));
  const said = Object.fromEntries(day.declines.map((d) => [d.therapistId, declinedWords(d)]));
  return {
    location: day.location,
    date: day.date,
    version: day.version,
    now,
    problem,
    sessions,
    names,
    declined: said,
    reach: reachOf(day, therapists, absences),
    off: offOn(day, ids),
    elsewhere: Object.fromEntries(
      therapists.flatMap(({ id }) => {
        const booked = elsewhere.get(id);
        return booked ? [[id, booked.map(({ start, end }) => ({ start, end }))]] : [];
      }),
    ),
    standing: Object.fromEntries(day.therapists.flatMap((t) => (t.work ? [[t.id, t.work.standing]] : []))),
  };
}

/** Finds the location's therapists who are not in the problem. */
const offOn = (day: ClinicDay, inProblem: readonly string[]): NonNullable<PlannedDay['off']> =>
  day.therapists
    .filter(({ id, location }) => location === day.location && !inProblem.includes(id))
    .map(({ displayName: name, notEmployed }) => ({ name, notEmployed }));

const window = (w: Interval): { start: string; end: string } => ({
  start: formatTime(w.start),
  end: formatTime(w.end),
});

/**
 * Finds the therapists who do not take a session: they declined it or, for the rest of today, every session but their
 * own.
 */
function declinedBy(
  day: ClinicDay,
  rows: readonly DayAppointment[],
  session: PlannedSession,
  ids: readonly string[],
): Declined[] {
  const roots = rows.map(rootOf);
  const who = day.declines
    .filter(
      (d) =>
        d.sessions.some((s) => roots.includes(s)) || (d.scope === 'today' && d.therapistId !== session.therapistId),
    )
    .map((d) => d.therapistId);
  return [...new Set(who)].filter((id) => ids.includes(id)).map((therapist) => ({ therapist, session: session.id }));
}

/**
 * Groups the appointments with clients into sessions. Appointments of a group at the same time with the same therapist
 * are one session; each member who is away gets a separate session.
 */
function groupRows(
  here: readonly DayAppointment[],
  absences: AwayWindows,
  clients: ReadonlyMap<string, DayClient>,
): DayAppointment[][] {
  const out: DayAppointment[][] = [];
  const groups = new Map<string, DayAppointment[]>();
  for (const a of here) {
    if (a.clientId === null) continue;
    const away = (absences.get(a.clientId) ?? []).some((w) => overlaps(w, outward(a)));
    if (a.groupKey === null || away) {
      out.push([a]);
      continue;
    }
    const key = groupOf(a);
    const group = groups.get(key);
    if (group) group.push(a);
    else {
      const rows = [a];
      groups.set(key, rows);
      out.push(rows);
    }
  }
  // The members of a group are sorted by name, so that the result does not depend on the order in which rows were read.
  const name = (a: DayAppointment): string => clients.get(a.clientId ?? '')?.displayName ?? '';
  for (const rows of out) rows.sort((a, b) => compareNames(name(a), name(b)) || compareText(a.key, b.key));
  return out;
}

function planSession(
  day: ClinicDay,
  rows: readonly DayAppointment[],
  members: readonly DayClient[],
  absences: AwayWindows,
  from: number,
  unheld: readonly string[] = [],
): PlannedSession {
  const [first] = rows;
  if (!first) throw new Error('a session without appointments');
  const clientAway = rows.length === 1 ? (absences.get(first.clientId ?? '') ?? []) : [];
  const therapistId = rows.some((r) => unheld.includes(r.key))
    ? null
    : therapistFor(day, first, members, absences, from);
  const away = therapistId === null ? [{ start: 0, end: 1440 }] : (absences.get(therapistId) ?? []);
  const grid = onGrid(first);
  const parts: PlannedPart[] = [];
  const fixed: FixedStretch[] = [];
  if (grid) {
    const [past, ahead] = splitAt(grid, from);
    if (past) fixed.push({ kind: 'past', ...toReal(first, grid, past) });
    const gone = clientAway.map(outward);
    for (const part of subtract(ahead, gone)) parts.push({ ...part, affected: away.some((w) => overlaps(w, part)) });
    for (const w of subtract(ahead, parts)) fixed.push({ kind: 'cancel', ...toReal(first, grid, w) });
  }
  for (const beyond of beyondGrid(first)) fixed.push(...beyondStretches(beyond, from, clientAway, away));
  fixed.sort((a, b) => a.start - b.start);
  const name = listWords(members.map((m) => m.displayName));
  return {
    id: first.key,
    listedAs: name,
    problemClient: rows.length === 1 ? (first.clientId ?? '') : `group:${first.key}`,
    service: first.service,
    rows: rows.map((r) => ({
      key: r.key,
      ...(r.parentId === null ? {} : { root: r.parentId }),
      wireId: r.wireId,
      clientId: r.clientId ?? '',
      therapistId: r.therapistId,
      subject: r.subject,
      seat: r.seat,
      start: r.start,
      end: r.end,
    })),
    therapistId,
    start: first.start,
    end: first.end,
    grid,
    parts,
    fixed,
    ...(first.commitId !== null && first.therapistId !== first.bookedTherapistId ? { decided: true } : {}),
    ...(first.declined === undefined ? {} : { declined: first.declined }),
    ...weightOf(day, rows, members),
  };
}

/**
 * A group weighs as much as its heaviest session; one without a weight of its own weighs 100. If no authorization pays
 * for some of its children, a sentence names each of them.
 */
function weightOf(
  day: ClinicDay,
  rows: readonly DayAppointment[],
  members: readonly DayClient[],
): Pick<PlannedSession, 'weight' | 'about'> {
  const of = rows.map(({ key }) => day.weights.get(key));
  const most = of.reduce((heaviest, own) => ((own?.percent ?? 100) > (heaviest?.percent ?? 100) ? own : heaviest));
  const unpaid = new Set(most?.unpaid ? [] : rows.flatMap((row, i) => (of[i]?.unpaid ? (row.clientId ?? []) : [])));
  const about = [
    ...(most?.why ?? []),
    ...members.flatMap(({ id, displayName }) => (unpaid.has(id) ? unpaidMemberSentence(displayName, day.date) : [])),
    ...members.flatMap(({ priorityWhy }) => priorityWhy ?? []),
  ];
  return { ...(most ? { weight: most.percent } : {}), ...(about.length > 0 ? { about } : {}) };
}

/** Splits a window at `from`: the part before it (null if there is none), and the rest. */
function splitAt(w: Interval, from: number): [Interval | null, Interval[]] {
  if (w.end <= from) return [w, []];
  return w.start < from
    ? [{ start: w.start, end: from }, [{ start: from, end: w.end }]]
    : [null, [{ start: w.start, end: w.end }]];
}

/**
 * Returns the parts of a session that are not planned: cancelled while the client is away, without a therapist while
 * the therapist is away, otherwise as they are.
 */
function beyondStretches(
  w: Interval,
  from: number,
  clientAway: readonly Interval[],
  away: readonly Interval[],
): FixedStretch[] {
  const [past, ahead] = splitAt(w, from);
  const left = subtract(ahead, clientAway);
  const stays = subtract(left, away);
  const list = (kind: FixedStretch['kind'], of: Interval[]): FixedStretch[] => of.map((x) => ({ kind, ...x }));
  return [
    ...list('past', past ? [past] : []),
    ...list('cancel', subtract(ahead, left)),
    ...list('stays', stays),
    ...list('open', subtract(left, stays)),
  ];
}

/**
 * Finds the session's therapist in the plan. If a commit, a no or a withdrawn absence left the session without a
 * therapist, the plan gives it back to the original therapist, provided they are present for part of the session, free
 * then, and still allowed to serve the client.
 */
function therapistFor(
  day: ClinicDay,
  row: DayAppointment,
  members: readonly DayClient[],
  absences: AwayWindows,
  from: number,
): string | null {
  if (row.therapistId !== null && row.declined === undefined) return row.therapistId;
  const original = day.therapists.find((t) => t.id === row.bookedTherapistId);
  if (!original || !isHere(original) || row.commitId === null) return null;
  if (declineOf(day.declines, { ...row, therapistId: original.id })) return null;
  const ahead = { start: Math.max(row.start, from), end: row.end };
  if (subtract([ahead], absences.get(original.id) ?? []).length === 0) return null;
  const mine = (a: DayAppointment): boolean =>
    a.therapistId === original.id || (a.therapistId === null && a.bookedTherapistId === original.id);
  const sameGroup = (a: DayAppointment): boolean => a.groupKey !== null && a.groupKey === row.groupKey;
  const busy = day.appointments.some(
    (a) =>
      a.key !== row.key &&
      a.occupies &&
      a.service !== 'admin' &&
      mine(a) &&
      !sameGroup(a) &&
      overlaps(outward(a), outward(row)),
  );
  return busy || members.some((m) => mismatchOf(m, original) !== null) ? null : original.id;
}

const mismatchOf = ({ displayName: client, ...limits }: DayClient, t: DayTherapist): string | null =>
  mismatch({
    ...limits,
    client,
    therapist: { ...t, display_name: t.displayName, specialization: t.credential, deleted_at: t.deleted ? t.id : null },
  });

/**
 * Pins a session to its therapist if it begins before 7:00 or ends after 19:00, because plans cannot change the time
 * outside these hours.
 */
function heldWhole(session: PlannedSession): Pin | null {
  const { grid, parts, therapistId } = session;
  if (!grid || parts.length === 0 || parts.some((p) => p.affected)) return null;
  if (beyondGrid(session).length === 0) return null;
  return { session: session.id, pieces: parts.map((p) => ({ therapist: therapistId, ...window(p) })) };
}

/**
 * Describes a therapist as the solver sees them: available for the whole quarter hours in which they can help here,
 * except during their sessions at other locations and, for the next hour, in time from which they were released.
 */
function problemTherapist(
  day: ClinicDay,
  t: DayTherapist,
  elsewhere: readonly Interval[],
  { inside, added, now }: { inside: ReadonlySet<string>; added: number | undefined; now: number | null },
): ProblemTherapist {
  const taken = [...elsewhere, ...releasedSoon(day, t.id, now)];
  return {
    id: t.id,
    name: t.displayName,
    credential: t.credential,
    gender: t.gender,
    tags: t.tags,
    onlyKnown: t.newHere,
    call: inside.has(t.id) ? 1 : 2,
    ...(t.work ? { cap: capAfter(t.work, added), load: t.work.load } : {}),
    available: inward(helpWindows(day, t), taken).map((w) => [formatTime(w.start), formatTime(w.end)]),
  };
}

/** The sessions at other locations, by therapist. */
const bookedElsewhere = ({ appointments, location }: ClinicDay): Map<string, DayAppointment[]> =>
  groupBy(
    appointments.filter((a) => a.occupies && a.location !== location),
    (a) => a.therapistId ?? '',
  );

/**
 * Works out how many slots of other therapists' sessions a therapist may take when earlier dates add minutes to their
 * week.
 */
const capAfter = ({ cap, hours, limits }: NonNullable<DayTherapist['work']>, added = 0): number =>
  Math.max(0, Math.min(cap, Math.floor((limits.week - hours.week - added) / SLOT_MINUTES)));
