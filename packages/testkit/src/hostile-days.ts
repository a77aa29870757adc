/**
 * Problems on which a careless engine fails: each must get a plan or a clear refusal, never a crash or a hang. The file
 * is over 250 lines because it lists all of the problems.
 */
import type { CoverProblem } from '@clinic/cover-engine';
import { formatTime } from '@clinic/domain';
import { coverDay } from './cover-days.ts';

/** `expect`: whether the right result is a plan, a refusal, or either. `problem` may have any shape. */
export interface HostileDay {
  name: string;
  problem: unknown;
  expect: 'plan' | 'refusal' | 'either';
}

const EMPTY: CoverProblem = {
  format: 'cover-problem/1',
  date: '2026-11-20',
  location: 'altamonte',
  now: null,
  therapists: [],
  clients: [],
  sessions: [],
  absences: [],
};

const usual = (seed: number): CoverProblem => coverDay({ seed, therapists: 12, clients: 12, absent: 0.2 });

function altered(seed: number, alter: (problem: CoverProblem) => void): CoverProblem {
  const problem = usual(seed);
  alter(problem);
  return problem;
}

const firstDirect = (p: CoverProblem): CoverProblem['sessions'][number] => {
  const found = p.sessions.find((s) => s.service === 'direct' && s.therapist !== null);
  if (!found) throw new Error('the day has no direct session');
  return found;
};

/** All hostile days, always the same. */
export function hostileDays(): HostileDay[] {
  const plan = (name: string, problem: unknown): HostileDay => ({ name, problem, expect: 'plan' });
  const refusal = (name: string, problem: unknown): HostileDay => ({ name, problem, expect: 'refusal' });
  return [
    plan('an empty day', EMPTY),
    plan(
      'no therapist available',
      altered(1, (p) => p.therapists.forEach((t) => (t.available = []))),
    ),
    plan(
      'everyone absent',
      altered(2, (p) => {
        p.absences = [...p.therapists, ...p.clients].map((x) => ({ who: x.id, start: '00:00', end: '24:00' }));
      }),
    ),
    plan(
      'all therapists absent',
      altered(3, (p) => {
        p.absences = p.therapists.map((x) => ({ who: x.id, start: '00:00', end: '24:00' }));
      }),
    ),
    plan(
      'no absences at all',
      altered(4, (p) => (p.absences = [])),
    ),
    plan(
      '48 one-slot absences',
      altered(5, (p) => {
        const who = firstDirect(p).therapist as string;
        p.absences = Array.from({ length: 48 }, (_, i) => ({
          who,
          start: formatTime(420 + 15 * i),
          end: formatTime(435 + 15 * i),
        }));
      }),
    ),
    plan(
      '24 absences, every other slot',
      altered(6, (p) => {
        const who = firstDirect(p).therapist as string;
        p.absences = Array.from({ length: 24 }, (_, i) => ({
          who,
          start: formatTime(420 + 30 * i),
          end: formatTime(435 + 30 * i),
        }));
      }),
    ),
    plan(
      'a client away every other slot',
      altered(7, (p) => {
        const who = firstDirect(p).client as string;
        p.absences = Array.from({ length: 24 }, (_, i) => ({
          who,
          start: formatTime(420 + 30 * i),
          end: formatTime(435 + 30 * i),
        }));
      }),
    ),
    plan('double-booked input', coverDay({ seed: 8, therapists: 12, clients: 12, absent: 0.2, doubleBooked: 8 })),
    plan(
      'one therapist has every session',
      altered(9, (p) => p.sessions.forEach((s) => (s.therapist = 'T2'))),
    ),
    plan(
      '1,000 restrictions',
      altered(10, (p) => {
        const ids = p.therapists.map((t) => t.id);
        p.clients.forEach((c) => (c.excludes = Array.from({ length: 1000 }, (_, i) => ids[i % ids.length] as string)));
      }),
    ),
    plan(
      'no one has a session',
      altered(11, (p) => p.sessions.forEach((s) => s.service !== 'admin' && (s.therapist = null))),
    ),
    plan(
      'clients without sessions and sessions of one client at once',
      altered(12, (p) => {
        const c = firstDirect(p).client;
        p.sessions.forEach((s) => s.client !== null && (s.client = c));
      }),
    ),
    plan(
      'priority zero and priority enormous',
      altered(13, (p) => p.clients.forEach((c, i) => (c.priority = i % 2 ? 0 : 100_000))),
    ),
    plan(
      'now after the day',
      altered(14, (p) => (p.now = '19:45')),
    ),
    plan(
      'now before the day',
      altered(15, (p) => (p.now = '05:10')),
    ),
    plan(
      'sessions of the whole day',
      altered(16, (p) => {
        p.sessions
          .filter((s) => s.service === 'direct')
          .forEach((s, i) => {
            if (i < 4) [s.start, s.end, s.therapist] = ['07:00', '19:00', `T${i + 1}`];
          });
        p.sessions = p.sessions.filter((s) => s.service !== 'direct' || s.end === '19:00');
      }),
    ),
    plan(
      'the same absence a hundred times',
      altered(17, (p) => {
        p.absences = Array.from({ length: 100 }, () => ({
          who: p.therapists[3]?.id as string,
          start: '00:00',
          end: '24:00',
        }));
      }),
    ),
    refusal(
      'an absence of an unknown person',
      altered(20, (p) => p.absences.push({ who: 'T999', start: '00:00', end: '24:00' })),
    ),
    refusal(
      'a session of an unknown client',
      altered(21, (p) => (firstDirect(p).client = 'C999')),
    ),
    refusal(
      'a session of an unknown therapist',
      altered(22, (p) => (firstDirect(p).therapist = 'T999')),
    ),
    refusal(
      'a pin of an unknown session',
      altered(23, (p) => (p.pins = [{ session: 'S999', pieces: [] }])),
    ),
    refusal(
      'a pin with an unknown therapist',
      altered(24, (p) => {
        const s = firstDirect(p);
        p.pins = [{ session: s.id, pieces: [{ therapist: 'T999', start: s.start, end: s.end }] }];
      }),
    ),
    refusal('two pins that need one therapist in two places', twicePinned()),
    refusal(
      'a session twice',
      altered(26, (p) => p.sessions.push({ ...firstDirect(p) })),
    ),
    refusal(
      'a therapist twice',
      altered(27, (p) => p.therapists.push({ ...(p.therapists[0] as CoverProblem['therapists'][number]) })),
    ),
    refusal('another format', { ...EMPTY, format: 'cover-problem/4' }),
    refusal('not an object', 'cover me'),
    refusal('null', null),
    refusal('lists missing', { format: 'cover-problem/1', date: '2026-11-20', location: 'altamonte' }),
    refusal(
      'a time that is not a time',
      altered(28, (p) => (firstDirect(p).start = '8 o’clock')),
    ),
    refusal(
      'a time of 99:99',
      altered(29, (p) => (firstDirect(p).end = '99:99')),
    ),
    { name: 'a session with reversed times', problem: altered(30, reverse), expect: 'either' },
    {
      name: 'an absence with reversed times',
      expect: 'either',
      problem: altered(31, (p) => (p.absences = [{ who: 'T1', start: '15:00', end: '09:00' }])),
    },
    {
      name: 'a window with reversed times',
      expect: 'either',
      problem: altered(32, (p) => p.therapists.forEach((t) => (t.available = [['16:00', '08:00']]))),
    },
    { name: 'a session off the grid', expect: 'either', problem: altered(33, (p) => (firstDirect(p).start = '08:07')) },
    {
      name: 'a session outside the day',
      expect: 'either',
      problem: altered(34, (p) => (firstDirect(p).start = '05:00')),
    },
    {
      name: 'a negative priority',
      expect: 'either',
      problem: altered(35, (p) => p.clients.forEach((c) => (c.priority = -100))),
    },
    { name: 'ids that are names of object members', expect: 'either', problem: altered(36, memberIds) },
  ];
}

function reverse(p: CoverProblem): void {
  const s = firstDirect(p);
  [s.start, s.end] = [s.end, s.start];
}

function memberIds(p: CoverProblem): void {
  const rename = (id: string | null): string | null => (id === 'T1' ? '__proto__' : id === 'T2' ? 'constructor' : id);
  for (const t of p.therapists) t.id = rename(t.id) as string;
  for (const s of p.sessions) s.therapist = rename(s.therapist);
  for (const a of p.absences) a.who = rename(a.who) as string;
  for (const c of p.clients) {
    c.knows = Object.fromEntries(Object.entries(c.knows ?? {}).map(([id, how]) => [rename(id) as string, how]));
  }
}

function twicePinned(): CoverProblem {
  const therapist = (id: string) => ({
    id,
    name: id,
    credential: 'RBT' as const,
    gender: 'Female' as const,
    available: [['08:00', '17:00']] as [string, string][],
  });
  const session = (id: string, client: string) => ({
    id,
    client,
    therapist: 'T1',
    start: '09:00',
    end: '11:00',
    service: 'direct' as const,
  });
  const pin = (id: string) => ({ session: id, pieces: [{ therapist: 'T2', start: '09:00', end: '11:00' }] });
  return {
    ...EMPTY,
    therapists: ['T1', 'T2'].map(therapist),
    clients: ['C1', 'C2'].map((id) => ({ id, name: id })),
    sessions: [session('S1', 'C1'), session('S2', 'C2')],
    absences: [{ who: 'T1', start: '00:00', end: '24:00' }],
    pins: [pin('S1'), pin('S2')],
  };
}
