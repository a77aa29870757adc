/** Small seeded problems, with every rule and term, that an exhaustive search can solve. */
import { randomFrom, type Random } from '@clinic/domain';
import type { JsonClient, JsonProblem, JsonTherapist, Windows } from './judge.ts';

const MONDAYS = ['2026-12-07', '2026-12-14', '2026-12-21', '2026-12-28'];
const dayAfter = (monday: string, days: number): string => {
  const date = new Date(`${monday}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
};
const FREE: Windows[] = [
  [['08:00', '17:00']],
  [
    ['08:00', '11:30'],
    ['12:00', '16:00'],
  ],
  [['07:00', '19:00']],
  [['12:00', '18:00']],
];

function hours(random: Random, dates: readonly string[], share: number): Record<string, Windows> {
  return Object.fromEntries(dates.filter(() => random.chance(share)).map((date) => [date, random.pick(FREE)]));
}

function caps(random: Random, weeks: readonly string[], least: number): Record<string, number> {
  return Object.fromEntries(weeks.filter(() => random.chance(0.3)).map((week) => [week, random.int(least, 30)]));
}

function people(random: Random, dates: readonly string[], weeks: readonly string[], counts: [number, number]) {
  const therapists = Array.from({ length: counts[0] }, (_, i): JsonTherapist => {
    const day = dates
      .filter(() => random.chance(0.5))
      .map((date): [string, [string, string]] => [date, ['08:30', '15:00']]);
    return {
      id: `T${i + 1}`,
      credential: random.weighted([
        ['RBT', 4],
        ['BCBA', 2],
      ]),
      gender: random.pick(['Male', 'Female']),
      tags: random.chance(0.7) ? ['spanish'] : [],
      onlyKnown: random.chance(0.15),
      free: hours(random, dates, 0.75),
      admin: hours(random, dates, 0.3),
      day: Object.fromEntries(day),
      caps: caps(random, weeks, 8),
    };
  });
  const clients = Array.from({ length: counts[1] }, (_, i): JsonClient => {
    const knows = therapists
      .filter(() => random.chance(0.5))
      .map((t) => [t.id, random.pick(['team', 'known'])] as const);
    return {
      id: `C${i + 1}`,
      priority: random.pick([0, 50, 100, 150]),
      requiresGender: random.chance(0.15) ? ['Female'] : [],
      excludes: random.chance(0.2) ? ['T1'] : [],
      knownOnly: random.chance(0.15),
      credentials: random.chance(0.15) ? ['BCBA', 'RBT'] : null,
      needs: random.chance(0.2) ? ['spanish'] : [],
      knows: Object.fromEntries(knows),
      caps: caps(random, weeks, 8),
    };
  });
  return { therapists, clients };
}

const TIMES: [string, string][] = [
  ['08:00', '11:00'],
  ['10:00', '12:00'],
  ['13:00', '16:00'],
];

export function smallStanding(seed: number): JsonProblem {
  const random = randomFrom(`standing ${seed}`);
  const weeks = MONDAYS.slice(0, random.int(2, 4));
  const weekdays = [0, 1].slice(0, random.int(1, 2));
  const dates = weeks.flatMap((monday) => weekdays.map((days) => dayAfter(monday, days)));
  const { therapists, clients } = people(random, dates, weeks, [random.int(2, 4), random.int(1, 2)]);
  const series = Array.from({ length: random.int(1, 3) }, (_, i) => {
    const [start, end] = random.pick(TIMES);
    const weekday = random.pick(weekdays);
    return {
      id: `R${i + 1}`,
      client: random.pick(clients).id,
      service: random.weighted([
        ['direct', 6],
        ['supervision', 1],
        ['parent-training', 1],
      ]),
      start,
      end,
      dates: weeks.map((monday) => dayAfter(monday, weekday)).slice(0, random.int(1, weeks.length)),
      weight: random.pick([2, 60, 100]),
    };
  });
  const declined = random.chance(0.3) ? [{ therapist: 'T2', series: 'R1' }] : [];
  return { format: 'standing-problem/1', dates, therapists, clients, series, declined };
}

export function smallTimes(seed: number): JsonProblem {
  const random = randomFrom(`times ${seed}`);
  const weeks = MONDAYS.slice(0, random.int(1, 3));
  const dates = weeks.flatMap((monday) => [0, 1, 2].map((days) => dayAfter(monday, days)));
  const { therapists, clients } = people(random, dates, weeks, [random.int(2, 4), 1]);
  const sessions = random.weighted([
    [1, 1],
    [2, 3],
    [3, 1],
  ]);
  // With three sessions there are few starts, or else an exhaustive search would take minutes.
  const choices: Windows[] = sessions === 3 ? [[['08:00', '10:30']], [['14:00', '16:30']]] : FREE.slice(0, 2);
  const windows = Object.fromEntries(['1', '2', '3'].map((day) => [day, random.pick(choices)]));
  const busy = hours(random, dates, 0.1);
  const slots = sessions === 3 ? 8 : random.pick([10, 14, 16]);
  const wanted = {
    sessions,
    slots,
    people: random.int(1, 3),
    service: random.pick(['direct', 'direct', 'supervision']),
  };
  return { format: 'times-problem/1', dates, therapists, clients, client: 'C1', windows, busy, wanted };
}

export function smallMakeup(seed: number): JsonProblem {
  const random = randomFrom(`makeup ${seed}`);
  const weeks = MONDAYS.slice(0, 2);
  const dates = [dayAfter(weeks[0]!, 3), dayAfter(weeks[1]!, 0)].slice(0, random.int(1, 2));
  const { therapists, clients } = people(random, dates, weeks, [2, 2]);
  const windows: Windows[] = [[['08:00', '09:30']], [['08:30', '10:00']], [['08:15', '11:00']]];
  for (const client of clients)
    client.windows = Object.fromEntries(dates.filter(() => random.chance(0.9)).map((d) => [d, random.pick(windows)]));
  const owed = clients.map(({ id }) => ({
    client: id,
    slots: random.pick([0, 2, 4, 6, 8, 10]),
    weight: random.pick([1, 60, 140]),
  }));
  return { format: 'makeup-problem/1', dates, therapists, clients, owed };
}
