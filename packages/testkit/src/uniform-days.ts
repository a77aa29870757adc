/**
 * Days on which everyone has the same hours, as in many real clinics: one or two shifts, and the same two sessions for
 * every client. Thousands of plans cost the same, so a proof cannot go through them one by one.
 */
import type { CoverProblem, Credential, ProblemClient, ProblemTherapist } from '@clinic/cover-engine';
import { randomFrom, type Random } from '@clinic/domain';
import { asTimes, windows } from './clinic-shapes.ts';
import { Day } from './day.ts';
import { peopleNames } from './names.ts';

export interface UniformDayOptions {
  seed: number;
  therapists: number;
  /** How many therapists have no client of their own that day; with 0, everyone is busy. */
  spare: number;
  /** How many therapists are away, every fourth of them only in the afternoon. */
  away: number;
  clientsAway?: number;
  /** How many therapists each client knows. */
  knows: number;
  /** Whether half of the therapists and clients come an hour later. */
  shifts?: boolean;
}

const SHIFTS = [
  { hours: '08:00-17:00', sessions: '08:30-11:30 12:30-15:30' },
  { hours: '09:00-18:00', sessions: '09:30-12:30 13:30-16:30' },
];
const TEAM = 3;

function familiarTo(
  random: Random,
  own: string,
  others: readonly string[],
  knows: number,
): NonNullable<ProblemClient['knows']> {
  const known = [own, ...random.sample(others, knows - 1)];
  return Object.fromEntries(known.map((id, i) => [id, i < TEAM ? 'team' : 'known']));
}

/** A uniform day. The same options give the same day, byte for byte. */
export function uniformDay(options: UniformDayOptions): CoverProblem {
  const { therapists: count, spare, away, clientsAway = 0, knows, shifts = false } = options;
  const random = randomFrom(options.seed);
  const day = new Day(random);
  const shiftOf = (i: number) => SHIFTS[shifts ? i % 2 : 0]!;
  const leads = Math.max(1, Math.round(count * 0.11));
  const therapists = peopleNames(random, count).map((name, i): ProblemTherapist => {
    const hours = windows(shiftOf(i).hours);
    day.hours.set(`T${i + 1}`, hours);
    const credential: Credential = i < leads ? 'BCBA' : 'RBT';
    const gender = random.chance(0.2) ? 'Male' : 'Female';
    return { id: `T${i + 1}`, name, credential, gender, available: asTimes(hours) };
  });
  const ids = therapists.map((t) => t.id);
  const clients = peopleNames(random, count - spare).map((name, i): ProblemClient => {
    const own = ids[i]!;
    for (const window of windows(shiftOf(i).sessions)) day.book(`C${i + 1}`, own, window, 'direct');
    return {
      id: `C${i + 1}`,
      name,
      knows: familiarTo(
        random,
        own,
        ids.filter((id) => id !== own),
        knows,
      ),
    };
  });
  const gone = random
    .sample(ids, away)
    .map((who, i) => ({ who, start: i % 4 === 2 ? '12:00' : '00:00', end: '24:00' }));
  const home = random.sample(clients, clientsAway).map(({ id }) => ({ who: id, start: '00:00', end: '24:00' }));
  return {
    format: 'cover-problem/3',
    date: '2026-11-20',
    location: 'altamonte',
    now: null,
    therapists,
    clients,
    sessions: day.sessions,
    absences: [...gone, ...home],
    pins: [],
  };
}

/** `count` uniform days of 20 to 60 therapists, with one or two shifts, with and without therapists to spare. */
export function uniformDays(count: number): { name: string; problem: CoverProblem }[] {
  return Array.from({ length: count }, (_, i) => {
    const random = randomFrom(7000 + i);
    const therapists = random.int(20, 60);
    const options: UniformDayOptions = {
      seed: 7000 + i,
      therapists,
      spare: random.pick([0, 0, 1, 2, 3, 4, 5]),
      away: random.int(2, 4),
      clientsAway: random.pick([0, 0, 1, 2]),
      knows: random.pick([8, 12, 20, 30]),
      shifts: i % 2 === 1,
    };
    options.knows = Math.min(options.knows, therapists);
    const { spare, away, clientsAway, knows } = options;
    const name = `${therapists} therapists, ${spare} spare, ${away} and ${clientsAway} away, ${knows} known${options.shifts ? ', shifts' : ''}`;
    return { name, problem: uniformDay(options) };
  });
}
