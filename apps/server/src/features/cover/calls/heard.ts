import { intersect, joinStretches, subtract, type Interval, type NetChange, type ToldStretch } from '@clinic/domain';
import type { Answer } from '../../../clinic-day/call-day.ts';
import type { LastTold } from '../../../clinic-day/told-people.ts';
import type { CallPerson } from './line.ts';

/** What a person may believe about their day. */
interface Believed {
  readonly day: readonly ToldStretch[];
  /** The times at which `day` is what the person heard, not what they were told. */
  readonly heard: readonly Interval[];
  /** The newest call in which they heard it; null if there was none. */
  readonly call: Answer | null;
}

/**
 * Returns what a person may believe about their day: what they were told or, at times when that still holds, what they
 * heard since and no longer holds. For example, they may have heard a message about a plan that was undone.
 * @param changesFrom returns the changes since the person knew a day
 */
export function believed(
  kind: CallPerson['kind'],
  told: readonly ToldStretch[],
  last: LastTold,
  changesFrom: (day: readonly ToldStretch[]) => readonly NetChange[],
): Believed {
  let day = told;
  let call: Answer | null = null;
  const heard: Interval[] = [];
  const settled: Interval[] = [...changesFrom(told)];
  for (const each of last.since.slice(startOfHeard(kind, last.since)).toReversed()) {
    // From then on, the family no longer expects these sessions, whatever they heard before.
    if (each.cancelled !== null) settled.push(...each.cancelled);
    else if (each.day !== null) {
      const wrong = subtract(changesFrom(each.day), settled);
      if (wrong.length === 0) continue;
      day = joinStretches([...outside(day, wrong), ...within(each.day, wrong)]);
      settled.push(...wrong);
      heard.push(...wrong);
      call ??= each;
    }
  }
  return { day, heard, call };
}

/**
 * Finds the first call that a person may still believe. After a no, earlier words no longer count: a therapist does not
 * expect what they refused, and a family heard the plan again.
 */
function startOfHeard(kind: CallPerson['kind'], since: readonly Answer[]): number {
  const no = since.findLastIndex(({ answer }) => answer === 'said-no');
  return kind === 'client' ? Math.max(0, no) : no + 1;
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
