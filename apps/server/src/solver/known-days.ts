/**
 * What the workers know of the days that they solved, for solves of the same days with more pins (*Pins* in
 * docs/cover-engine.md). Every such solve of a day gets the same knowledge, whichever worker does it; so plans of equal
 * worth do not change from one refresh to the next.
 */
import { ENOUGH_PLANS, MOST_OPTIONS, type CoverOption, type CoverProblem, type KnownDay } from '@clinic/cover-engine';
import { keyOf } from './problem-key.ts';
import type { Task } from './task.ts';

/** The most days that are kept, and the most bytes: a day of 40 therapists takes some 60 KB. */
const MOST_DAYS = 200;
const MOST_BYTES = 32 * 1024 * 1024;

/** If a solve took fewer rounds of column generation, what it knows would save no time. */
const FEWEST_ROUNDS = 25;

/**
 * Whether what a solve knows would save time. Where alternatives must be looked for, they take most of a refresh too, and
 * gain nothing from it.
 */
export const isWorthKeeping = ({ rounds }: Pick<KnownDay, 'rounds'>, options: readonly CoverOption[]): boolean =>
  rounds >= FEWEST_ROUNDS && options.filter(({ strategy }) => strategy !== 'alternative').length >= ENOUGH_PLANS;

/** A problem's day without pins, and its pins. */
export interface PinnedDay {
  readonly key: string;
  readonly pins: ReadonlySet<string>;
}

export interface KnownDays {
  /** Returns what is known of the day from a solve with fewer pins; null if nothing is. */
  find(day: PinnedDay): SharedArrayBuffer | null;
  /** Whether to keep what a solve knows: only if no solve of the day with the same or fewer pins is kept. */
  isNew(day: PinnedDay): boolean;
  keep(day: PinnedDay, known: SharedArrayBuffer): void;
}

/** Reads a problem's day. */
export const pinnedDay = ({ pins = [], ...day }: CoverProblem): PinnedDay => ({
  key: keyOf(day),
  pins: new Set(pins.map((pin) => JSON.stringify(pin))),
});

export function makeKnownDays(mostDays = MOST_DAYS, mostBytes = MOST_BYTES): KnownDays {
  /** The day that was needed longest ago comes first. */
  const kept = new Map<string, { readonly pins: ReadonlySet<string>; readonly known: SharedArrayBuffer }>();
  let bytes = 0;

  function drop(key: string): void {
    bytes -= kept.get(key)?.known.byteLength ?? 0;
    kept.delete(key);
  }

  function isNew({ key, pins }: PinnedDay): boolean {
    const known = kept.get(key);
    return !known || ![...known.pins].every((pin) => pins.has(pin));
  }

  return {
    find(day) {
      const known = kept.get(day.key);
      if (!known || isNew(day) || known.pins.size === day.pins.size) return null;
      kept.delete(day.key);
      kept.set(day.key, known);
      return known.known;
    },
    isNew,
    keep(day, known) {
      if (!isNew(day)) return;
      drop(day.key);
      kept.set(day.key, { pins: day.pins, known });
      bytes += known.byteLength;
      for (const oldest of kept.keys()) if (kept.size > mostDays || bytes > mostBytes) drop(oldest);
    },
  };
}

/**
 * Looks up what is known of a task's day, and decides whether to keep what its solve will know. A task whose worker was
 * lost is solved again without.
 */
export function lookUp(days: KnownDays, task: Task): void {
  task.known = null;
  task.keep = false;
  if (!task.useKnown || task.retried || task.help || task.mustCover.length > 0) return;
  const day = pinnedDay(task.problem);
  task.known = days.find(day);
  task.keep = task.options === MOST_OPTIONS && task.seed === 1 && days.isNew(day);
}
