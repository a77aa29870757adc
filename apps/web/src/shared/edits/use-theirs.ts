import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { differences, mergeEdits, type Labels } from './merge.ts';

/** Repeats a request on top of someone else's version, with this form. */
export type Again<T, F> = (theirs: T, form: F) => void;

/** Whether a request was refused because someone else has saved since. */
const isStale = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status === 409 &&
  typeof error.detail === 'object' &&
  error.detail !== null &&
  'version' in error.detail;

/**
 * Keeps a form's edits when someone else has saved the same thing first, and asks which of the two versions to keep.
 * `T` is the thing as it is stored, `F` its form.
 */
export function useTheirs<T, F extends object>({
  labels,
  formOf,
  before,
  mine,
  onTake,
}: {
  labels: Labels<F>;
  formOf: (stored: T) => F;
  /** The form as it was before the edits. */
  before: F;
  /** The form with the edits. */
  mine: () => F;
  /** Continues from their version with this form. */
  onTake: (theirs: T, form: F) => void;
}) {
  const [asked, setAsked] = useState<{ theirs: T; again: Again<T, F>; number: number } | null>(null);

  /**
   * Asks if the request failed because of a newer version, which `newest` loads; `again` repeats the request. Returns
   * whether the question is asked. If not, the failure is still to be shown.
   */
  const refused = async (
    error: unknown,
    newest: () => Promise<T | null | undefined>,
    again: Again<T, F>,
  ): Promise<boolean> => {
    const theirs = (isStale(error) ? await newest().catch(() => null) : null) ?? null;
    if (theirs !== null) setAsked((before) => ({ theirs, again, number: (before?.number ?? 0) + 1 }));
    return theirs !== null;
  };
  if (asked === null) return { refused, stale: null };
  const { theirs, again } = asked;
  const [edited, now] = [mine(), formOf(theirs)];
  const take = (form: F): void => {
    setAsked(null);
    onTake(theirs, form);
  };
  /** The question, for `StaleAlert`. */
  const stale = {
    /** Another number is another question, even while the one before it closes. */
    number: asked.number,
    theirs: differences(before, now, labels),
    mine: differences(before, edited, labels),
    onTheirs: () => take(now),
    onMine: () => {
      const merged = mergeEdits(before, edited, now);
      take(merged);
      again(theirs, merged);
    },
    onKeep: () => setAsked((now) => (now === asked ? null : now)),
  };
  return { refused, stale };
}
