/**
 * Tiny cover problems that combine every feature in a few slots, small enough for an exhaustive solver. They have
 * overlaps with administrative time, windows close to lunch, a current time inside the day, pins, double bookings,
 * groups, two sessions for one client, clients who accept only therapists they know, credentials, unusual priorities,
 * and boundaries on odd quarter hours. They also use everything from `trade.ts`.
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
import { peopleNames } from './names.ts';
import { addTrade } from './trade.ts';
import { formatTime, randomFrom, type Random } from '@clinic/domain';

const OPEN = 7 * 60;
const clock = (slot: number): string => formatTime(OPEN + Math.min(48, Math.max(0, slot)) * 15);

/**
 * The theme of a tiny day: a bit of everything (`mix`); sessions side by side, so that one must move (`swap`); the
 * middle of a full day (`lunch`); one therapist with many hours (`overload`).
 */
type Theme = 'mix' | 'swap' | 'lunch' | 'overload';

/** The slots of a tiny day: `span` quarter hours from `base`. */
interface Frame {
  theme: Theme;
  base: number;
  span: number;
}

function frameOf(random: Random): Frame {
  const theme = random.weighted<Theme>([
    ['mix', 4],
    ['swap', 3],
    ['lunch', 3],
    ['overload', 2],
  ]);
  if (theme === 'lunch') return { theme, base: random.int(17, 25), span: random.int(6, 9) };
  if (theme === 'swap') return { theme, base: random.int(2, 34), span: random.int(6, 9) };
  if (theme === 'overload') return { theme, base: random.int(1, 20), span: random.int(16, 24) };
  return { theme, base: random.int(1, 34), span: random.int(6, 12) };
}

function therapist(random: Random, i: number, name: string, frame: Frame): ProblemTherapist {
  const credential = random.weighted<Credential>([
    ['RBT', 5],
    ['BT', 3],
    ['BCBA', 3],
  ]);
  const from = Math.max(0, frame.base + random.int(-4, 2));
  const to = Math.min(48, frame.base + frame.span + random.int(-3, 4));
  const middle = random.int(from + 2, Math.max(from + 2, to - 2));
  const later = Math.min(47, middle + random.int(0, 2));
  const slots = random.weighted<[number, number][]>([
    [[[0, 48]], frame.theme === 'mix' ? 3 : frame.theme === 'lunch' ? 20 : 8],
    [[[from, to]], 4],
    [
      [
        [from, middle],
        [later, 48],
      ],
      2,
    ],
    [[], 0.3],
  ]);
  const available = slots.filter(([a, b]) => a < b).map(([a, b]): [string, string] => [clock(a), clock(b)]);
  return { id: `T${i}`, name, credential, gender: random.pick(['Female', 'Male'] as const), available };
}

function client(random: Random, i: number, name: string, team: ProblemTherapist[], theme: Theme): ProblemClient {
  const picky = theme === 'mix' ? 1 : 0.4;
  const knows: NonNullable<ProblemClient['knows']> = {};
  for (const t of team)
    if (random.chance(theme === 'mix' ? 0.6 : 0.75)) knows[t.id] = random.pick(['team', 'known'] as const);
  const full: Required<Omit<ProblemClient, 'needs' | 'prefers' | 'payer'>> = {
    id: `C${i}`,
    name,
    priority: random.weighted([
      [100, 5],
      [150, 2],
      [250, 1],
      [35, 1],
      [1, 0.3],
    ]),
    requiresGender: random.weighted<('Female' | 'Male')[]>([
      [[], 6],
      [['Female'], 2 * picky],
      [['Male', 'Female'], 1],
    ]),
    excludes: random.chance(0.25) ? [random.pick(team).id] : [],
    knownOnly: random.chance(theme === 'swap' ? 0.4 : 0.2),
    credentials: random.weighted<Credential[] | null>([
      [null, 5],
      [['RBT', 'BCBA'], picky],
      [['BT', 'RBT'], picky],
    ]),
    knows,
  };
  // Half of the clients leave the defaults out, so that both forms of a problem are tested.
  if (random.chance(0.5)) return full;
  const bare: ProblemClient = { id: full.id, name };
  if (full.priority !== 100) bare.priority = full.priority;
  if (full.excludes.length > 0) bare.excludes = full.excludes;
  if (full.knownOnly) bare.knownOnly = true;
  if (Object.keys(knows).length > 0) bare.knows = knows;
  return bare;
}

const LENGTHS = [
  [1, 0.4],
  [2, 1],
  [4, 3],
  [5, 2],
  [6, 3],
  [7, 2],
  [8, 3],
  [9, 1],
] as const;

function session(random: Random, i: number, frame: Frame, team: ProblemTherapist[], who: string): ProblemSession {
  const side = frame.theme === 'swap' && random.chance(0.7);
  const from = side ? frame.base : frame.base + random.int(0, Math.max(0, frame.span - 4));
  const to = Math.min(48, side ? from + frame.span - random.int(0, 1) : from + random.weighted<number>(LENGTHS));
  const service = random.weighted<ProblemSession['service']>([
    ['direct', 8],
    ['supervision', 0.8],
    ['parent-training', 0.5],
  ]);
  // On an overload day, most sessions belong to the first therapist.
  const booked = frame.theme === 'overload' && random.chance(0.7) ? team[0] : random.pick(team);
  const therapist = random.chance(0.12) ? null : (booked?.id ?? null);
  return { id: `S${i}`, client: who, therapist, start: clock(from), end: clock(to), service };
}

const overlaps = (a: ProblemSession, b: ProblemSession): boolean => a.start < b.end && b.start < a.end;

/** The sessions of a tiny day; a therapist is sometimes double-booked, because real data have double bookings too. */
function bookings(
  random: Random,
  frame: Frame,
  team: ProblemTherapist[],
  clients: ProblemClient[],
  count: number,
): ProblemSession[] {
  const sessions: ProblemSession[] = [];
  for (let tries = 0; sessions.length < count && tries < 8 * count; tries++) {
    const next = session(random, sessions.length + 1, frame, team, random.pick(clients).id);
    const clash = sessions.some((s) => s.therapist !== null && s.therapist === next.therapist && overlaps(s, next));
    if (!clash || random.chance(0.06)) sessions.push(next);
  }
  for (const t of team) {
    if (!random.chance(frame.theme === 'lunch' ? 0.75 : 0.4)) continue;
    const start = frame.theme === 'lunch' ? random.int(14, 17) : frame.base + random.int(-2, frame.span - 2);
    const end = start + (frame.theme === 'lunch' ? random.int(6, 12) : random.int(2, 6));
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
  return random.weighted<ProblemAbsence>([
    [{ who, start: '00:00', end: '24:00' }, 4],
    [{ who, start: clock(from), end: clock(from + random.int(1, 6)) }, 4],
    [{ who, start: '00:00', end: clock(from) }, 1],
    [{ who, start: clock(from), end: '24:00' }, 1],
  ]);
}

function pinOf(random: Random, sessions: ProblemSession[]): Pin[] {
  const planned = sessions.filter((s) => s.service !== 'admin');
  return random.sample(planned, 1).map((s) => ({
    session: s.id,
    pieces: [{ therapist: random.chance(0.5) ? s.therapist : null, start: s.start, end: s.end }],
  }));
}

/**
 * Makes it worthwhile to move a session: the first client accepts only the second therapist, and the second therapist's
 * own client knows a third therapist.
 */
function forceSwap(random: Random, problem: CoverProblem): void {
  const [t1, t2, t3] = problem.therapists;
  const [c1, c2] = problem.clients;
  const [s1, s2] = problem.sessions.filter((s) => s.service !== 'admin');
  if (!t1 || !t2 || !t3 || !c1 || !c2 || !s1 || !s2) return;
  t3.available = [['07:00', '19:00']];
  [s1.client, s1.therapist, s1.service] = [c1.id, t1.id, 'direct'];
  [s2.client, s2.therapist, s2.service] = [c2.id, t2.id, 'direct'];
  if (random.chance(0.7)) [s2.start, s2.end] = [s1.start, s1.end];
  [c1.knows, c1.knownOnly, c1.excludes] = [{ [t1.id]: 'team', [t2.id]: 'team' }, true, []];
  c2.knows = { ...c2.knows, [t2.id]: 'team', [t3.id]: random.pick(['team', 'known'] as const) };
  delete c1.credentials;
  delete c2.credentials;
  c2.excludes = [];
  problem.absences = [away(random, t1.id, { theme: 'swap', base: 2, span: 40 })];
  if (random.chance(0.7)) problem.absences = [{ who: t1.id, start: '00:00', end: '24:00' }];
  if (random.chance(0.2)) problem.absences.push({ who: c2.id, start: s2.start, end: clock(random.int(2, 40)) });
  problem.absences = problem.absences.filter((a) => a.start < a.end);
}

/**
 * A tiny problem: 2 to 4 therapists, 1 to 3 clients, and 1 to 5 sessions with a client. With `larger`, there are 2 more
 * therapists and clients, and 4 to 9 sessions. One problem in twenty has a pin, which may be illegal; tests add legal
 * pins from solved plans.
 */
export function tinyDay(seed: number, larger = false): CoverProblem {
  const random = randomFrom(seed);
  const names = peopleNames(random, 16);
  const frame = frameOf(random);
  const more = larger ? 2 : 0;
  const many = (low: number, high: number): number => random.int(low + more, high + more);
  const therapists = Array.from({ length: many(frame.theme === 'swap' ? 3 : 2, 4) }, (_, i) =>
    therapist(random, i + 1, names[i] as string, frame),
  );
  const clients = Array.from({ length: many(frame.theme === 'swap' ? 2 : 1, 3) }, (_, i) =>
    client(random, i + 1, names[8 + i] as string, therapists, frame.theme),
  );
  const sessions = bookings(random, frame, therapists, clients, larger ? random.int(4, 9) : random.int(1, 5));
  const absences: ProblemAbsence[] = [];
  const first = frame.theme === 'overload' ? therapists[0] : undefined;
  const absent = first && !larger ? [first] : random.sample(therapists, random.int(1, larger ? 3 : 2));
  for (const t of absent) absences.push(away(random, t.id, frame));
  if (random.chance(0.15) && absent[0]) absences.push(away(random, absent[0].id, frame));
  for (const c of clients) if (random.chance(0.2)) absences.push(away(random, c.id, frame));
  const [format, date, location] = ['cover-problem/1', '2026-11-20', 'altamonte'] as const;
  const problem: CoverProblem = { format, date, location, therapists, clients, sessions, absences };
  if (frame.theme === 'swap' && random.chance(0.6)) forceSwap(random, problem);
  if (random.chance(0.25)) problem.now = formatTime(OPEN + (frame.base + random.int(-5, 6)) * 15 + random.int(-14, 0));
  else if (random.chance(0.5)) problem.now = null;
  if (random.chance(1 / 20)) problem.pins = pinOf(random, sessions);
  else if (random.chance(0.3)) problem.pins = [];
  // A third of the days leave the newer fields out.
  if (random.chance(0.67)) addTrade(random, problem, 1);
  return problem;
}
