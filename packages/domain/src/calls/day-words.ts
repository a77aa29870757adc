import { overlaps, union, type Interval } from '../interval.ts';
import { listWords } from '../names.ts';
import { ENGLISH, plainWindow, say, sayTime } from '../words/language.ts';
import { freeWithin, type FreeTime } from './free-time.ts';
import type { ToldStretch } from './told-day.ts';

/** A day in a few words, for the sentence *was told … → now …*; empty for a day without sessions. */
export function sayDay(stretches: readonly ToldStretch[], nameOf: (id: string) => string): string {
  return stretches
    .map((stretch) => {
      const name = stretch.with === null ? null : nameOf(stretch.with);
      return `${workOf(stretch.service, name)} ${plainWindow(stretch)}`;
    })
    .join(', ');
}

function workOf(service: ToldStretch['service'], name: string | null): string {
  if (name !== null) return say(ENGLISH, `workWith.${service}`, { names: name });
  return service === 'direct' ? 'nobody' : say(ENGLISH, `work.${service}`);
}

/**
 * What a therapist without sessions at some time knows about that time: that they stand by, or that they are free.
 * @param said what they were told about their free time
 * @param isWhole whether they have no sessions all day
 */
export function sayFree(
  said: readonly FreeTime[],
  windows: readonly Interval[],
  isWhole: boolean,
  today: boolean,
): string {
  const waiting = freeWithin(said, windows).filter(({ how }) => how !== 'released');
  if (waiting.length > 0) return `stand by until ${sayTime(Math.max(...waiting.map(({ until }) => until)))}`;
  if (isWhole) return today ? 'free today' : 'free that day';
  return `free ${listWords(union(windows).map(plainWindow))}`;
}

/**
 * The sessions that the changes affect, in the day as told and in the day as it is now. A session that only became
 * shorter or longer is in both lists.
 */
export function affectedBy(
  changes: readonly Interval[],
  told: readonly ToldStretch[],
  now: readonly ToldStretch[],
): { told: ToldStretch[]; now: ToldStretch[] } {
  const touched = (day: readonly ToldStretch[], windows: readonly Interval[]): ToldStretch[] =>
    day.filter((stretch) => windows.some((window) => overlaps(stretch, window)));
  const windows = [...changes, ...touched(told, changes), ...touched(now, changes)];
  return { told: touched(told, windows), now: touched(now, windows) };
}
