/** Finds the rows that a relaxed solution breaks (*From bound to proof*, step 2, in docs/cover-engine.md). */
import { SLOTS } from '../slots.ts';
import type { Column, Row } from './column.ts';
import { groupOf, lunchFreed, lunchSlots, unionRows } from './columns.ts';
import { stepRoom } from './objective.ts';
import type { Instance } from './instance.ts';
import { lunchRoom } from './prices.ts';

const EPSILON = 1e-6;

/** How much of each therapist's day a solution uses. */
interface Days {
  readonly usage: Float64Array;
  readonly gone: Float64Array;
  readonly given: Float64Array;
  /**
   * By therapist: how many slots of lost lunch the solution pays for (`paid`), and how many slots it must pay for
   * because single pieces leave too little time for lunch (`alone`).
   */
  readonly paid: Float64Array;
  readonly alone: Float64Array;
  /**
   * By load step: how many slots beyond the step the solution pays for (`stepPaid`), and how many it must pay for
   * because single pieces go beyond the step (`stepAlone`).
   */
  readonly stepPaid: Float64Array;
  readonly stepAlone: Float64Array;
  /** For each charge: the share of the charge that the solution pays. */
  readonly charged: Float64Array;
}

/**
 * Lists the rows that a solution breaks. Of a therapist's `place` rows that have the same columns so far (equal
 * `signature` of the slots), only the first is listed.
 */
export function separateRows(
  instance: Instance,
  columns: readonly Column[],
  values: Float64Array,
  signature: Float64Array,
): Row[] {
  const usage = new Float64Array(instance.hard.length);
  const gone = new Float64Array(instance.movable.length);
  const { therapists } = instance.model;
  const days: Days = {
    usage,
    gone,
    given: new Float64Array(therapists.length),
    paid: new Float64Array(therapists.length),
    alone: new Float64Array(therapists.length),
    stepPaid: new Float64Array(instance.steps.length),
    stepAlone: new Float64Array(instance.steps.length),
    charged: new Float64Array(instance.charges.length),
  };
  /** At [group × charges + charge]: how much of the charge the group's patterns and moves in the solution cause. */
  const shared = new Map<number, number>();
  columns.forEach((column, j) => {
    const value = values[j]!;
    if (value < 1e-9) return;
    if (column.kind === 'lunch') days.paid[column.owner] = value;
    if (column.kind === 'over') days.stepPaid[column.owner] = value;
    if (column.kind === 'charge') days.charged[column.owner] = value;
    if (!column.part) return;
    for (const at of column.uses) usage[at]! += value;
    if (column.kind === 'move') gone[column.owner]! += value;
    const group = groupOf(instance, column);
    for (const id of column.shared) {
      const key = group * instance.charges.length + id;
      shared.set(key, (shared.get(key) ?? 0) + value);
    }
    for (const p of column.pieces) {
      const t = p.therapist;
      if (t < 0) continue;
      const lunch = lunchSlots(instance.lunchFree, p);
      days.alone[t]! += value * Math.max(0, lunch - Math.max(0, lunchRoom(instance, t)));
      if (t === column.part.booked) continue;
      days.given[t]! += value * (p.to - p.from);
      for (const s of instance.stepsOf[t] ?? [])
        days.stepAlone[s]! += value * Math.max(0, p.to - p.from - Math.max(0, stepRoom(instance, s)));
    }
  });
  const rows: Row[] = [];
  const seen = new Set<string>();
  const place = (at: number, stay: number) => {
    const likeness = `${Math.floor(at / SLOTS)}:${stay}:${signature[at]}`;
    if (seen.has(likeness)) return;
    seen.add(likeness);
    rows.push({ kind: 'place', at, stay });
  };
  usage.forEach((value, at) => {
    if (value < EPSILON) return;
    const stays = instance.stays[at];
    if (!stays) {
      const call = instance.callOf[Math.floor(at / SLOTS)]!;
      if (value > (call < 0 ? 1 : days.charged[call]!) + EPSILON) place(at, -1);
    } else
      for (const stay of stays)
        if (value > gone[instance.movableOf[stay]!]! + EPSILON) place(at, instance.movableOf[stay]!);
  });
  for (const [key, value] of shared) {
    const charge = key % instance.charges.length;
    if (value > days.charged[charge]! + EPSILON)
      rows.push({ kind: 'charge', charge, group: Math.floor(key / instance.charges.length) });
  }
  separateDayRows(instance, days, rows);
  return rows;
}

function separateDayRows(
  instance: Instance,
  { usage, gone, given, paid, alone, stepPaid, stepAlone }: Days,
  rows: Row[],
): void {
  for (const t of instance.model.therapists) {
    for (const step of instance.stepsOf[t.index] ?? []) {
      const overPaid = stepPaid[step]! + EPSILON;
      const room = stepRoom(instance, step);
      if (given[t.index]! - room > overPaid) rows.push({ kind: 'over', therapist: t.index, step });
      if (room >= 0 && stepAlone[step]! > overPaid) rows.push({ kind: 'over-piece', therapist: t.index, step, room });
    }
    if (given[t.index]! > instance.capRoom[t.index]! + EPSILON) rows.push({ kind: 'cap', therapist: t.index });
    let used = 0;
    let usedFree = 0;
    for (let at = t.index * SLOTS; at < (t.index + 1) * SLOTS; at++) {
      if (!instance.lunchSlot[at]) continue;
      used += usage[at]!;
      if (instance.lunchFree[at]) usedFree += usage[at]!;
      const stays = instance.hard[at] ? [] : (instance.stays[at] ?? []);
      if (stays.length > 0) used -= Math.min(...stays.map((p) => gone[instance.movableOf[p]!]!));
    }
    let freed = 0;
    for (const stay of instance.staysOf[t.index] ?? [])
      freed += gone[stay]! * lunchFreed(instance, instance.movable[stay]!.part, true);
    const room = lunchRoom(instance, t.index);
    const lunchPaid = paid[t.index]! + EPSILON;
    const count = rows.length;
    if (used - room > lunchPaid) rows.push({ kind: 'lunch', therapist: t.index });
    if (usedFree - freed - room > lunchPaid) rows.push({ kind: 'lunch-free', therapist: t.index });
    if (room >= 0 && alone[t.index]! - freed > lunchPaid) rows.push({ kind: 'lunch-piece', therapist: t.index, room });
    if (rows.length === count) continue;
    rows.push(...unionRows(instance, t.index));
  }
}
