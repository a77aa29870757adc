/**
 * Tiny cover problems that mix every feature as nastily as a few slots allow, small enough for an exhaustive solver:
 * admin overlaps, windows that press on lunch, a present moment inside the day, pins, double bookings, groups, two parts
 * a session, known-only clients, credentials, odd priorities, and event boundaries on the odd quarter.
 */
import type {
  CoverProblem,
  Credential,
  Pin,
  ProblemAbsence,
  ProblemClient,
  ProblemSession,
  ProblemTherapist,
} from '@clinic/cover-engine';
import { text } from './clinic-shapes.ts';
import { peopleNames } from './names.ts';
import { randomFrom, type Random } from './random.ts';

const OPEN = 7 * 60;
const clock = (slot: number): string => text(OPEN + slot * 15);

/** The slots a tiny day happens in: from `base`, `span` quarters long. */
interface Frame {
  base: number;
  span: number;
}

function therapist(random: Random, i: number, name: string, frame: Frame): ProblemTherapist {
  const credential: Credential = random.weighted([
    ['RBT', 5],
    ['BT', 3],
    ['BCBA', 3],
  ]);
  const from = Math.max(0, frame.base + random.int(-4, 2));
  const to = Math.min(48, frame.base + frame.span + random.int(-3, 4));
  const middle = random.int(from + 2, Math.max(from + 2, to - 2));
  const slots: [number, number][] = random.weighted([
    [[[0, 48] as [number, number]], 3],
    [[[from, to] as [number, number]], 4],
    [
      [
        [from, middle],
        [Math.min(47, middle + random.int(0, 2)), 48],
      ],
      2,
    ],
    [[], 0.3],
  ]);
  const available = slots.filter(([a, b]) => a < b).map(([a, b]): [string, string] => [clock(a), clock(b)]);
  return { id: `T${i}`, name, credential, gender: random.pick(['Female', 'Male'] as const), available };
}

function client(random: Random, i: number, name: string, team: ProblemTherapist[]): ProblemClient {
  const knows: NonNullable<ProblemClient['knows']> = {};
  for (const t of team) if (random.chance(0.6)) knows[t.id] = random.pick(['team', 'known'] as const);
  const full: ProblemClient = {
    id: `C${i}`,
    name,
    priority: random.weighted([
      [100, 5],
      [150, 2],
      [250, 1],
      [35, 1],
      [1, 0.3],
    ]),
    requiresGender: random.weighted([
      [[], 6],
      [['Female' as const], 2],
      [['Male' as const, 'Female' as const], 1],
    ]),
    excludes: random.chance(0.25) ? [random.pick(team).id] : [],
    knownOnly: random.chance(0.2),
    credentials: random.weighted([
      [null, 5],
      [['RBT', 'BCBA'] satisfies Credential[], 1],
      [['BT', 'RBT'] satisfies Credential[], 1],
    ]),
    knows,
  };
  // Half leave the defaults out, so that both spellings of a problem are tried.
  if (random.chance(0.5)) return full;
  const bare: ProblemClient = { id: full.id, name };
  if (full.priority !== 100) bare.priority = full.priority as number;
  if (full.excludes?.length) bare.excludes = full.excludes;
  if (full.knownOnly) bare.knownOnly = true;
  if (Object.keys(knows).length > 0) bare.knows = knows;
  return bare;
}

function session(
  random: Random,
  i: number,
  frame: Frame,
  team: ProblemTherapist[],
  clients: ProblemClient[],
): ProblemSession {
  const from = frame.base + random.int(0, Math.max(0, frame.span - 4));
  const to = Math.min(
    48,
    from +
      random.weighted([
        [1, 0.4],
        [2, 1],
        [4, 3],
        [5, 2],
        [6, 3],
        [7, 2],
        [8, 3],
      ]),
  );
  const who = random.pick(clients);
  const service = random.weighted([
    ['direct' as const, 8],
    ['supervision' as const, 1],
    ['parent-training' as const, 0.7],
  ]);
  const therapist = random.chance(0.12) ? null : random.pick(team).id;
  return { id: `S${i}`, client: who.id, therapist, start: clock(from), end: clock(to), service };
}

const overlaps = (a: ProblemSession, b: ProblemSession): boolean => a.start < b.end && b.start < a.end;

/** Sessions of a tiny day; a clash of a therapist is kept now and then, because input has them. */
function bookings(
  random: Random,
  frame: Frame,
  team: ProblemTherapist[],
  clients: ProblemClient[],
  count: number,
): ProblemSession[] {
  const sessions: ProblemSession[] = [];
  for (let tries = 0; sessions.length < count && tries < 30; tries++) {
    const next = session(random, sessions.length + 1, frame, team, clients);
    const clash = sessions.some((s) => s.therapist !== null && s.therapist === next.therapist && overlaps(s, next));
    if (!clash || random.chance(0.08)) sessions.push(next);
  }
  for (const t of team) {
    if (!random.chance(0.45)) continue;
    const from = random.chance(0.5) ? random.int(14, 24) : frame.base + random.int(-2, frame.span - 2);
    const start = Math.max(0, from);
    const end = Math.min(48, start + random.int(2, 12));
    const admin: ProblemSession = {
      id: `A${t.id}`,
      client: null,
      therapist: t.id,
      start: clock(start),
      end: clock(end),
      service: 'admin',
    };
    if (random.chance(0.15) || !sessions.some((s) => s.therapist === t.id && overlaps(s, admin))) sessions.push(admin);
  }
  return random.shuffle(sessions);
}

function away(random: Random, who: string, frame: Frame): ProblemAbsence {
  const from = frame.base + random.int(0, frame.span - 2);
  return random.weighted([
    [{ who, start: '00:00', end: '24:00' }, 3],
    [{ who, start: clock(from), end: clock(Math.min(48, from + random.int(1, 6))) }, 4],
    [{ who, start: '00:00', end: clock(from) }, 1],
    [{ who, start: clock(from), end: '24:00' }, 1],
  ]);
}

function pinsOf(random: Random, sessions: ProblemSession[]): Pin[] {
  const pinned = random.sample(
    sessions.filter((s) => s.service !== 'admin'),
    1,
  );
  return pinned.map((s) => ({
    session: s.id,
    pieces: [{ therapist: random.chance(0.5) ? s.therapist : null, start: s.start, end: s.end }],
  }));
}

/**
 * A tiny problem: 2 to 4 therapists, 1 to 3 clients, 1 to 4 sessions with a client.
 * One in twelve carries a pin that need not be legal; pins of solved plans are the tests' own business.
 */
export function tinyDay(seed: number): CoverProblem {
  const random = randomFrom(seed);
  const names = peopleNames(random, 8);
  // Half of the days sit on lunch (11:00 to 14:30).
  const frame: Frame = { base: random.chance(0.5) ? random.int(14, 20) : random.int(1, 34), span: random.int(6, 12) };
  const therapists = Array.from({ length: random.int(2, 4) }, (_, i) =>
    therapist(random, i + 1, names[i] as string, frame),
  );
  const clients = Array.from({ length: random.int(1, 3) }, (_, i) =>
    client(random, i + 1, names[4 + i] as string, therapists),
  );
  const sessions = bookings(random, frame, therapists, clients, random.int(1, 4));
  const absences: ProblemAbsence[] = [];
  const absent = random.shuffle(therapists).slice(0, random.int(1, 2));
  for (const t of absent) absences.push(away(random, t.id, frame));
  if (random.chance(0.15) && absent[0]) absences.push(away(random, absent[0].id, frame));
  for (const c of clients) if (random.chance(0.25)) absences.push(away(random, c.id, frame));
  const problem: CoverProblem = {
    format: 'cover-problem/1',
    date: '2026-11-20',
    location: 'altamonte',
    therapists,
    clients,
    sessions,
    absences,
  };
  if (random.chance(0.3))
    problem.now = text(OPEN + (frame.base + random.int(-5, frame.span)) * 15 + random.int(-14, 0));
  else if (random.chance(0.5)) problem.now = null;
  if (random.chance(1 / 12)) problem.pins = pinsOf(random, sessions);
  else if (random.chance(0.3)) problem.pins = [];
  return problem;
}
