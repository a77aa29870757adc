import { intersect, joinStretches, subtract, type Interval, type NetChange, type ToldStretch } from '@clinic/domain';
import type { Answer } from '../memory/call-day.ts';
import type { LastTold } from '../memory/told-people.ts';
import { millisOf } from '../../platform/clock.ts';
import type { CallPerson, Heard } from './line.ts';

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
 * @param heard what the person heard outside calls, oldest first
 * @param changesFrom returns the changes since the person knew a day
 */
export function believed(
  kind: CallPerson['kind'],
  told: readonly ToldStretch[],
  last: LastTold,
  heard: readonly Heard[],
  changesFrom: (day: readonly ToldStretch[]) => readonly NetChange[],
): Believed {
  let day = told;
  let from: Believed['from'] = null;
  const times: Interval[] = [];
  const settled: Interval[] = [...changesFrom(told)];
  for (const each of heardSince(kind, last, heard).toReversed()) {
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

/**
 * Returns what a person heard since they were told their whole day, and the cancellations that a family was told since,
 * oldest first. After a no, earlier words no longer count: a therapist does not expect what they refused, and a family
 * heard the plan again.
 */
function heardSince(
  kind: CallPerson['kind'],
  { whole, since }: LastTold,
  heard: readonly Heard[],
): readonly (Heard | Cancelled)[] {
  // A no that was taken back changes nothing for a therapist, but the family has heard the plan.
  const lastNo = since.findLastIndex(
    ({ answer, takenBack }) => answer === 'said-no' && (kind === 'client' || !takenBack),
  );
  const called = since.slice(kind === 'client' ? Math.max(0, lastNo) : lastNo + 1).flatMap(inCall);
  const from = (lastNo < 0 ? whole : since[lastNo])?.at;
  const more = heard.filter(({ at }) => from === undefined || millisOf(at) > millisOf(from));
  return more.length === 0 ? called : [...called, ...more].sort((a, b) => millisOf(a.at) - millisOf(b.at));
}

/** A call in which a family was told that sessions are cancelled. */
interface Cancelled {
  readonly at: string;
  readonly cancelled: readonly ToldStretch[];
}

/** What was heard in a call, or that a family was told that sessions are cancelled. */
function inCall({ answer: how, person, day, cancelled, at, by }: Answer): (Heard | Cancelled)[] {
  if (cancelled !== null) return [{ at, cancelled }];
  return day !== null && (how === 'left-message' || how === 'said-no') ? [{ person, how, day, at, by }] : [];
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
