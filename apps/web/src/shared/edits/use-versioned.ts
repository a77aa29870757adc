import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { differences, mergeEdits } from './merge.ts';

/** A form as stored, with the version that a save of it must name. */
export interface Versioned<F> {
  readonly version: string;
  readonly form: F;
}

/** Whether a save was refused because someone else has saved since. */
export const isStale = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status === 409 &&
  typeof error.detail === 'object' &&
  error.detail !== null &&
  'version' in error.detail;

/**
 * A form that several people may edit at the same time. Without edits, it follows what is stored. When a save is
 * refused because someone else has saved first, `theirs` holds their version, and the edits stay in the form.
 */
export function useVersioned<F extends object>(stored: Versioned<F>, labels: Readonly<Record<keyof F, string>>) {
  const [base, setBase] = useState(stored);
  const [form, setForm] = useState(stored.form);
  const [theirs, setTheirs] = useState<Versioned<F> | null>(null);
  const startFrom = (from: Versioned<F>): void => {
    setBase(from);
    setForm(from.form);
    setTheirs(null);
  };
  const changed = (from: F, to: F): string[] => differences(from, to, labels);
  if (stored.version !== base.version && theirs === null && changed(base.form, form).length === 0) startFrom(stored);
  return {
    form,
    version: base.version,
    edit: (changes: Partial<F>): void => setForm((now) => ({ ...now, ...changes })),
    /** Continues from what was saved, and keeps what was typed since `sent` was sent. */
    saved: (sent: F, now: Versioned<F>): void => {
      setBase(now);
      setForm((typed) => mergeEdits(sent, typed, now.form));
    },
    setTheirs,
    /** What to ask about someone else's version; null without one. */
    stale: theirs && {
      theirs: changed(base.form, theirs.form),
      mine: changed(base.form, form),
      onTheirs: () => startFrom(theirs),
      onKeep: () => setTheirs(null),
    },
    /** Bases the edits on someone else's version, and returns what to save. */
    saveOnTop: (): Versioned<F> => {
      const newest = theirs ?? base;
      const merged = mergeEdits(base.form, form, newest.form);
      setBase(newest);
      setForm(merged);
      setTheirs(null);
      return { version: newest.version, form: merged };
    },
  };
}
