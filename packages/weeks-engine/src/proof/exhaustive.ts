/** Solves small problems by trying every answer, with the independent judge's rules and points. */
import {
  isAble,
  judge,
  judgeGiven,
  mayServe,
  openPoints,
  ownPoints,
  type JsonGiven,
  type JsonOption,
  type JsonProblem,
  type JsonRun,
  type JsonSeries,
} from './judge.ts';

/** One way to give a series, with what it costs whatever the others do. */
interface Way {
  runs: JsonRun[];
  given: JsonGiven[];
  open: number;
  handover: number;
  cost: number;
}

/** Every run of a therapist, or of nobody, on these dates. */
function runsOf(p: JsonProblem, s: JsonSeries, dates: readonly string[]): { run: JsonRun; given: JsonGiven[] }[] {
  const [from, to] = [dates[0]!, dates.at(-1)!];
  const client = p.clients.find((c) => c.id === s.client)!;
  const result: { run: JsonRun; given: JsonGiven[] }[] = [{ run: { therapist: null, from, to }, given: [] }];
  for (const therapist of p.therapists) {
    if (!mayServe(therapist, client, s.service)) continue;
    if (p.declined?.some((d) => d.series === s.id && d.therapist === therapist.id)) continue;
    const able = dates.filter((date) => isAble(therapist, date, s.start, s.end, true));
    for (let mask = 1; mask < 1 << able.length; mask++) {
      const taken = able.filter((_, i) => mask & (1 << i));
      if (taken.length * 2 < dates.length) continue;
      const given = taken.map((date) => ({ therapist, client, service: s.service, date, start: s.start, end: s.end }));
      const open = dates.filter((date) => !taken.includes(date));
      result.push({ run: { therapist: therapist.id, from, to, open }, given });
    }
  }
  return result;
}

function waysOf(p: JsonProblem, s: JsonSeries): Way[] {
  const ways: Way[] = [];
  const add = (parts: { run: JsonRun; given: JsonGiven[] }[]): void => {
    const given = parts.flatMap((part) => part.given);
    const open = openPoints(p, s) * (s.dates.length - given.length);
    const handover = parts.length === 2 && parts.every((part) => part.run.therapist) ? 800 : 0;
    const own = given.reduce((sum, each) => sum + ownPoints(each), 0);
    ways.push({ runs: parts.map((part) => part.run), given, open, handover, cost: own + open + handover });
  };
  for (const whole of runsOf(p, s, s.dates)) add([whole]);
  for (let k = 1; k < s.dates.length; k++)
    for (const first of runsOf(p, s, s.dates.slice(0, k)))
      for (const second of runsOf(p, s, s.dates.slice(k)))
        if (first.run.therapist !== second.run.therapist) add([first, second]);
  return ways;
}

export interface Weights {
  open: number;
  strange: number;
  persons: number;
  mostOpen: number;
}

/** The best score with these extra points for each unit. */
export function bestStanding(p: JsonProblem, weights: Weights): number {
  const weighted = (way: Way) => way.cost + way.open * weights.open + (way.handover / 800) * weights.persons;
  const ways = p.series!.map((s) => waysOf(p, s).sort((a, b) => weighted(a) - weighted(b)));
  const rest = ways.map((_, i) => ways.slice(i).reduce((sum, own) => sum + weighted(own[0]!), 0));
  let best = Infinity;
  const visit = (i: number, cost: number, own: number, open: number, given: JsonGiven[]): void => {
    if (cost + (rest[i] ?? 0) >= best || open > weights.mostOpen) return;
    const shared = judgeGiven(given);
    if (shared.broken.length > 0) return;
    // What is shared only grows: another session never takes a face or a person away.
    const further = shared.total - own + weights.strange * shared.strange + weights.persons * shared.further;
    if (cost + further + (rest[i] ?? 0) >= best) return;
    if (i === ways.length) {
      best = cost + further;
      return;
    }
    for (const way of ways[i]!) {
      if (cost + weighted(way) + (rest[i + 1] ?? 0) >= best) break;
      const points = way.cost - way.open - way.handover;
      visit(i + 1, cost + weighted(way), own + points, open + way.open, [...given, ...way.given]);
    }
  };
  visit(0, 0, 0, 0, []);
  return best;
}

const clock = (slot: number): string => {
  const minutes = slot * 15 + 420;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
};

/** The totals of up to `count` options, each the cheapest that differs enough from those before; one of the cheapest. */
export function bestTimes(p: JsonProblem, given: readonly JsonOption[]): number {
  const { sessions, slots } = p.wanted!;
  const single: NonNullable<JsonOption['sessions']> = [];
  for (const weekday of [1, 2, 3])
    for (let slot = 0; slot + slots <= 48; slot += 2)
      for (const { id } of p.therapists) {
        const session = { weekday, start: clock(slot), therapist: id };
        const alone = judge({ ...p, wanted: { ...p.wanted!, sessions: 1 } }, [option([session])])[0]!;
        if (alone.broken.every((fault) => /^(states|bound|proven|cap)/.test(fault))) single.push(session);
      }
  let best = Infinity;
  const visit = (chosen: typeof single, next: number): void => {
    if (chosen.length === sessions) {
      const verdict = judge(p, [...given, option(chosen)]).at(-1)!;
      const broken = verdict.broken.filter((fault) => !/^(states|bound|proven|not cheapest)/.test(fault));
      if (broken.length === 0) best = Math.min(best, verdict.total);
      return;
    }
    for (let i = next; i < single.length; i++)
      if (!chosen.some((each) => each.weekday === single[i]!.weekday)) visit([...chosen, single[i]!], i + 1);
  };
  visit([], 0);
  return best;
}

const option = (sessions: NonNullable<JsonOption['sessions']>): JsonOption => ({ sessions });

export function bestMakeup(p: JsonProblem): number {
  const ways = (p.owed ?? []).flatMap(({ client }) =>
    p.dates.map((date) => {
      const pieces: NonNullable<JsonOption['pieces']> = [];
      for (let from = 2; from < 18; from += 2)
        for (let to = from + 2; to <= Math.min(18, from + 12); to += 2)
          for (const { id } of p.therapists) {
            const piece = { client, therapist: id, date, start: clock(from), end: clock(to) };
            const { broken } = judge(p, [{ pieces: [piece] }])[0]!;
            if (broken.every((fault) => /^(states|bound|proven)/.test(fault))) pieces.push(piece);
          }
      return pieces;
    }),
  );
  let best = Infinity;
  const visit = (i: number, chosen: NonNullable<JsonOption['pieces']>): void => {
    const verdict = judge(p, [{ pieces: chosen }])[0]!;
    if (verdict.broken.some((fault) => !/^(states|bound|proven)/.test(fault))) return;
    best = Math.min(best, verdict.total);
    for (let k = i; k < ways.length; k++) for (const piece of ways[k]!) visit(k + 1, [...chosen, piece]);
  };
  visit(0, []);
  return best;
}
