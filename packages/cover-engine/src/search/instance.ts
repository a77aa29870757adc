/**
 * The search's input (*The program* in docs/cover-engine.md), the same for every strategy: which parts are open, which
 * parts may move and to whom, what pins fix, and when a therapist can never be used. The file is over 250 lines because
 * it holds everything that the search derives from the model.
 */
import type { CoverModel, Part, PlanPiece, TherapistModel } from '../model.ts';
import { FAMILIARITY, NOBODY, serveFault } from '../model.ts';
import { exactSlotOf, SLOTS } from '../slots.ts';
import { LUNCH, NOTICE } from '../limits.ts';
import { GIVEN_TERMS, lunchAllowance, PAIR_TERMS, POINTS, TERMS, type Term } from '../terms.ts';
import { dearest } from './dearest.ts';
import type { PricedBy } from './priced.ts';

/**
 * A cost that is paid once a day, no matter how many patterns and moves cause it: a call to a person, or a substitute
 * for a client. A group stands for a part. An open part's group is its index; a movable part's group is its
 * index plus the number of open parts.
 */
export interface Charge {
  /** Identifies the charge, with pins and without. */
  readonly name: string;
  readonly units: Partial<Record<PricedBy<'charge'>, number>>;
  /**
   * The groups that can cause the charge. If only one group can, the columns of that group carry the cost, and the
   * charge needs no row.
   */
  readonly groups: readonly number[];
}

/** Each slot of others' work that a therapist takes beyond `room` costs `points` units of the term. */
export interface LoadStep {
  readonly therapist: number;
  readonly term: Term;
  readonly room: number;
  readonly points: number;
}

/** An unaffected part that may move, and the therapists to whom it may move. */
export interface Movable {
  readonly part: Part;
  readonly targets: readonly number[];
  /** Whether the part must move because pinned pieces need its therapist's time. */
  readonly must: boolean;
}

export interface Instance {
  readonly model: CoverModel;
  /** The affected parts that are not pinned; each must get a pattern. */
  readonly open: readonly Part[];
  readonly movable: readonly Movable[];
  /** The index in `movable`, by part index; -1 if the part cannot move. */
  readonly movableOf: Int32Array;
  /** The pinned parts that do not simply stay as booked, with their pieces. */
  readonly fixed: readonly { readonly part: Part; readonly pieces: readonly PlanPiece[] }[];
  /**
   * At [therapist × 48 + slot]: 1 if the therapist cannot have a changed piece there (away, or busy with something
   * that cannot move).
   */
  readonly hard: Uint8Array;
  /**
   * At [therapist × 48 + slot]: the therapist's movable parts there (part indices), which must leave before a piece can
   * be there.
   */
  readonly stays: readonly (readonly number[] | undefined)[];
  /** For each therapist: the booked parts of the therapist that can move, as indices in `movable`. */
  readonly staysOf: readonly (readonly number[])[];
  /** At [therapist × 48 + slot]: whether a piece there adds to the work that `lunch` counts. */
  readonly lunchSlot: Uint8Array;
  /** Like `lunchSlot`, but 0 in slots that are booked or in which the therapist is away. */
  readonly lunchFree: Uint8Array;
  /**
   * For each therapist: how many lunch slots they would work beyond `lunchMost` if pieces filled all their unoccupied
   * time.
   */
  readonly lunchSpare: Int32Array;
  /**
   * For each therapist: `lunchBase` is how many lunch slots they work when nothing moves and only pinned pieces are
   * added; `lunchMost` is how many they may work at no cost.
   */
  readonly lunchBase: Int32Array;
  readonly lunchMost: Int32Array;
  /**
   * For each therapist: how many lunch slots are administrative time, so that a piece there adds no work; 0 if `lunch`
   * does not apply to the therapist.
   */
  readonly lunchAdmin: Int32Array;
  /** At [part × 48 + slot]: whether the part must have a therapist there; null when nothing is required. */
  readonly mustCover: Uint8Array | null;
  /** The points for a required slot without a therapist, more than any plan costs. */
  readonly mustPoints: number;
  /** For each therapist: how many slots of others' work the pinned pieces give them. */
  readonly addedBase: Int32Array;
  /** For each therapist: how many more slots of others' work they may take. */
  readonly capRoom: Int32Array;
  readonly steps: readonly LoadStep[];
  /** For each therapist: which entries of `steps` are theirs. */
  readonly stepsOf: readonly (readonly number[])[];
  readonly charges: readonly Charge[];
  /**
   * At [group × therapists + therapist]: the charges that arise when a pattern or move of the group gives the therapist
   * any work.
   */
  readonly chargesOf: readonly (readonly number[] | undefined)[];
  /** The charges that moving a movable part causes, regardless of who takes the part. */
  readonly chargesOfMove: readonly (readonly number[])[];
  /** For each therapist: the index of the charge for calling them; -1 if that charge needs no row. */
  readonly callOf: Int32Array;
}

/** Stands for no cap: more slots than a day has. */
const UNCAPPED = 1000;

/** Whether several groups can cause a charge. Only such a charge has rows. */
export const isShared = (charge: Charge): boolean => charge.groups.length > 1;

/** The therapists, other than the booked one, who may serve a part and have time in at least one of its slots. */
export function candidatesOf(model: CoverModel, hard: Uint8Array, part: Part): number[] {
  const found: number[] = [];
  for (const t of model.therapists) {
    if (t.index === part.booked || serveFault(t, part.session)) continue;
    for (let k = part.from; k < part.to; k++) {
      if (!t.free[k] || hard[t.index * SLOTS + k]) continue;
      found.push(t.index);
      break;
    }
  }
  return found;
}

/** Rule 8: whether a therapist has enough notice to start at a slot. */
export function hasNotice(model: CoverModel, therapist: number, from: number): boolean {
  const t = model.therapists[therapist];
  return !model.today || from >= model.now + NOTICE || (t !== undefined && t.dayFrom <= from && from < t.dayTo);
}

/** Whether any of the slots [from, to) is marked in a row of a [row × 48] map. */
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

function targetsOf(model: CoverModel, part: Part, hard: Uint8Array, capRoom: Int32Array): number[] {
  if (part.affected || part.begun || part.session.service !== 'direct') return [];
  return model.therapists
    .filter(
      (t) =>
        t.index !== part.booked &&
        part.client.familiarity[t.index] !== FAMILIARITY.new &&
        serveFault(t, part.session) === null &&
        !t.free.subarray(part.from, part.to).includes(0) &&
        !anyMarked(hard, t.index, part.from, part.to) &&
        hasNotice(model, t.index, part.from) &&
        part.to - part.from <= capRoom[t.index]!,
    )
    .map((t) => t.index);
}

/**
 * Marks the time of parts that cannot move as occupied. This can rule out the last therapist to whom another part could
 * move, so the function repeats until nothing changes. Returns, by part index, the therapists to whom each remaining
 * part can move.
 */
function settle(model: CoverModel, candidates: Part[], hard: Uint8Array, capRoom: Int32Array): Map<number, number[]> {
  const targets = new Map(candidates.map((p) => [p.index, targetsOf(model, p, hard, capRoom)]));
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

/** Builds the instance of a model. `checkPins` reads the instance, so call it before any search. */
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
  const capRoom = Int32Array.from(model.therapists, (t) =>
    t.cap === null ? UNCAPPED : t.cap + t.freed - addedBase[t.index]!,
  );
  const targets = settle(
    model,
    staying.filter((p) => !pinned.has(p.index)),
    hard,
    capRoom,
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
  const mustPoints = mustCover ? dearest(model, POINTS) : 0;
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
    addedBase,
    mustCover,
    mustPoints,
    capRoom,
    ...lunchesFor(model, { hard, taken, stays }, staying),
    ...loadSteps(model, addedBase),
    ...chargesFor(model, hard, open, movable, fixed),
  };
}

/**
 * Computes the lunch fields of each therapist. Three maps by [therapist × 48 + slot] tell what occupies a slot:
 * sessions that cannot move (`hard`), pinned pieces (`taken`) or movable parts (`stays`). `staying` lists the
 * unaffected parts that no pin changes.
 */
function lunchesFor(
  model: CoverModel,
  { hard, taken, stays }: Pick<Instance, 'hard' | 'stays'> & { readonly taken: Uint8Array },
  staying: readonly Part[],
): Pick<Instance, 'lunchSlot' | 'lunchFree' | 'lunchSpare' | 'lunchBase' | 'lunchMost' | 'lunchAdmin'> {
  const { length } = model.therapists;
  const lunchSlot = new Uint8Array(length * SLOTS);
  const lunchFree = new Uint8Array(length * SLOTS);
  const lunchSpare = new Int32Array(length);
  const lunchBase = new Int32Array(length);
  const lunchMost = new Int32Array(length);
  const lunchAdmin = new Int32Array(length);
  for (const t of model.therapists) {
    if (t.availableSlots <= LUNCH.availableOver) {
      lunchMost[t.index] = SLOTS;
      continue;
    }
    for (let k = LUNCH.from; k < LUNCH.to; k++) {
      const at = t.index * SLOTS + k;
      const admin = t.admin[k] === 1 && t.away[k] === 0;
      lunchSlot[at] = admin ? 0 : 1;
      lunchFree[at] = admin || hard[at] || stays[at] ? 0 : 1;
      lunchSpare[t.index]! += lunchFree[at];
      if (admin) lunchAdmin[t.index]! += 1;
      const stayed = staying.some((p) => p.booked === t.index && p.from <= k && k < p.to);
      if (admin || taken[at] || stayed) lunchBase[t.index]! += 1;
    }
    lunchMost[t.index] = lunchAllowance(t);
    lunchSpare[t.index]! -= lunchMost[t.index]! - lunchBase[t.index]!;
  }
  return { lunchSlot, lunchFree, lunchSpare, lunchBase, lunchMost, lunchAdmin };
}

function loadSteps(model: CoverModel, addedBase: Int32Array): Pick<Instance, 'steps' | 'stepsOf'> {
  const steps: LoadStep[] = [];
  const stepsOf = model.therapists.map((t) => {
    const own: number[] = [];
    for (const { term, of } of GIVEN_TERMS) {
      let slope = 0;
      for (let given = 0; given < SLOTS; given++) {
        const next = of(t, given + 1) - of(t, given);
        const points = next - slope;
        if (points < 0) throw new Error(`${term} must never rise more slowly`);
        const step = { therapist: t.index, term, room: given - addedBase[t.index]!, points };
        if (points > 0) own.push(steps.push(step) - 1);
        slope = next;
      }
    }
    return own;
  });
  return { steps, stepsOf };
}

/**
 * Lists all charges. Leaves out charges that pinned pieces already cause, and calls to people who must be told in any
 * case.
 */
function chargesFor(
  model: CoverModel,
  hard: Uint8Array,
  open: readonly Part[],
  movable: readonly Movable[],
  fixed: Instance['fixed'],
): Pick<Instance, 'charges' | 'chargesOf' | 'chargesOfMove' | 'callOf'> {
  const { length } = model.therapists;
  const paid = new Set<string>();
  for (const { part, pieces } of fixed) {
    for (const { therapist: t } of pieces)
      if (t !== NOBODY && t !== part.booked) paid.add(`call:t${t}`).add(`pair:${part.client.index}:${t}`);
    if (!part.affected) paid.add(`call:t${part.booked}`).add(`call:c${part.client.index}`);
  }
  const groups = new Map<string, { units: Charge['units']; groups: Set<number> }>();
  const meets: [string, (id: number) => void][] = [];
  const meet = (key: string, units: Charge['units'], group: number, then: (id: number) => void) => {
    if (paid.has(key) || Object.values(units).every((n) => n === 0)) return;
    const known = groups.get(key) ?? { units, groups: new Set<number>() };
    known.groups.add(group);
    groups.set(key, known);
    meets.push([key, then]);
  };
  const chargesOf: number[][] = new Array<number[]>((open.length + movable.length) * length);
  const chargesOfMove: number[][] = movable.map(() => []);
  const call = (t: number, group: number, then: (id: number) => void) => {
    const therapist = model.therapists[t];
    if (therapist) meet(`call:t${t}`, { call: TERMS.call.of(therapist) }, group, then);
  };
  /** What arises when a group gives a therapist a piece of a client's session. */
  const serve = ({ client }: Part, t: TherapistModel, group: number) => {
    const add = (id: number) => (chargesOf[group * length + t.index] ??= []).push(id);
    call(t.index, group, add);
    const units = Object.fromEntries(PAIR_TERMS.map(({ term, of }) => [term, of(client, t)]));
    meet(`pair:${client.index}:${t.index}`, units, group, add);
  };
  open.forEach((part, i) => {
    for (const t of candidatesOf(model, hard, part)) serve(part, model.therapists[t]!, i);
  });
  movable.forEach(({ part, targets }, m) => {
    const group = open.length + m;
    for (const t of targets) serve(part, model.therapists[t]!, group);
    const always = (id: number) => chargesOfMove[m]?.push(id);
    call(part.booked, group, always);
    meet(`call:c${part.client.index}`, { call: TERMS.call.of(part.client) }, group, always);
  });
  const ids = new Map([...groups.keys()].map((key, id) => [key, id]));
  for (const [key, then] of meets) then(ids.get(key)!);
  const charges = [...groups].map(([name, c]) => ({ ...c, name, groups: [...c.groups] }));
  const callOf = new Int32Array(length).fill(-1);
  for (const [key, id] of ids)
    if (key.startsWith('call:t') && isShared(charges[id]!)) callOf[Number(key.slice(6))] = id;
  return { charges, chargesOf, chargesOfMove, callOf };
}
