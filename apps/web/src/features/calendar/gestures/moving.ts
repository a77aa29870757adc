import {
  DAY_END,
  DAY_START,
  MINUTES_A_DAY,
  SLOT_MINUTES,
  clockTime,
  duration,
  intersect,
  overlaps,
  subtract,
  type Interval,
} from '@clinic/domain';
import type { CalendarAppointment } from '../appointments.ts';
import { shortTimes } from '../bars.ts';
import { blocksIn, type Block, type Ground } from './blocks.ts';

/** A time in a row. */
export interface Spot extends Interval {
  readonly row: number;
}

/** What is held: a session that is moved or pulled at an end, or a new session. */
export interface Held {
  readonly kind: 'move' | 'start' | 'end' | 'draw';
  readonly session: CalendarAppointment | null;
  readonly from: Spot;
}

/** How far something is moved. */
export interface Shift {
  readonly minutes: number;
  readonly rows?: number;
  readonly part: 'whole' | 'start' | 'end';
}

const DAY = { start: DAY_START, end: DAY_END };

/** Everything about the place where something is held. */
export interface Verdict {
  /** The time that it gets if it is let go: of a pulled end, the part that works. */
  readonly spot: Spot;
  /** Why it cannot be there; null if it can. */
  readonly why: string | null;
  /** Where it meets what is in the way. */
  readonly hits: readonly Interval[];
  /** What is said beside it. */
  readonly words: string;
}

/** Answers for any place, after working out each row once. */
export class Moving {
  readonly held: Held;
  readonly #grounds: readonly (Ground | null)[];
  readonly #blocks = new Map<number, readonly Block[]>();
  readonly #fits = new Map<number, readonly Interval[]>();

  constructor(held: Held, grounds: readonly (Ground | null)[]) {
    this.held = held;
    this.#grounds = grounds;
  }

  /** What is in the way in a row. */
  blocks(row: number): readonly Block[] {
    let known = this.#blocks.get(row);
    if (!known) {
      const ground = this.#grounds[row];
      known = ground ? blocksIn(ground, this.held.session) : [{ start: 0, end: MINUTES_A_DAY, why: 'Not there' }];
      this.#blocks.set(row, known);
    }
    return known;
  }

  get #length(): number {
    return this.held.from.end - this.held.from.start;
  }

  /** The times of a row in which the whole length fits. */
  fits(row: number): readonly Interval[] {
    let known = this.#fits.get(row);
    if (!known) {
      known = subtract([DAY], this.blocks(row)).filter(({ start, end }) => end - start >= this.#length);
      this.#fits.set(row, known);
    }
    return known;
  }

  /** The place that lies this far from another, within the day and the rows. `part` is what moves: all of it, or an end. */
  shifted(spot: Spot, { minutes, rows = 0, part }: Shift): Spot {
    const { start, end, row } = spot;
    if (part === 'start') return { ...spot, start: Math.max(DAY_START, Math.min(end - SLOT_MINUTES, start + minutes)) };
    if (part === 'end') return { ...spot, end: Math.min(DAY_END, Math.max(start + SLOT_MINUTES, end + minutes)) };
    const length = end - start;
    const at = Math.max(Math.min(DAY_START, start), Math.min(Math.max(DAY_END - length, start), start + minutes));
    return { row: Math.max(0, Math.min(this.#grounds.length - 1, row + rows)), start: at, end: at + length };
  }

  /** The place between the one under the pointer and where the drawing began. */
  drawnTo(at: number): Spot {
    const { from } = this.held;
    const start = Math.max(DAY_START, Math.min(from.start, at));
    return { row: from.row, start, end: Math.min(DAY_END, Math.max(from.start + SLOT_MINUTES, at)) };
  }

  /** What becomes of it there. */
  at(wanted: Spot): Verdict {
    const { kind, from } = this.held;
    const isHome = wanted.row === from.row && wanted.start === from.start && wanted.end === from.end;
    const met = isHome && kind !== 'draw' ? [] : this.#met(wanted);
    const hits = met.flatMap((block) => intersect(block, wanted) ?? []);
    if (kind === 'move') return { spot: wanted, why: met[0]?.why ?? null, hits, words: this.#words(wanted, isHome) };
    const spot = this.#stopped(wanted, met);
    return { spot, why: met[0]?.why ?? null, hits, words: this.#words(spot, isHome) };
  }

  /** What is in the way of a place, what begins first first. A session may stay where it breaks a rule already. */
  #met(wanted: Spot): Block[] {
    const { kind, from } = this.held;
    const added = kind === 'move' || kind === 'draw' ? [wanted] : subtract([wanted], [from]);
    return this.blocks(wanted.row)
      .filter((block) => added.some((each) => overlaps(each, block)))
      .sort((a, b) => a.start - b.start);
  }

  /** A pulled end or a drawn time stops at what is in the way. */
  #stopped(wanted: Spot, met: readonly Block[]): Spot {
    const { from } = this.held;
    let { start, end } = wanted;
    for (const block of met) {
      if (block.end > from.end) end = Math.min(end, Math.max(block.start, from.end));
      if (block.start < from.start) start = Math.max(start, Math.min(block.end, from.start));
    }
    return { ...wanted, start, end };
  }

  #words(spot: Spot, isHome: boolean): string {
    const { kind, from } = this.held;
    const times = shortTimes(spot);
    if (kind === 'draw') return `${times}, ${duration(spot.end - spot.start)}`;
    const more = spot.end - spot.start - this.#length;
    const change = more === 0 ? 'same hours' : `${more > 0 ? '+' : '-'}${duration(Math.abs(more))}`;
    const where = spot.row === from.row ? '' : ` ${this.#grounds[spot.row]?.words ?? ''}`;
    return isHome ? `${times}, where it was` : `${times}${where}, ${change}`;
  }

  /** Where the whole length fits instead, in a sentence; empty if nowhere. */
  instead({ row }: Spot): string {
    const long = duration(this.#length);
    const [here] = this.fits(row);
    if (here) return `${long} ${long === '1 h' ? 'fits' : 'fit'} here from ${clockTime(here.start)}.`;
    const near = this.#grounds.map((_, at) => at).sort((a, b) => Math.abs(a - row) - Math.abs(b - row));
    for (const at of near) {
      const [first] = this.fits(at);
      if (first)
        return `${long} ${long === '1 h' ? 'fits' : 'fit'} ${this.#grounds[at]?.words ?? ''} from ${clockTime(first.start)}.`;
    }
    return '';
  }

  /** The next place where it fits, later in the row or in the rows after it, and then from the first row on. */
  next(spot: Spot): Spot {
    const count = this.#grounds.length;
    for (let i = 0; i <= count; i++) {
      const row = (spot.row + i) % count;
      const fit = this.fits(row).find(({ start }) => i > 0 || start > spot.start);
      if (fit) return { row, start: fit.start, end: fit.start + this.#length };
    }
    return spot;
  }
}
