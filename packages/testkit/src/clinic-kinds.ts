/**
 * Days of clinics that work unlike the usual one: each kind has its own hours, sessions and absences. The usual days
 * (`cover-days.ts`) have many shapes at once; here everybody has the same few, so many plans cost nearly the same.
 */
import type { CoverProblem, Credential, ProblemAbsence, ProblemClient, ProblemTherapist } from '@clinic/cover-engine';
import { randomFrom, type Interval, type Random } from '@clinic/domain';
import { asTimes, hourFrom, windows } from './clinic-shapes.ts';
import { Day } from './day.ts';
import { peopleNames } from './names.ts';

export interface HardDay {
  /** The kind of day; days of one kind differ by seed. */
  kind: string;
  seed: number;
  problem: () => CoverProblem;
}

interface Kind {
  /** The hours of therapists; the default is everybody from 8 to 5. */
  readonly hours?: readonly string[];
  /** The sessions that a client's day may have. */
  readonly sessions: readonly string[];
  /** What an absence of a therapist may be. */
  readonly away: readonly string[];
  /** The share of therapists who are away. */
  readonly share: number;
  readonly now?: string;
  /** The share of therapists without bookings. */
  readonly floaters?: number;
  readonly bcbasAway?: boolean;
  readonly sites?: number;
  /** The share of therapists who are new here. */
  readonly fresh?: number;
  /** Whether another therapist takes each lunch. */
  readonly relief?: boolean;
}

const BLOCKS = [
  '08:00-11:00 11:00-13:00 14:00-17:00',
  '08:00-10:00 10:00-13:00 13:00-16:00',
  '09:00-12:00 12:00-15:00',
];
const TWICE = ['08:30-11:30 12:30-15:30', '08:00-12:00 13:00-16:00', '08:30-11:30 12:00-15:00'];
const MIXED = ['08:00-17:00', '08:30-17:30', '09:00-19:00', '08:00-16:00'];
const WHOLE = ['00:00-24:00', '00:00-24:00', '12:00-24:00'];

const KINDS: Readonly<Record<string, Kind>> = {
  blocks: { sessions: BLOCKS, away: ['00:00-24:00', '00:00-24:00', '12:00-15:30', '13:00-24:00'], share: 0.15 },
  'half-days of a third': {
    hours: MIXED,
    sessions: TWICE,
    away: ['00:00-12:00', '12:00-24:00', '10:00-11:30', '15:00-24:00'],
    share: 0.33,
  },
  snow: { sessions: TWICE, away: ['00:00-09:00', '00:00-10:15', '00:00-11:00'], share: 0.5 },
  floaters: { hours: MIXED, sessions: BLOCKS, away: WHOLE, share: 0.15, floaters: 0.2 },
  'now in sessions': {
    hours: MIXED,
    sessions: TWICE,
    away: ['10:45-24:00', '11:15-24:00', ...WHOLE],
    share: 0.2,
    now: '10:38',
  },
  'BCBAs away': { hours: MIXED, sessions: TWICE, away: WHOLE, share: 0.1, bcbasAway: true },
  'lunch reliefs': {
    sessions: ['08:00-12:30 13:00-16:00', '08:00-12:00 12:30-16:00'],
    away: WHOLE,
    share: 0.15,
    relief: true,
  },
  'split sites': { hours: MIXED, sessions: TWICE, away: WHOLE, share: 0.15, sites: 2 },
  'new therapists': { hours: MIXED, sessions: TWICE, away: WHOLE, share: 0.15, fresh: 0.4 },
};

/** The chance that a session for which nobody is free is booked without a therapist. */
const UNASSIGNED = 0.1;

const windowsOf = (random: Random, specs: readonly string[]): Interval[] => windows(random.pick([...specs]));

function team(day: Day, count: number, { hours = ['08:00-17:00'], sites = 1, fresh = 0 }: Kind): ProblemTherapist[] {
  const { random } = day;
  const bcbas = Math.max(2, Math.round(count * 0.13));
  return peopleNames(random, count).map((name, i): ProblemTherapist => {
    const id = `T${i + 1}`;
    const mine = windowsOf(random, hours);
    day.hours.set(id, mine);
    const credential: Credential = i < bcbas ? 'BCBA' : random.chance(0.7) ? 'RBT' : 'BT';
    const gender = random.chance(0.8) ? 'Female' : 'Male';
    const site = sites > 1 ? { tags: [`site-${i % sites}`] } : {};
    return { id, name, credential, gender, available: asTimes(mine), onlyKnown: random.chance(fresh), ...site };
  });
}

function families(day: Day, count: number, staff: readonly ProblemTherapist[], { sites = 1 }: Kind): ProblemClient[] {
  const { random } = day;
  return peopleNames(random, count).map((name, i): ProblemClient => {
    const needs = sites > 1 ? [`site-${i % sites}`] : [];
    const here = staff.filter(({ tags = [] }) => needs.every((need) => tags.includes(need)));
    const hands = here.filter(({ credential }) => credential !== 'BCBA');
    const lead = random.pick(here.filter(({ credential }) => credential === 'BCBA'));
    const known = random.sample(hands, Math.min(hands.length, 9));
    const knows: NonNullable<ProblemClient['knows']> = { [lead.id]: 'known' };
    known.forEach(({ id }, k) => (knows[id] = k < 4 ? 'team' : 'known'));
    const gender = random.chance(0.12) ? (['Female'] as const) : [];
    return {
      id: `C${i + 1}`,
      name,
      priority: random.chance(0.1) ? 150 : 100,
      requiresGender: [...gender],
      knows,
      needs,
    };
  });
}

function book(day: Day, staff: readonly ProblemTherapist[], clients: readonly ProblemClient[], kind: Kind): void {
  const { random } = day;
  const spare = new Set(random.sample([...staff], Math.round(staff.length * (kind.floaters ?? 0))).map(({ id }) => id));
  const free = (client: ProblemClient, window: Interval, bcba = false) =>
    staff.filter(
      (t) => client.knows?.[t.id] && (t.credential === 'BCBA') === bcba && !spare.has(t.id) && day.free(t.id, window),
    );
  for (const client of clients) {
    const sessions = windowsOf(random, kind.sessions);
    for (const [i, window] of sessions.entries()) {
      const may = free(client, window);
      if (may.length === 0 && !random.chance(UNASSIGNED)) continue;
      day.book(client.id, may.length > 0 ? random.pick(may).id : null, window, 'direct');
      const next = sessions[i + 1];
      const lunch = { start: window.end, end: next?.start ?? window.end };
      const relief = kind.relief && next ? free(client, lunch) : [];
      if (relief.length > 0) day.book(client.id, random.pick(relief).id, lunch, 'direct');
    }
    const hour = hourFrom(random.pick([540, 600, 780, 840]));
    const [lead] = free(client, hour, true);
    if (lead && random.chance(0.35)) day.book(client.id, lead.id, hour, 'supervision');
  }
}

function absences(random: Random, staff: readonly ProblemTherapist[], clients: readonly ProblemClient[], kind: Kind) {
  const entry = (who: string, spec: string): ProblemAbsence => ({ who, start: spec.slice(0, 5), end: spec.slice(6) });
  const away = new Set(random.sample([...staff], Math.round(staff.length * kind.share)));
  if (kind.bcbasAway) for (const t of staff.filter(({ credential }) => credential === 'BCBA').slice(1)) away.add(t);
  const home = random.sample([...clients], Math.round(clients.length * 0.1));
  return [
    ...[...away].map(({ id }) => entry(id, random.pick([...kind.away]))),
    ...home.map(({ id }) => entry(id, random.pick(WHOLE))),
  ];
}

/** A day of one of these kinds. The same arguments give the same day, byte for byte. */
function clinicDay(name: string, seed: number, therapists: number): CoverProblem {
  const kind = KINDS[name]!;
  const day = new Day(randomFrom(seed));
  const staff = team(day, therapists, kind);
  const clients = families(day, Math.round(therapists * (kind.relief ? 0.75 : 0.95)), staff, kind);
  book(day, staff, clients, kind);
  return {
    format: 'cover-problem/3',
    date: '2026-11-20',
    location: 'altamonte',
    now: kind.now ?? null,
    therapists: staff,
    clients,
    sessions: day.sessions,
    absences: absences(day.random, staff, clients, kind),
    pins: [],
  };
}

/** `each` days of every kind, of so many therapists; always the same. */
export const clinicDays = (each: number, sizes: readonly number[] = [25, 30, 35, 40, 45]): HardDay[] =>
  Object.keys(KINDS).flatMap((kind) =>
    Array.from({ length: each }, (_, i) => {
      const seed = 800 + i;
      return { kind, seed, problem: (): CoverProblem => clinicDay(kind, seed, sizes[i % sizes.length]!) };
    }),
  );
