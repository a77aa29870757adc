import { shortDate, type IsoDate } from '@clinic/domain';
import type { Line } from './line.ts';
import type { Reach } from './reach.ts';

/**
 * The words of a message. They name no child, no service and no other person: `Your day on Fri 20 Nov has changed: 2
 * new, 1 gone. Open …`, or `has changed again` if the person may have heard something that no longer holds.
 */
export function wordsOf(
  { changes, outdated }: Pick<Line, 'changes' | 'outdated'>,
  date: IsoDate,
  { ownPage }: Pick<Reach, 'ownPage'>,
  publicUrl: string | undefined,
): string {
  const count = (what: 'new' | 'gone'): string[] => {
    const n = changes.filter((change) => change.what === what).length;
    return n === 0 ? [] : [`${n} ${what}`];
  };
  const named = shortDate(date).replace(/^(\w+), (\w+) (\d+)$/, '$1 $3 $2');
  const then = ownPage && publicUrl !== undefined ? `Open ${publicUrl}/me` : 'Please call the clinic.';
  const again = outdated ? ' again' : '';
  return `Your day on ${named} has changed${again}: ${[...count('new'), ...count('gone')].join(', ')}. ${then}`;
}

/** Whether the person said no to the line's current version, and the no stands. If so, the line waits for another plan. */
export const saidNo = ({ since, version }: Pick<Line, 'since' | 'version'>): boolean =>
  since.some((each) => each.answer === 'said-no' && !each.takenBack && each.version === version);

/**
 * Returns why no message may go out about the line; null if one may. A line waits for the next plan if that will change
 * what the person has to know (`waits`), or for someone's yes (`ask`), and families whom the clinic promised to ring are
 * rung (`promise`).
 */
export function whyNotSent(
  line: Pick<Line, 'since' | 'version' | 'waitsFor' | 'after' | 'promised'>,
): 'said-no' | 'waits' | 'ask' | 'promise' | null {
  if (saidNo(line)) return 'said-no';
  if (line.waitsFor.length > 0) return 'waits';
  if (line.after.length > 0) return 'ask';
  return line.promised === null ? null : 'promise';
}
