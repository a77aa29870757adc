import { intersect, joinStretches, subtract, type Interval, type NetChange, type ToldStretch } from '@clinic/domain';
import type { Heard, Knows } from '../memory/knows.ts';

/** What a person may believe about their day. */
interface Believed {
  readonly day: readonly ToldStretch[];
  /** The times at which `day` is what the person heard, not what they were told. */
  readonly times: readonly Interval[];
  /** What they heard last, with the times at which it no longer holds; null if they heard nothing else. */
  readonly from: (Heard & { readonly wrong: readonly Interval[] }) | null;
}

/**
 * Returns what a person may believe about their day: what they were told or, at times when that still holds, what they
 * heard since and no longer holds. For example, they may have heard a message about a plan that was undone.
 * @param changesFrom returns the changes since the person knew a day
 */
export function believed(
  told: readonly ToldStretch[],
  heard: Knows['heard'],
  changesFrom: (day: readonly ToldStretch[]) => readonly NetChange[],
): Believed {
  let day = told;
  let from: Believed['from'] = null;
  const times: Interval[] = [];
  const settled: Interval[] = [...changesFrom(told)];
  for (const each of heard.toReversed()) {
    // From then on, the family no longer expects these sessions, whatever they heard before.
    if ('cancelled' in each) settled.push(...each.cancelled);
    else {
      const wrong = subtract(changesFrom(each.day), settled);
      if (wrong.length === 0) continue;
      day = joinStretches([...outside(day, wrong), ...within(each.day, wrong)]);
      settled.push(...wrong);
      times.push(...wrong);
      from ??= { ...each, wrong };
    }
  }
  return { day, times, from };
}

const within = (day: readonly ToldStretch[], windows: readonly Interval[]): ToldStretch[] =>
  day.flatMap((stretch) =>
    windows.flatMap((window) => {
      const both = intersect(stretch, window);
      return both ? [{ ...stretch, ...both }] : [];
    }),
  );

const outside = (day: readonly ToldStretch[], windows: readonly Interval[]): ToldStretch[] =>
  day.flatMap((stretch) => subtract([stretch], windows).map((left) => ({ ...stretch, ...left })));
