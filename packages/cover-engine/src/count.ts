/** Counts how many units of each score term a plan has. The table in `terms.ts` defines the units. */
import { countMarked, type PlanView } from './constraints/view.ts';
import { LUNCH } from './limits.ts';
import { NOBODY, stretchesOf, type ClientModel, type CoverModel, type TherapistModel } from './model.ts';
import { POINTS, TERM_NAMES, TERMS, type Term, type WorkingDay } from './terms.ts';

export type Units = Record<Term, number>;

/** The points of a plan's units, without those for uncovered time and without what a strategy adds for its lead. */
export const priceOf = (units: Units): number =>
  TERM_NAMES.reduce((points, term) => points + (term === 'uncovered' ? 0 : POINTS[term] * units[term]), 0);

const LUNCH_SLOTS = LUNCH.to - LUNCH.from;

/** Each therapist's working day under a plan, by the therapist's index. */
export function workingDays(view: PlanView): WorkingDay[] {
  const { therapists } = view.model;
  const given = new Int32Array(therapists.length);
  /** 1 if the therapist works in that lunch slot; shape [therapists × lunch slots]. */
  const busy = new Uint8Array(therapists.length * LUNCH_SLOTS);
  for (const { index, admin, away } of therapists)
    for (let k = LUNCH.from; k < LUNCH.to; k++)
      if (admin[k] && !away[k]) busy[index * LUNCH_SLOTS + k - LUNCH.from] = 1;
  for (const { therapist, from, to } of view.pieces) {
    if (!therapist) continue;
    const row = therapist.index * LUNCH_SLOTS - LUNCH.from;
    for (let k = Math.max(from, LUNCH.from); k < Math.min(to, LUNCH.to); k++) busy[row + k] = 1;
  }
  for (const p of view.others) given[p.therapist.index]! += p.to - p.from;
  return therapists.map(({ index }) => ({
    given: given[index]!,
    lunchWork: countMarked(busy, index * LUNCH_SLOTS, (index + 1) * LUNCH_SLOTS),
  }));
}

/**
 * Everyone whose day a plan changes: substitutes, and the booked therapist and the client of each session that moves.
 */
function peopleTold(view: PlanView): Set<TherapistModel | ClientModel> {
  const people = new Set<TherapistModel | ClientModel>();
  for (const p of view.others) people.add(p.therapist);
  for (const { part, moved } of view.parts) {
    if (!moved) continue;
    people.add(part.client);
    const booked = view.model.therapists[part.booked];
    if (booked) people.add(booked);
  }
  return people;
}

/** The people who must be told only because of the second plan, and not because of the first. */
export function calledFor(first: PlanView, second: PlanView): (TherapistModel | ClientModel)[] {
  const before = peopleTold(first);
  return [...peopleTold(second)].filter((who) => !who.told && who.call > 0 && !before.has(who));
}

/** How many people must be told only because of this plan, and how many of them are not in the building yet. */
export function countCalls(view: PlanView): { people: number; notInYet: number } {
  const calls = [...peopleTold(view)].map((who) => (who.told ? 0 : who.call));
  return { people: calls.filter((units) => units > 0).length, notInYet: calls.filter((units) => units > 1).length };
}

/** Lists each pair of a client and a substitute once. */
function pairsOf(view: PlanView): { client: ClientModel; t: TherapistModel }[] {
  const pairs = new Map<number, { client: ClientModel; t: TherapistModel }>();
  for (const { part, therapist: t } of view.others)
    pairs.set(part.client.index * view.model.therapists.length + t.index, { client: part.client, t });
  return [...pairs.values()];
}

function unitsOf(view: PlanView, days: readonly WorkingDay[], term: Term): number {
  const { therapists }: CoverModel = view.model;
  const definition = TERMS[term];
  const open = () => view.pieces.filter((p) => !p.therapist);
  const sum = <T>(of: readonly T[], units: (item: T) => number): number => of.reduce((n, x) => n + units(x), 0);
  switch (definition.counts) {
    case 'open slot':
      return sum(open(), (p) => (p.to - p.from) * definition.of(p.part));
    case 'open piece':
      return sum(open(), (p) => definition.of(p.part, p.from, p.to));
    case 'handover':
      return view.pieces.filter((p) => p.index > 0).length;
    case 'move':
      return view.parts.filter((p) => p.moved).length;
    case 'stretch':
      return sum(view.parts, ({ part, pieces }) =>
        sum(
          stretchesOf(pieces.map(({ therapist, from, to }) => ({ therapist: therapist?.index ?? NOBODY, from, to }))),
          ({ from, to }) => definition.of(part, from, to),
        ),
      );
    case 'piece':
      return sum(view.others, (p) => definition.of(p.part, p.from, p.to));
    case 'visit':
      return sum(view.others, (p) => definition.of(p.part, p.therapist));
    case 'slot':
      return sum(view.others, ({ part, therapist, from, to }) => {
        let units = 0;
        for (let k = from; k < to; k++) units += definition.of(part, k, therapist, therapists[part.booked]);
        return units;
      });
    case 'pair':
      return sum(pairsOf(view), ({ client, t }) => definition.of(client, t));
    case 'person':
      return sum([...peopleTold(view)], (who) => definition.of(who));
    case 'day':
      return sum(therapists, (t) => definition.of(t, days[t.index]![definition.by]));
  }
}

/** Counts a plan's units of every term. */
export function countUnits(view: PlanView): Units {
  const days = workingDays(view);
  return Object.fromEntries(TERM_NAMES.map((term) => [term, unitsOf(view, days, term)])) as Units;
}
