/**
 * Cover inequalities (*From bound to proof*, step 5, in docs/cover-engine.md): rows that every real plan satisfies but
 * a mixture of plans may break. Suppose that pieces of several parts together exceed a therapist's free amount (`lunch`
 * or `over`) by `excess` slots. A plan then pays for the excess, reduced by the pieces that it leaves out and by the
 * time that its moves give back: paid ≥ excess − Σ min(slots, excess) × (1 − chosen share of the member) − slots given
 * back. A member stands for all patterns or moves of one part that take at least `slots` of the therapist's day. So a
 * cut is charged to whole patterns, and only where all patterns that matter are listed (`column-pool.ts`).
 */
import type { Column, Cut } from './column.ts';
import { lunchFreed, lunchSlots } from './columns.ts';
import type { Instance } from './instance.ts';

/** How many slots of a therapist's day the pieces of a column take, for `lunch` (free time only) or `over`. */
export function dayLoad(instance: Instance, what: 'lunch' | 'over', therapist: number, column: Column): number {
  let n = 0;
  if (!column.part || (what === 'over' && column.part.booked === therapist)) return 0;
  for (const p of column.pieces)
    if (p.therapist === therapist) n += what === 'lunch' ? lunchSlots(instance.lunchFree, p) : p.to - p.from;
  return n;
}

/** The coefficient of a column in a cut. */
export function cutCoefficient(instance: Instance, cut: Cut, column: Column): number {
  const { therapist, what, step, members, excess } = cut;
  if (column.kind === what) return column.owner === (what === 'over' ? step : therapist) ? -1 : 0;
  if (column.kind !== 'pattern' && column.kind !== 'move') return 0;
  let n = 0;
  for (const m of members)
    if (m.kind === column.kind && m.owner === column.owner && dayLoad(instance, what, therapist, column) >= m.slots)
      n += Math.min(m.slots, excess);
  if (what === 'lunch' && column.kind === 'move' && column.part?.booked === therapist)
    n -= lunchFreed(instance, column.part, true);
  return n;
}

/** A cut's right-hand side. */
export const cutSide = ({ members, excess }: Cut): number =>
  members.reduce((n, m) => n + Math.min(m.slots, excess), 0) - excess;

/** A string that identifies a cut. */
export const cutKey = ({ what, step, therapist, members }: Cut): string =>
  `cover:${what}:${step}:${therapist}:${members.map((m) => `${m.kind}${m.owner},${m.slots}`).join(';')}`;
