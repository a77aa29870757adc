/**
 * Finds the cuts (`cover-cuts.ts`) that a relaxed solution breaks (*From bound to proof*, step 5, in
 * docs/cover-engine.md).
 */
import { pushTo } from '@clinic/domain';
import type { Column, Cut } from './column.ts';
import { lunchFreed } from './columns.ts';
import { dayLoad } from './cover-cuts.ts';
import { stepRoom } from './objective.ts';
import type { Instance } from './instance.ts';
import { lunchRoom } from './prices.ts';

/** A cut that is broken by less than this is ignored. */
const LEAST_BROKEN = 0.02;

type Member = Cut['members'][number];

interface Chosen {
  readonly column: Column;
  readonly value: number;
}

/**
 * The pieces of one part (or one move) that take at least `member.slots` slots of a therapist's day, and the sum of
 * their shares in the solution.
 */
interface Share {
  readonly member: Member;
  readonly value: number;
}

function sharesOf(instance: Instance, what: 'lunch' | 'over', therapist: number, chosen: readonly Chosen[]): Share[][] {
  const loads = new Map<string, { column: Column; slots: number; value: number }[]>();
  for (const { column, value } of chosen) {
    const slots = dayLoad(instance, what, therapist, column);
    if (slots === 0) continue;
    pushTo(loads, `${column.kind}${column.owner}`, { column, slots, value });
  }
  return [...loads.values()].map((list) =>
    [...new Set(list.map((l) => l.slots))].map((slots) => ({
      member: { kind: list[0]?.column.kind === 'move' ? 'move' : 'pattern', owner: list[0]?.column.owner ?? 0, slots },
      value: list.reduce((n, l) => n + (l.slots >= slots ? l.value : 0), 0),
    })),
  );
}

/** The two or three shares, each from a different group, that break a cut most; null when no cut is broken. */
function worstCover(groups: readonly Share[][], room: number, paid: number): { of: Share[]; excess: number } | null {
  let worst: { of: Share[]; excess: number } | null = null;
  let most = LEAST_BROKEN;
  const extend = (of: Share[], from: number) => {
    const excess = of.reduce((n, s) => n + s.member.slots, -room);
    if (of.length > 1 && excess > 0) {
      const broken = of.reduce((n, s) => n - Math.min(s.member.slots, excess) * (1 - s.value), excess - paid);
      if (broken > most) {
        most = broken;
        worst = { of, excess };
      }
    }
    if (of.length < 3)
      for (let g = from; g < groups.length; g++)
        for (const share of groups[g] ?? []) if (share.value > 0.3) extend([...of, share], g + 1);
  };
  extend([], 0);
  return worst;
}

/** The cuts that a relaxed solution breaks: at most one for each therapist's lunch, and one for each load step. */
export function separateCuts(instance: Instance, columns: readonly Column[], values: Float64Array): Cut[] {
  const chosen: Chosen[][] = instance.model.therapists.map(() => []);
  const paid = { lunch: new Float64Array(chosen.length), over: new Float64Array(instance.steps.length) };
  const freed = new Float64Array(chosen.length);
  columns.forEach((column, j) => {
    const value = values[j]!;
    if (value < 1e-6) return;
    if (column.kind === 'lunch' || column.kind === 'over') paid[column.kind][column.owner] = value;
    if (column.kind === 'move' && column.part) {
      const { booked } = column.part;
      freed[booked]! += value * lunchFreed(instance, column.part, true);
    }
    for (const t of new Set(column.pieces.map((p) => p.therapist)))
      if (t >= 0) (chosen[t] as Chosen[]).push({ column, value });
  });
  const cuts: Cut[] = [];
  for (const { index } of instance.model.therapists)
    for (const step of [-1, ...(instance.stepsOf[index] ?? [])]) {
      const what = step < 0 ? 'lunch' : 'over';
      const mine = chosen[index]!;
      if (mine.every((c) => c.value > 1 - 1e-6)) continue;
      const room = what === 'lunch' ? lunchRoom(instance, index) : stepRoom(instance, step);
      const already = what === 'lunch' ? paid.lunch[index]! + freed[index]! : paid.over[step]!;
      const worst = worstCover(sharesOf(instance, what, index, mine), room, already);
      if (!worst) continue;
      cuts.push({
        kind: 'cover',
        therapist: index,
        what,
        step,
        members: worst.of.map((s) => s.member),
        excess: worst.excess,
      });
    }
  return cuts;
}
