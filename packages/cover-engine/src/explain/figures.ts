/** What a plan means, in minutes, changes and faces: the figures that people compare options by. Never points. */
import { countMarked, piecesOfOthers, viewPlan } from '../constraints/view.ts';
import { FAMILIARITY, type CoverModel, type Plan } from '../model.ts';
import { SLOT_MINUTES } from '../slots.ts';
import { LUNCH, OVERLOAD_FROM } from '../strategies.ts';

/** All times in minutes. */
export interface PlanFigures {
  /** Time of affected sessions that somebody takes. */
  keptMinutes: number;
  /** Time of affected sessions with nobody. */
  uncoveredMinutes: number;
  /** Stretches with nobody in the middle of a session. */
  gaps: number;
  /** Points inside a session where the person changes, to or from nobody included. */
  handovers: number;
  /** Unaffected sessions that change therapist. */
  swaps: number;
  /** Pairs of a client and a therapist they have never had. */
  newFaces: number;
  /** Cover given by a client's care team. */
  teamMinutes: number;
  /** Visits of under an hour that are not the whole session. */
  shortVisits: number;
  /** Direct care that BCBAs give in place of others. */
  bcbaMinutes: number;
  /** Cover outside the helper's booked day. */
  callInMinutes: number;
  /** Cover beyond two hours (and what absent clients leave free), over all helpers. */
  overloadMinutes: number;
  adminMinutes: number;
  lunchMinutes: number;
  /** Time that a therapist who is present gives to another. */
  takenMinutes: number;
  /** People who take work of others. */
  helpers: number;
}

function lunchSlots(model: CoverModel, plan: Plan): number {
  let lost = 0;
  const work = model.therapists.map((t) => t.admin.map((admin, k) => (admin && !t.away[k] ? 1 : 0)));
  for (const pieces of plan) for (const p of pieces) work[p.therapist]?.fill(1, p.from, p.to);
  for (const t of model.therapists) {
    if (t.availableSlots <= LUNCH.availableOver) continue;
    const most = Math.max(LUNCH.to - LUNCH.from - LUNCH.free, countMarked(t.before, LUNCH.from, LUNCH.to));
    lost += Math.max(0, countMarked(work[t.index] as Uint8Array, LUNCH.from, LUNCH.to) - most);
  }
  return lost;
}

/** The figures of a legal plan. */
export function planFigures(model: CoverModel, plan: Plan): PlanFigures {
  const view = viewPlan(model, plan);
  const slots = { kept: 0, uncovered: 0, team: 0, bcba: 0, callIn: 0, admin: 0, taken: 0 };
  let [gaps, handovers, swaps, shortVisits] = [0, 0, 0, 0];
  for (const { part, pieces, moved } of view.parts) {
    if (moved) swaps++;
    if (!part.affected) continue;
    handovers += pieces.length - 1;
    for (const p of pieces) {
      slots[p.therapist ? 'kept' : 'uncovered'] += p.to - p.from;
      if (!p.therapist && p.from > part.from && p.to < part.to) gaps++;
    }
  }
  const faces = new Set<string>();
  const added = new Map<number, number>();
  for (const p of piecesOfOthers(view)) {
    const { therapist: t, part } = p;
    const n = p.to - p.from;
    const familiarity = part.client.familiarity[t.index];
    if (familiarity === FAMILIARITY.new) faces.add(`${part.client.index} ${t.index}`);
    if (familiarity === FAMILIARITY.team) slots.team += n;
    if (n < 4 && !p.whole) shortVisits++;
    if (t.credential === 'BCBA' && part.session.service === 'direct') slots.bcba += n;
    slots.admin += countMarked(t.admin, p.from, p.to);
    slots.callIn += n - Math.max(0, Math.min(p.to, t.dayTo) - Math.max(p.from, t.dayFrom));
    const booked = model.therapists[part.booked];
    if (part.affected && booked) slots.taken += n - countMarked(booked.away, p.from, p.to);
    added.set(t.index, (added.get(t.index) ?? 0) + n);
  }
  let overload = 0;
  for (const [t, n] of added) overload += Math.max(0, n - OVERLOAD_FROM - (model.therapists[t]?.freed ?? 0));
  return {
    keptMinutes: slots.kept * SLOT_MINUTES,
    uncoveredMinutes: slots.uncovered * SLOT_MINUTES,
    gaps,
    handovers,
    swaps,
    newFaces: faces.size,
    teamMinutes: slots.team * SLOT_MINUTES,
    shortVisits,
    bcbaMinutes: slots.bcba * SLOT_MINUTES,
    callInMinutes: slots.callIn * SLOT_MINUTES,
    overloadMinutes: overload * SLOT_MINUTES,
    adminMinutes: slots.admin * SLOT_MINUTES,
    lunchMinutes: lunchSlots(model, plan) * SLOT_MINUTES,
    takenMinutes: slots.taken * SLOT_MINUTES,
    helpers: added.size,
  };
}
