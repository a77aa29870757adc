/**
 * Unusual days that some solver found hard, grouped into kinds by the reason. The benchmark makes each day only when
 * needed and never stores it, since the largest days take a while.
 */
import type { CoverProblem, ProblemTherapist } from '@clinic/cover-engine';
import { randomFrom, type Random } from '@clinic/domain';
import { coverDay, type CoverDayOptions } from './cover-days.ts';
import { clinicDays, type HardDay } from './clinic-kinds.ts';
import { uniformDay } from './uniform-days.ts';

interface Kind {
  days: number;
  options?: Partial<CoverDayOptions>;
  alter?: (problem: CoverProblem, random: Random) => void;
}

const MEDIUM = { therapists: 40, clients: 45, absent: 0.15 };

const restOf = (team: readonly ProblemTherapist[], share: number): ProblemTherapist[] =>
  team.slice(0, Math.max(1, Math.round(team.length * share)));

const KINDS: Readonly<Record<string, Kind>> = {
  '60 of 150 away': { days: 10, options: { therapists: 150, clients: 165, absent: 0.4 } },
  '100 × 110, 20 % away': { days: 14, options: { therapists: 100, clients: 110, absent: 0.2 } },
  '250 × 270, 20 % away': { days: 6, options: { therapists: 250, clients: 270, absent: 0.2 } },
  'one credential': {
    days: 20,
    alter: ({ therapists }) => {
      for (const t of therapists) t.credential = 'RBT';
    },
  },
  'tiny care teams': {
    days: 20,
    options: { hard: true },
    alter: ({ clients }) => {
      for (const c of clients) c.knows = Object.fromEntries(Object.entries(c.knows ?? {}).slice(0, 2));
    },
  },
  'only strangers': {
    days: 20,
    alter: ({ clients }) => {
      for (const c of clients) Object.assign(c, { knows: {}, knownOnly: false });
    },
  },
  'everybody known': {
    days: 16,
    alter: ({ clients, therapists }) => {
      for (const c of clients) c.knows = Object.fromEntries(therapists.map((t) => [t.id, 'known']));
    },
  },
  'sessions of six hours': {
    days: 20,
    alter: ({ sessions, therapists }) => {
      const whole = new Set<string>();
      for (const s of sessions) {
        const hours = therapists.find((t) => t.id === s.therapist)?.available[0];
        if (s.service !== 'direct' || s.therapist === null || whole.has(s.therapist)) continue;
        if (!hours || hours[0] > '09:00' || hours[1] < '15:00') continue;
        whole.add(s.therapist);
        Object.assign(s, { start: '09:00', end: '15:00' });
      }
      const inTheWay = (s: CoverProblem['sessions'][number]): boolean =>
        whole.has(s.therapist ?? '') && s.start < '15:00' && s.end > '09:00' && s.start !== '09:00';
      sessions.splice(0, sessions.length, ...sessions.filter((s) => !inTheWay(s)));
    },
  },
  'half with a gender restriction': {
    days: 20,
    options: { hard: true },
    alter: ({ clients }, random) => {
      for (const c of clients) c.requiresGender = random.chance(0.5) ? [random.pick(['Female', 'Male'] as const)] : [];
    },
  },
  'caps of zero': {
    days: 20,
    options: { trade: true },
    alter: ({ therapists }, random) => {
      for (const t of therapists) if (random.chance(0.6)) t.cap = 0;
    },
  },
  'most sessions unassigned': { days: 16, options: { therapists: 30, clients: 34, unassigned: 0.6 } },
  'priorities near a million': {
    days: 16,
    alter: ({ clients }, random) => {
      for (const c of clients) c.priority = 900_000 + random.int(0, 99_999);
    },
  },
  'half new here': {
    days: 12,
    options: { trade: true },
    alter: ({ therapists }) => {
      for (const t of restOf(therapists, 0.5)) t.onlyKnown = true;
    },
  },
};

const UNIFORM = 20;
/** How many days there are of each other kind of clinic. */
const EACH_KIND = 5;

/** All hard days: at least 200, and always the same. */
export function hardDays(): HardDay[] {
  const altered = Object.entries(KINDS).flatMap(([kind, { days, options = {}, alter }]) =>
    Array.from({ length: days }, (_, i): HardDay => {
      const seed = 500 + i;
      const problem = (): CoverProblem => {
        const day = coverDay({ ...MEDIUM, ...options, seed });
        alter?.(day, randomFrom(seed));
        return day;
      };
      return { kind, seed, problem };
    }),
  );
  const uniform = Array.from({ length: UNIFORM }, (_, i): HardDay => {
    const options = { seed: 500 + i, therapists: 44, spare: i % 4, away: 2 + (i % 3), knows: i % 2 ? 12 : 30 };
    return { kind: 'uniform', seed: 500 + i, problem: () => uniformDay({ ...options, shifts: i % 5 > 2 }) };
  });
  return [...altered, ...uniform, ...clinicDays(EACH_KIND)];
}
