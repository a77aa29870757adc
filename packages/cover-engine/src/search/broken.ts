/**
 * Finds the rows that a relaxed solution breaks.
 */
import { SLOTS } from '../slots.ts';
import type { Column, Row } from './columns.ts';
import { lunchFreed, lunchSlots, unionRows } from './columns.ts';
import { overloadRoom } from './field.ts';
import type { Ground, Movable } from './ground.ts';
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
export function brokenRows(
  ground: Ground,
  columns: readonly Column[],
  values: Float64Array,
  signature: Float64Array,
): Row[] {
  const usage = new Float64Array(ground.hard.length);
  const gone = new Float64Array(ground.movable.length);
  const { therapists } = ground.model;
  const days: Days = {
    usage,
    gone,
    given: new Float64Array(therapists.length),
    paid: new Float64Array(therapists.length * 2),
    alone: new Float64Array(therapists.length * 2),
  };
  columns.forEach((column, j) => {
    const value = values[j] as number;
    if (value < 1e-9) return;
    if (column.kind === 'lunch') days.paid[column.owner * 2] = value;
    if (column.kind === 'over') days.paid[column.owner * 2 + 1] = value;
    if (!column.part) return;
    for (const at of column.uses) usage[at] = (usage[at] as number) + value;
    if (column.kind === 'move') gone[column.owner] = (gone[column.owner] as number) + value;
    for (const p of column.pieces) {
      const t = p.therapist;
      if (t < 0) continue;
      const lunch = lunchSlots(ground.lunchFree, p);
      days.alone[t * 2] =
        (days.alone[t * 2] as number) + value * Math.max(0, lunch - Math.max(0, lunchRoom(ground, t)));
      if (t === column.part.booked) continue;
      days.given[t] = (days.given[t] as number) + value * (p.to - p.from);
      days.alone[t * 2 + 1] =
        (days.alone[t * 2 + 1] as number) + value * Math.max(0, p.to - p.from - Math.max(0, overloadRoom(ground, t)));
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
    const stays = ground.stays[at];
    if (!stays) {
      if (value > 1 + EPSILON) place(at, -1);
    } else
      for (const stay of stays)
        if (value > (gone[ground.movableOf[stay] as number] as number) + EPSILON)
          place(at, ground.movableOf[stay] as number);
  });
  brokenDays(ground, days, rows);
  return rows;
}

function brokenDays(ground: Ground, { usage, gone, given, paid, alone }: Days, rows: Row[]): void {
  for (const t of ground.model.therapists) {
    const overPaid = (paid[t.index * 2 + 1] as number) + EPSILON;
    const overRoom = overloadRoom(ground, t.index);
    if ((given[t.index] as number) - overRoom > overPaid) rows.push({ kind: 'over', therapist: t.index });
    if (overRoom >= 0 && (alone[t.index * 2 + 1] as number) > overPaid)
      rows.push({ kind: 'over-piece', therapist: t.index, room: overRoom });
    let used = 0;
    let usedFree = 0;
    for (let at = t.index * SLOTS; at < (t.index + 1) * SLOTS; at++) {
      if (!ground.lunchSlot[at]) continue;
      used += usage[at] as number;
      if (ground.lunchFree[at]) usedFree += usage[at] as number;
      const stays = ground.hard[at] ? [] : (ground.stays[at] ?? []);
      if (stays.length > 0) used -= Math.min(...stays.map((p) => gone[ground.movableOf[p] as number] as number));
    }
    let freed = 0;
    for (const stay of ground.staysOf[t.index] ?? [])
      freed += (gone[stay] as number) * lunchFreed(ground, (ground.movable[stay] as Movable).part, true);
    const room = lunchRoom(ground, t.index);
    const lunchPaid = (paid[t.index * 2] as number) + EPSILON;
    const count = rows.length;
    if (used - room > lunchPaid) rows.push({ kind: 'lunch', therapist: t.index });
    if (usedFree - freed - room > lunchPaid) rows.push({ kind: 'lunch-free', therapist: t.index });
    if (room >= 0 && (alone[t.index * 2] as number) - freed > lunchPaid)
      rows.push({ kind: 'lunch-piece', therapist: t.index, room });
    if (rows.length === count) continue;
    rows.push(...unionRows(ground, t.index));
  }
}
