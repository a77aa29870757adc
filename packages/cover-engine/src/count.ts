/** How many units of each term a plan has, by the shared table (`terms.ts`). */
import type { PlanView } from './constraints/view.ts';
import { piecesOfOthers } from './constraints/view.ts';
import { LUNCH } from './limits.ts';
import type { ClientModel, CoverModel, TherapistModel } from './model.ts';
import { SLOTS } from './slots.ts';
import type { Term } from './problem.ts';
import { TERM_NAMES, TERMS, type WorkingDay } from './terms.ts';

export type Units = Record<Term, number>;

/** Each therapist's day under a plan, by index. */
export function workingDays(view: PlanView): WorkingDay[] {
  const { therapists } = view.model;
  const given = new Int32Array(therapists.length);
  const busy = therapists.map((t) => t.admin.map((admin, k) => (admin && !t.away[k] ? 1 : 0)));
  for (const p of view.pieces) if (p.therapist) busy[p.therapist.index]?.fill(1, p.from, Math.min(SLOTS, p.to));
  for (const p of piecesOfOthers(view)) given[p.therapist.index]! += p.to - p.from;
  return therapists.map((t) => ({
    given: given[t.index]!,
    lunchWork: busy[t.index]?.subarray(LUNCH.from, LUNCH.to).reduce((n, v) => n + v, 0) ?? 0,
  }));
}

/** Everyone who must be told about a plan: helpers, and the therapist and client of each session that moves. */
function peopleTold(view: PlanView): Set<TherapistModel | ClientModel> {
  const people = new Set<TherapistModel | ClientModel>();
  for (const p of piecesOfOthers(view)) people.add(p.therapist);
  for (const { part, moved } of view.parts) {
    if (!moved) continue;
    people.add(part.client);
    const booked = view.model.therapists[part.booked];
    if (booked) people.add(booked);
  }
  return people;
}

/** Pairs of a client and a therapist who substitutes for them. */
function pairsOf(view: PlanView): { client: ClientModel; t: TherapistModel }[] {
  const pairs = new Map<number, { client: ClientModel; t: TherapistModel }>();
  for (const { part, therapist: t } of piecesOfOthers(view))
    pairs.set(part.client.index * view.model.therapists.length + t.index, { client: part.client, t });
  return [...pairs.values()];
}

function unitsOf(view: PlanView, term: Term): number {
  const { therapists }: CoverModel = view.model;
  const definition = TERMS[term];
  const open = view.pieces.filter((p) => !p.therapist);
  const sum = <T>(of: readonly T[], units: (item: T) => number): number => of.reduce((n, x) => n + units(x), 0);
  switch (definition.counts) {
    case 'open slot':
      return sum(open, (p) => (p.to - p.from) * definition.of(p.part));
    case 'open piece':
      return sum(open, (p) => definition.of(p.part, p.from, p.to));
    case 'handover':
      return view.pieces.filter((p) => p.index > 0).length;
    case 'move':
      return view.parts.filter((p) => p.moved).length;
    case 'piece':
      return sum(piecesOfOthers(view), (p) => definition.of(p.part, p.from, p.to));
    case 'slot':
      return sum(piecesOfOthers(view), ({ part, therapist, from, to }) => {
        let units = 0;
        for (let k = from; k < to; k++) units += definition.of(part, k, therapist, therapists[part.booked]);
        return units;
      });
    case 'pair':
      return sum(pairsOf(view), ({ client, t }) => definition.of(client, t));
    case 'person':
      return sum([...peopleTold(view)], (who) => definition.of(who));
    case 'day': {
      const days = workingDays(view);
      return sum(therapists, (t) => definition.of(t, days[t.index]![definition.by]));
    }
  }
}

/** The units of every term. */
export function countUnits(view: PlanView): Units {
  return Object.fromEntries(TERM_NAMES.map((term) => [term, unitsOf(view, term)])) as Units;
}
