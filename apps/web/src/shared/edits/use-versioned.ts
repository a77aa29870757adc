import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { readKept, useUnsaved } from '../unsaved/use-unsaved.ts';
import { differences, mergeEdits } from './merge.ts';

/** A stored form, and the version that a save must name. */
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

/** A form's labels and key, and the sentence about its unsaved edits. */
export interface Editing<F> {
  readonly labels: Readonly<Record<keyof F, string>>;
  /** The name under which this tab keeps the edits. */
  readonly key: string;
  /** What is not saved yet, as a sentence. */
  readonly about: string;
  readonly saving: boolean;
}

/**
 * A form that several people may edit at the same time. While there are no edits, the form shows what is stored. When a
 * save is refused because someone else has saved first, `theirs` holds their version, and the edits stay in the form.
 */
export function useVersioned<F extends object>(stored: Versioned<F>, { labels, key, about, saving }: Editing<F>) {
  const [kept] = useState(() => readKept<{ base: Versioned<F>; form: F }>(key));
  const [base, setBase] = useState(kept?.base ?? stored);
  const [form, setForm] = useState(kept?.form ?? stored.form);
  const [theirs, setTheirs] = useState<Versioned<F> | null>(null);
  const startFrom = (from: Versioned<F>): void => {
    setBase(from);
    setForm(from.form);
    setTheirs(null);
  };
  const changed = (from: F, to: F): string[] => differences(from, to, labels);
  const edited = changed(base.form, form).length > 0;
  if (stored.version !== base.version && theirs === null && !edited) startFrom(stored);
  const unsaved = useUnsaved({
    edited,
    saving,
    about,
    onDiscard: () => startFrom(stored),
    keep: { key, value: () => ({ base, form }) },
  });
  return {
    form,
    ...unsaved,
    version: base.version,
    edit: (changes: Partial<F>): void => setForm((now) => ({ ...now, ...changes })),
    /** Continues from the saved form, and keeps everything typed after `sent` was sent. */
    saved: (sent: F, now: Versioned<F>): void => {
      setBase(now);
      setForm((typed) => mergeEdits(sent, typed, now.form));
    },
    setTheirs,
    /** The question about someone else's version; null when there is none. */
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
