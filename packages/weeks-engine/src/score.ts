/** Scores what therapists are given, and finds the rules that it breaks. Every option's score is counted here. */
import { FULL_WEEK, POINTS } from './points.ts';
import type { Client, ClientService, People, Span, Therapist } from './problem.ts';
import { addOwnPoints } from './serve.ts';
import type { Score } from './answer.ts';

/** A session that a therapist is given on a date. */
export interface Given extends Span {
  readonly therapist: Therapist;
  readonly client: Client;
  readonly date: number;
  readonly service: ClientService;
}

export interface SharedScore {
  readonly score: Score;
  /** The therapists of each client. */
  readonly pairs: ReadonlyMap<Client, ReadonlySet<Therapist>>;
  /** The pairs whose therapist is not on the client's team. */
  readonly strange: number;
  /** The therapists beyond the first of each client. */
  readonly further: number;
  readonly broken: readonly string[];
}

/** The points of the table that all three problems share. */
export function scoreGiven(people: People, given: readonly Given[]): SharedScore {
  const score: Score = { face: 0, people: 0, bcba: 0, admin: 0, callin: 0, added: 0, overload: 0, total: 0 };
  const broken: string[] = [];
  const busy = new Set<number>();
  const pairs = new Map<Client, Set<Therapist>>();
  const load = people.therapists.map(() => new Float64Array(people.weeks.length));
  const spent = people.clients.map(() => new Float64Array(people.weeks.length));
  for (const { therapist, client, date, from, to, service } of given) {
    for (let slot = from; slot < to; slot++) {
      const at = (therapist.index * people.dates.length + date) * 64 + slot;
      if (busy.has(at)) broken.push(`${therapist.id} is in two places on ${people.dates[date]}`);
      busy.add(at);
    }
    const week = people.weekOf[date]!;
    load[therapist.index]![week]! += to - from;
    spent[client.index]![week]! += to - from;
    pairs.set(client, (pairs.get(client) ?? new Set()).add(therapist));
    addOwnPoints(score, therapist, date, { from, to }, service);
  }
  const overCap = (who: Therapist | Client, slots: Float64Array) =>
    who.caps.forEach((cap, w) => {
      if (slots[w]! > cap) broken.push(`${who.id} has ${slots[w]} slots in the week of ${people.weeks[w]}, cap ${cap}`);
    });
  for (const t of people.therapists) {
    overCap(t, load[t.index]!);
    for (const slots of load[t.index]!) score.overload += POINTS.overload * Math.max(0, slots - FULL_WEEK);
  }
  for (const c of people.clients) overCap(c, spent[c.index]!);
  let [strange, further] = [0, 0];
  for (const [client, therapists] of pairs) {
    further += therapists.size - 1;
    for (const { index } of therapists) {
      score.face += POINTS.face[client.knows[index]!];
      if (client.knows[index] !== 'team') strange++;
    }
  }
  score.people = POINTS.people * further;
  return { score: totalled(score), pairs, strange, further, broken };
}

/** The score with further terms, added up. */
export function totalled(score: Score, further: Readonly<Record<string, number>> = {}): Score {
  const all: Score = { ...score, ...further, total: 0 };
  return { ...all, total: Object.values(all).reduce((a, b) => a + b, 0) };
}
