import { randomFrom } from '@clinic/domain';
import { loadHighs } from '@clinic/cover-engine/highs';
import { expect, test } from 'vitest';
import type { WarmOption } from '../answer.ts';
import { solveWeeks } from '../solve.ts';
import { isAble, mayServe, mondayOf, type JsonProblem } from './judge.ts';
import { smallStanding } from './small-problems.ts';

interface Warm extends JsonProblem {
  sessions: { id: string; client: string; date: string; start: string; end: string }[];
  meetings: { client: string; therapist: string; times: number }[];
  slots: number;
}
interface Overlap {
  session: string;
  client: string;
  therapist: string;
  date: string;
  start: string;
  end: string;
}

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const clock = (m: number): string =>
  `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`;

function smallWarm(seed: number): Warm {
  const random = randomFrom(`warm ${seed}`);
  const { dates, therapists, clients } = smallStanding(seed);
  const days = dates.slice(0, 3);
  const sessions = clients.flatMap(({ id }) =>
    days.map((date) => {
      const start = random.pick(['08:00', '08:15', '10:00']);
      return { id: `${id} ${date}`, client: id, date, start, end: clock(minutes(start) + random.pick([30, 90, 120])) };
    }),
  );
  const pairs = clients.flatMap((c) => therapists.map((t) => ({ client: c.id, therapist: t.id })));
  const meetings = random.sample(pairs, random.int(1, 3)).map((pair) => ({ ...pair, times: random.int(1, 2) }));
  return { format: 'warm-problem/1', dates, therapists, clients, sessions, meetings, slots: random.pick([2, 4, 6]) };
}

/** The score of these overlaps by docs/weeks.md; null when they break a rule. Shares no code with the engine. */
function score(p: Warm, overlaps: readonly Overlap[]): number | null {
  let total = 0;
  const load = new Map<string, number>();
  for (const [i, o] of overlaps.entries()) {
    const therapist = p.therapists.find((t) => t.id === o.therapist)!;
    const client = p.clients.find((c) => c.id === o.client)!;
    const session = p.sessions.find((s) => s.id === o.session)!;
    const [from, to] = [minutes(o.start), minutes(o.end)];
    const length = Math.min(p.slots * 15, minutes(session.end) - minutes(session.start));
    if (session.client !== o.client || session.date !== o.date || to - from !== length) return null;
    if (from < minutes(session.start) || to > minutes(session.end)) return null;
    if (o.start !== session.start && from % 30 !== 0) return null;
    if (!mayServe(therapist, client, 'direct') || !isAble(therapist, o.date, o.start, o.end, false)) return null;
    for (const other of overlaps.slice(0, i)) {
      if (other.date !== o.date) continue;
      if (other.client === o.client && other.therapist === o.therapist) return null;
      const clash = minutes(other.start) < to && from < minutes(other.end);
      if (clash && (other.client === o.client || other.therapist === o.therapist)) return null;
    }
    const week = mondayOf(o.date);
    const slots = (load.get(`${o.therapist} ${week}`) ?? 0) + length / 15;
    load.set(`${o.therapist} ${week}`, slots);
    if (slots > (therapist.caps?.[week] ?? Infinity)) return null;
    const day = therapist.day?.[o.date];
    for (let m = from; m < to; m += 15) total += day && m >= minutes(day[0]) && m < minutes(day[1]) ? 2 : 12;
  }
  for (const slots of load.values()) total += 4 * Math.max(0, slots - 40);
  for (const { client, therapist, times } of p.meetings) {
    const met = overlaps.filter((o) => o.client === client && o.therapist === therapist).length;
    if (met > times) return null;
    const share = (p.clients.find((c) => c.id === client)!.priority ?? 100) / 100;
    total += Math.round(1000 * share) * (times - met) + (met === 0 ? Math.round(3000 * share) : 0);
  }
  return total;
}

function best(p: Warm): number {
  const choices = p.meetings.flatMap(({ client, therapist }) =>
    p.sessions.map((s) => {
      const length = Math.min(p.slots * 15, minutes(s.end) - minutes(s.start));
      const found: Overlap[] = [];
      for (let m = minutes(s.start); m + length <= minutes(s.end); m += 15) {
        const o = { session: s.id, client, therapist, date: s.date, start: clock(m), end: clock(m + length) };
        if (s.client === client && score(p, [o]) !== null) found.push(o);
      }
      return found;
    }),
  );
  let least = Infinity;
  const visit = (i: number, chosen: Overlap[]): void => {
    const total = score(p, chosen);
    if (total === null) return;
    least = Math.min(least, total);
    for (let k = i; k < choices.length; k++) for (const o of choices[k]!) visit(k + 1, [...chosen, o]);
  };
  visit(0, []);
  return least;
}

const solve = async (p: Warm, left = () => 60): Promise<WarmOption> => {
  const answer = await solveWeeks(p, { highs: loadHighs, left, options: 5 });
  expect(answer).toMatchObject({ format: 'warm-options/1' });
  const [option] = answer.options;
  if (!option || !('overlaps' in option)) throw new Error('no option');
  return option;
};

test('given 40 small warm handovers, then the overlaps keep the rules and have the score of an exhaustive search', async () => {
  let [met, unmet] = [0, 0];
  for (let seed = 0; seed < 40; seed++) {
    const problem = smallWarm(seed);
    const option = await solve(problem);
    expect(option.proven, `seed ${seed}`).toBe(true);
    expect(score(problem, option.overlaps), `seed ${seed}`).toBe(option.score.total);
    expect(option.score.total, `seed ${seed}`).toBe(best(problem));
    const slots = option.overlaps.reduce((sum, o) => sum + (minutes(o.end) - minutes(o.start)) / 15, 0);
    expect(option.unpaid).toBe(slots);
    met += option.overlaps.length;
    unmet += option.unmet.length;
  }
  expect(met).toBeGreaterThan(20);
  expect(unmet).toBeGreaterThan(5);
});

test('given no time, then the answer has no overlaps and says that nothing is proven', async () => {
  for (let seed = 0; seed < 5; seed++) {
    const { overlaps, proven, bound, score: stated } = await solve(smallWarm(seed), () => 0);
    // No score is below 0.
    expect({ overlaps, proven, bound }).toEqual({ overlaps: [], proven: stated.total === 0, bound: 0 });
  }
});
