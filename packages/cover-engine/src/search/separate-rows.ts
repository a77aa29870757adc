/**
 * Row separation (*From bound to proof*, step 2, in docs/cover-engine.md): finds the rows that a relaxed solution
 * breaks.
 */
import { SLOTS } from '../slots.ts';
import type { Column, Row } from './columns.ts';
import { lunchFreed, lunchSlots, unionRows } from './columns.ts';
import { overloadRoom } from './objective.ts';
import type { Instance, Movable } from './instance.ts';
import { lunchRoom } from './prices.ts';

const EPSILON = 1e-6;

/** What a solution asks of each therapist's day; the last two are [therapist × 2], lunch and overload. */
interface Days {
  readonly usage: Float64Array;
  readonly gone: Float64Array;
  readonly given: Float64Array;
  readonly paid: Float64Array;
  readonly alone: Float64Array;
}

/** Rows that a solution breaks; of rows that look alike so far (`signature`, by slot) only the first. */
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
    paid: new Float64Array(therapists.length * 2),
    alone: new Float64Array(therapists.length * 2),
  };
  columns.forEach((column, j) => {
    const value = values[j]!;
    if (value < 1e-9) return;
    if (column.kind === 'lunch') days.paid[column.owner * 2] = value;
    if (column.kind === 'over') days.paid[column.owner * 2 + 1] = value;
    if (!column.part) return;
    for (const at of column.uses) usage[at]! += value;
    if (column.kind === 'move') gone[column.owner]! += value;
    for (const p of column.pieces) {
      const t = p.therapist;
      if (t < 0) continue;
      const lunch = lunchSlots(instance.lunchFree, p);
      days.alone[t * 2] = days.alone[t * 2]! + value * Math.max(0, lunch - Math.max(0, lunchRoom(instance, t)));
      if (t === column.part.booked) continue;
      days.given[t]! += value * (p.to - p.from);
      days.alone[t * 2 + 1] =
        days.alone[t * 2 + 1]! + value * Math.max(0, p.to - p.from - Math.max(0, overloadRoom(instance, t)));
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
      if (value > 1 + EPSILON) place(at, -1);
    } else
      for (const stay of stays)
        if (value > gone[instance.movableOf[stay]!]! + EPSILON) place(at, instance.movableOf[stay]!);
  });
  separateDayRows(instance, days, rows);
  return rows;
}

function separateDayRows(instance: Instance, { usage, gone, given, paid, alone }: Days, rows: Row[]): void {
  for (const t of instance.model.therapists) {
    const overPaid = paid[t.index * 2 + 1]! + EPSILON;
    const overRoom = overloadRoom(instance, t.index);
    if (given[t.index]! - overRoom > overPaid) rows.push({ kind: 'over', therapist: t.index });
    if (overRoom >= 0 && alone[t.index * 2 + 1]! > overPaid)
      rows.push({ kind: 'over-piece', therapist: t.index, room: overRoom });
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
      freed += gone[stay]! * lunchFreed(instance, (instance.movable[stay] as Movable).part, true);
    const room = lunchRoom(instance, t.index);
    const lunchPaid = paid[t.index * 2]! + EPSILON;
    const count = rows.length;
    if (used - room > lunchPaid) rows.push({ kind: 'lunch', therapist: t.index });
    if (usedFree - freed - room > lunchPaid) rows.push({ kind: 'lunch-free', therapist: t.index });
    if (room >= 0 && alone[t.index * 2]! - freed > lunchPaid)
      rows.push({ kind: 'lunch-piece', therapist: t.index, room });
    if (rows.length === count) continue;
    rows.push(...unionRows(instance, t.index));
  }
}
