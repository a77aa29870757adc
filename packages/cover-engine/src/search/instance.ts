/**
 * The instance of the set partitioning program (*The program* in docs/cover-engine.md), the same for every strategy:
 * which parts are open, which may move and to whom, what pins hold fixed, and where each therapist can never be put.
 */
import type { CoverModel, Part, PlanPiece } from '../model.ts';
import { FAMILIARITY, NOBODY, serveFault } from '../model.ts';
import { exactSlotOf, SLOTS } from '../slots.ts';
import type { Weights } from '../strategies.ts';
import { LUNCH, NOTICE_SLOTS, WEIGHTS } from '../strategies.ts';

/** An unaffected part that may move, and the therapists it may move to. */
export interface Movable {
  readonly part: Part;
  readonly targets: readonly number[];
  /** Pinned pieces take its therapist's time: it has to move. */
  readonly must: boolean;
}

export interface Instance {
  readonly model: CoverModel;
  /** Affected parts to be divided. */
  readonly open: readonly Part[];
  readonly movable: readonly Movable[];
  /** By part index: index into `movable`, or -1. */
  readonly movableOf: Int32Array;
  /** Pinned parts that are not simply as booked, with their pieces. */
  readonly fixed: readonly { readonly part: Part; readonly pieces: readonly PlanPiece[] }[];
  /** [therapist × 48 + slot]: no changed piece of theirs may stand here (away, or something immovable). */
  readonly hard: Uint8Array;
  /**
   * [therapist × 48 + slot]: movable parts of theirs that cover it; they have to move before a piece can stand here.
   */
  readonly stays: readonly (readonly number[] | undefined)[];
  /** By therapist: their movable parts (indices in `movable`). */
  readonly staysOf: readonly (readonly number[])[];
  /** [therapist × 48 + slot]: a piece here adds to the work that `lunch` counts. */
  readonly lunchSlot: Uint8Array;
  /** The same, and nothing that could move holds it. */
  readonly lunchFree: Uint8Array;
  /** By therapist: most lunch slots by which pieces on `lunchFree` time alone can go beyond what costs nothing. */
  readonly lunchSpare: Int32Array;
  /** Lunch slots of work when nothing moves and only pinned pieces are added; how many cost nothing. */
  readonly lunchBase: Int32Array;
  readonly lunchMost: Int32Array;
  /** Lunch slots of admin time, which no piece adds to. Zero where `lunch` does not apply. */
  readonly lunchAdmin: Int32Array;
  /** [part × 48 + slot]: somebody has to be here; null: nowhere in particular. */
  readonly mustCover: Uint8Array | null;
  /** Points for each such slot with nobody: more than any plan costs. */
  readonly mustPoints: number;
  /** Slots of others' work in pinned pieces. */
  readonly addedBase: Int32Array;
}

/** Rule 8 for somebody who starts at a slot. */
export function hasNotice(model: CoverModel, therapist: number, from: number): boolean {
  const t = model.therapists[therapist];
  return !model.today || from >= model.now + NOTICE_SLOTS || (t !== undefined && t.dayFrom <= from && from < t.dayTo);
}

/** Slots of [from, to) that are marked in row `row` of a [row × 48] map. */
function anyMarked(marks: Uint8Array, row: number, from: number, to: number): boolean {
  for (let k = from; k < to; k++) if (marks[row * SLOTS + k]) return true;
  return false;
}

function pinnedPieces(model: CoverModel): Map<number, PlanPiece[]> {
  const pinned = new Map<number, PlanPiece[]>();
  for (const pin of model.problem.pins ?? []) {
    for (const part of model.sessionById.get(pin.session)?.parts ?? []) {
      const pieces = pin.pieces
        .map((p) => ({
          from: exactSlotOf(p.start),
          to: exactSlotOf(p.end),
          therapist: model.therapistById.get(p.therapist ?? '')?.index ?? NOBODY,
        }))
        .filter((p) => part.from <= p.from && p.to <= part.to)
        .sort((a, b) => a.from - b.from);
      pinned.set(part.index, pieces);
    }
  }
  return pinned;
}

function targetsOf(model: CoverModel, part: Part, hard: Uint8Array): number[] {
  if (part.affected || part.begun || part.session.service !== 'direct') return [];
  return model.therapists
    .filter(
      (t) =>
        t.index !== part.booked &&
        part.client.familiarity[t.index] !== FAMILIARITY.new &&
        serveFault(t, part.session) === null &&
        !t.free.subarray(part.from, part.to).includes(0) &&
        !anyMarked(hard, t.index, part.from, part.to) &&
        hasNotice(model, t.index, part.from),
    )
    .map((t) => t.index);
}

/** Marks what nothing can move; doing so can take targets away and make further parts immovable, hence the loop. */
function settle(model: CoverModel, candidates: Part[], hard: Uint8Array): Map<number, number[]> {
  const targets = new Map(candidates.map((p) => [p.index, targetsOf(model, p, hard)]));
  for (let again = true; again;) {
    again = false;
    for (const part of candidates) {
      const left = targets.get(part.index);
      if (!left) continue;
      const still = left.filter((t) => !anyMarked(hard, t, part.from, part.to));
      targets.set(part.index, still);
      if (still.length > 0) continue;
      targets.delete(part.index);
      hard.fill(1, part.booked * SLOTS + part.from, part.booked * SLOTS + part.to);
      again = true;
    }
  }
  return targets;
}

/** Points that no plan is worth under these weights: everything left with nobody and everything moved. */
export function dearest(parts: readonly Part[], weights: Weights): number {
  let points = 100_000;
  for (const part of parts)
    points +=
      weights.swap +
      (part.affected ? (part.to - part.from) * (weights.uncovered * Math.max(1, part.client.priority / 100)) : 0);
  return points;
}

/** Lays the ground of a model whose pins have passed `checkPins`. */
export function buildInstance(model: CoverModel, mustCover: Uint8Array | null = null): Instance {
  const size = model.therapists.length * SLOTS;
  const hard = new Uint8Array(size);
  const taken = new Uint8Array(size);
  for (const t of model.therapists) hard.set(t.away, t.index * SLOTS);
  const pinned = pinnedPieces(model);
  const fixed: { part: Part; pieces: PlanPiece[] }[] = [];
  const addedBase = new Int32Array(model.therapists.length);
  for (const [index, pieces] of pinned) {
    const part = model.parts[index];
    if (!part || (!part.affected && pieces[0]?.therapist === part.booked)) continue;
    fixed.push({ part, pieces });
    for (const p of pieces) {
      if (p.therapist === NOBODY) continue;
      taken.fill(1, p.therapist * SLOTS + p.from, p.therapist * SLOTS + p.to);
      if (p.therapist !== part.booked) addedBase[p.therapist] = (addedBase[p.therapist] ?? 0) + p.to - p.from;
    }
  }
  taken.forEach((v, i) => {
    if (v) hard[i] = 1;
  });
  const staying = model.parts.filter((p) => !p.affected && !fixed.some((f) => f.part === p));
  for (const part of staying)
    if (pinned.has(part.index)) hard.fill(1, part.booked * SLOTS + part.from, part.booked * SLOTS + part.to);
  const targets = settle(
    model,
    staying.filter((p) => !pinned.has(p.index)),
    hard,
  );
  const stays: number[][] = new Array<number[]>(size);
  const movableOf = new Int32Array(model.parts.length).fill(-1);
  const movable: Movable[] = [];
  for (const part of staying) {
    const to = targets.get(part.index);
    if (!to) continue;
    movableOf[part.index] = movable.length;
    movable.push({ part, targets: to, must: anyMarked(taken, part.booked, part.from, part.to) });
    for (let k = part.from; k < part.to; k++) (stays[part.booked * SLOTS + k] ??= []).push(part.index);
  }
  const staysOf: number[][] = model.therapists.map(() => []);
  movable.forEach((m, i) => staysOf[m.part.booked]?.push(i));
  const lunchSlot = new Uint8Array(size);
  const lunchFree = new Uint8Array(size);
  const lunchSpare = new Int32Array(model.therapists.length);
  const lunchBase = new Int32Array(model.therapists.length);
  const lunchMost = new Int32Array(model.therapists.length);
  const lunchAdmin = new Int32Array(model.therapists.length);
  for (const t of model.therapists) {
    let before = 0;
    for (let k = LUNCH.from; k < LUNCH.to; k++) {
      const at = t.index * SLOTS + k;
      const admin = t.admin[k] === 1 && t.away[k] === 0;
      if (t.availableSlots <= LUNCH.availableOver) continue;
      lunchSlot[at] = admin ? 0 : 1;
      lunchFree[at] = admin || hard[at] || stays[at] ? 0 : 1;
      lunchSpare[t.index] = (lunchSpare[t.index] ?? 0) + (lunchFree[at] ?? 0);
      if (admin) lunchAdmin[t.index] = (lunchAdmin[t.index] ?? 0) + 1;
      before += t.before[k] ?? 0;
      const stayed = staying.some((p) => p.booked === t.index && p.from <= k && k < p.to);
      if (admin || taken[at] || stayed) lunchBase[t.index] = (lunchBase[t.index] ?? 0) + 1;
    }
    lunchMost[t.index] =
      t.availableSlots <= LUNCH.availableOver ? SLOTS : Math.max(LUNCH.to - LUNCH.from - LUNCH.free, before);
    lunchSpare[t.index] = (lunchSpare[t.index] ?? 0) - (lunchMost[t.index] ?? 0) + (lunchBase[t.index] ?? 0);
  }
  const mustPoints = mustCover ? dearest(model.parts, WEIGHTS.balanced) : 0;
  const open = model.parts.filter((p) => p.affected && !pinned.has(p.index));
  return {
    model,
    open,
    movable,
    movableOf,
    fixed,
    hard,
    stays,
    staysOf,
    lunchSlot,
    lunchFree,
    lunchSpare,
    lunchBase,
    lunchMost,
    lunchAdmin,
    addedBase,
    mustCover,
    mustPoints,
  };
}
