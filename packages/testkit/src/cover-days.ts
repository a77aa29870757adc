/**
 * Seeded clinic days as cover problems (`cover-problem/1`, or `/3` with `trade`), from 1 therapist with 1 client to 250
 * therapists with 270 clients and beyond, for the engine's tests and its benchmark. The shapes of a day (windows,
 * session patterns, care teams, restrictions, absences) follow the statistics of real day plans from ABA clinics; the
 * people are invented.
 */
import type { CoverProblem, Credential, ProblemClient, ProblemTherapist } from '@clinic/cover-engine';
import { asTimes, at, BCBA_DAYS, CLIENT_DAYS, hourFrom, OTHER_DAYS, windows } from './clinic-shapes.ts';
import { absences, bookGroups, pinSome } from './cover-day-extras.ts';
import { Day } from './day.ts';
import { peopleNames } from './names.ts';
import { addTrade } from './trade.ts';
import { randomFrom, type Interval } from '@clinic/domain';

/**
 * `absent`: the share of therapists who are away, 0 to 1. The share of clients who are away is three fifths of this
 * share. All other options have realistic defaults.
 */
export interface CoverDayOptions {
  seed: number;
  therapists: number;
  clients: number;
  absent: number;
  /** Makes days fuller and restrictions narrower, so that fewer people can help. */
  hard?: boolean;
  /** The current time, `HH:MM`; therapists' absences then mostly begin after that time. */
  now?: string | null;
  /** The maximum number of affected sessions to pin, each to a free therapist who may serve it or to no therapist. */
  pins?: number;
  /**
   * The share of direct sessions that are groups. A group is modeled as a single client whose priority is the sum of
   * its members' priorities.
   */
  groups?: number;
  /** How many sessions are double-booked with a therapist who is already busy. */
  doubleBooked?: number;
  /** The chance that a direct session is booked without a therapist; 0.03 by default. */
  unassigned?: number;
  /** Adds tags, needs, limits and the other fields of `trade.ts`, as often as in a clinic that keeps ledgers. */
  trade?: boolean;
  date?: string;
  location?: string;
}

function staff(day: Day, count: number, hard: boolean): ProblemTherapist[] {
  const { random } = day;
  const names = peopleNames(random, count);
  const bcbas = count < 3 ? 0 : Math.max(1, Math.round(count * 0.12));
  const rbtShare = 0.6 + 0.3 * random.next();
  return names.map((name, i) => {
    const credential: Credential = i < bcbas ? 'BCBA' : random.chance(rbtShare) ? 'RBT' : 'BT';
    const hours = windows(random.weighted(credential === 'BCBA' ? BCBA_DAYS : OTHER_DAYS));
    const id = `T${i + 1}`;
    day.hours.set(id, hours);
    const gender = random.chance(hard ? 0.58 : 0.78) ? 'Female' : 'Male';
    return { id, name, credential, gender, available: asTimes(hours) };
  });
}

function family(day: Day, count: number, team: readonly ProblemTherapist[], hard: boolean): ProblemClient[] {
  const { random } = day;
  const hands = team.filter((t) => t.credential !== 'BCBA');
  const leads = team.filter((t) => t.credential === 'BCBA');
  const scarce = hard ? random.int(1, 12) : 1;
  return peopleNames(random, count).map((name, i) => {
    const gender = random.chance(hard ? 0.36 : 0.14) ? (random.chance(0.88) ? 'Female' : 'Male') : null;
    const fits = gender ? hands.filter((t) => t.gender === gender) : hands;
    const familiar = random.sample(fits, 4 + random.int(5, hard && random.chance(0.3) ? 5 : 7));
    const knows: ProblemClient['knows'] = {};
    familiar.forEach((t, k) => (knows[t.id] = k < 4 ? 'team' : 'known'));
    if (leads.length > 0 && random.chance(0.9)) knows[random.pick(leads).id] = 'known';
    const strangers = team.filter((t) => !knows[t.id]).map((t) => t.id);
    const excludes = random.chance(hard ? 0.58 : 0.2) ? random.sample(strangers, random.int(1, hard ? scarce : 1)) : [];
    return {
      id: `C${i + 1}`,
      name,
      priority: random.chance(0.11) ? 150 : 100,
      requiresGender: gender ? [gender] : [],
      excludes,
      knows,
      knownOnly: random.chance(0.07),
      credentials: random.chance(0.1) ? ['RBT', 'BCBA'] : null,
    };
  });
}

/**
 * Picks a therapist who is free in the window and known to the client, most often from the care team; null if there is
 * none.
 */
function caregiver(
  day: Day,
  client: ProblemClient,
  team: readonly ProblemTherapist[],
  window: Interval,
): string | null {
  const may = team.filter(
    (t) =>
      t.credential !== 'BCBA' &&
      client.knows?.[t.id] &&
      (client.credentials?.includes(t.credential) ?? true) &&
      day.free(t.id, window),
  );
  const ofTeam = may.filter((t) => client.knows?.[t.id] === 'team');
  const from = ofTeam.length > 0 && !day.random.chance(0.3) ? ofTeam : may;
  return from.length > 0 ? day.random.pick(from).id : null;
}

/**
 * Draws the windows of a client's day, up to four times, until therapists that the client knows are free in them. Keeps
 * the last draw.
 */
function patternFor(day: Day, client: ProblemClient, team: readonly ProblemTherapist[]): readonly Interval[] {
  let pattern: readonly Interval[] = [];
  for (let tries = 0; tries < 4; tries++) {
    pattern = windows(day.random.weighted(CLIENT_DAYS));
    if (pattern.every((window) => caregiver(day, client, team, window) !== null)) break;
  }
  return pattern;
}

function bookClient(day: Day, client: ProblemClient, team: ProblemTherapist[], options: CoverDayOptions): void {
  const { random } = day;
  let first: string | null = null;
  for (const window of patternFor(day, client, team)) {
    if (random.chance(options.unassigned ?? 0.03)) {
      day.book(client.id, null, window, 'direct');
    } else if (first !== null && day.free(first, window)) {
      day.book(client.id, first, window, 'direct');
    } else {
      const found: string | null = caregiver(day, client, team, window);
      if (found === null && !random.chance(options.hard ? 0.2 : 0.1)) continue;
      day.book(client.id, found, window, 'direct');
      first = random.chance(0.5) ? found : null;
    }
  }
  const lead = team.find((t) => t.credential === 'BCBA' && client.knows?.[t.id]);
  const session = day.sessions.findLast((s) => s.client === client.id && s.service === 'direct');
  if (lead && session && random.chance(0.14)) {
    const window = hourFrom(at(session.start) + 60);
    if (day.free(lead.id, window)) day.book(client.id, lead.id, window, 'supervision');
  } else if (lead && random.chance(0.05) && day.free(lead.id, hourFrom(960))) {
    day.book(client.id, lead.id, hourFrom(960), 'parent-training');
  }
}

function bookAdmin(day: Day, team: ProblemTherapist[], share: number): void {
  const { random } = day;
  for (const t of team) {
    if (!random.chance(share)) continue;
    const starts = (day.hours.get(t.id) ?? []).flatMap(({ start, end }) =>
      Array.from({ length: Math.max(0, Math.floor((end - start) / 60)) }, (_, i) => start + 60 * i),
    );
    const open = starts.filter((start) => day.free(t.id, hourFrom(start)));
    const hours = t.credential === 'BCBA' ? random.int(1, 3) : 1;
    for (const start of random.sample(open, hours)) day.book(null, t.id, hourFrom(start), 'admin');
  }
}

function bookDay(day: Day, team: ProblemTherapist[], clients: ProblemClient[], options: CoverDayOptions): void {
  for (const client of day.random.shuffle(clients)) {
    // Some clients do not come that day.
    if (clients.length > 4 && day.random.chance(options.hard ? 0.02 : 0.1)) continue;
    bookClient(day, client, team, options);
  }
  bookAdmin(day, team, options.hard ? 0.75 : 0.5);
}

/** A realistic clinic day. The same options give the same day, byte for byte. */
export function coverDay(options: CoverDayOptions): CoverProblem {
  const day = new Day(randomFrom(options.seed));
  const therapists = staff(day, options.therapists, options.hard ?? false);
  const clients = family(day, options.clients, therapists, options.hard ?? false);
  bookDay(day, therapists, clients, options);
  const joint = options.groups ? bookGroups(day, therapists, clients, options.groups) : [];
  const direct = day.sessions.filter((s) => s.service === 'direct');
  for (let i = 0; direct.length > 0 && i < (options.doubleBooked ?? 0); i++) {
    const twice = day.random.pick(direct);
    const other = day.random.pick(clients);
    const start = at(twice.start) + 30;
    day.book(other.id, twice.therapist, { start, end: start + 90 }, 'direct');
  }
  const problem: CoverProblem = {
    format: 'cover-problem/1',
    date: options.date ?? '2026-11-20',
    location: options.location ?? 'altamonte',
    now: options.now ?? null,
    therapists,
    clients: [...clients, ...joint],
    sessions: day.sessions,
    absences: absences(day, therapists, clients, options),
    pins: [],
  };
  if (options.trade) addTrade(day.random, problem, 0.4);
  if (options.pins) problem.pins = pinSome(day, problem, options.pins) ?? [];
  return problem;
}
