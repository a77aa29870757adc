import { isRingDue, ringDueAt, stillOpen, type ToldStretch } from '@clinic/domain';
import type { Knows } from '../memory/knows.ts';
import type { Present } from './line.ts';

/**
 * Returns the time without a therapist about which a family must be rung again, because the clinic promised it: what
 * still has no therapist, and what they have heard nothing else about. It then counts as if they had not been told.
 */
export function ringDue(
  { whole }: Knows,
  told: readonly ToldStretch[],
  now: readonly ToldStretch[],
  { clock }: Pick<Present, 'clock'>,
): ToldStretch[] {
  const promise = whole?.ringAgain;
  return promise && isRingDue(promise, clock) ? stillOpen(stillOpen(promise.about, told), now) : [];
}

/**
 * Returns when a promise to ring a person again falls due; empty if there is none, if it is due already, or if the time
 * that it is about has a therapist now.
 */
export function ringsLater({ whole }: Knows, now: readonly ToldStretch[], { clock }: Pick<Present, 'clock'>) {
  const promise = whole?.ringAgain;
  if (!promise || (clock !== null && ringDueAt(promise) <= clock)) return [];
  return stillOpen(promise.about, now).length === 0 ? [] : [ringDueAt(promise)];
}
