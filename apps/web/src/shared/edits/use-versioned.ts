import { useState } from 'react';
import { readKept, useUnsaved } from '../unsaved/use-unsaved.ts';
import { differences, mergeEdits, type Labels } from './merge.ts';
import { useTheirs } from './use-theirs.ts';

/** A stored form, and the version that a save must name. */
export interface Versioned<F> {
  readonly version: string;
  readonly form: F;
}

/** A form's labels and key, and the sentence about its unsaved edits. */
export interface Editing<F> {
  readonly labels: Labels<F>;
  /** The name under which this tab keeps the edits. */
  readonly key: string;
  /** What is not saved yet, as a sentence. */
  readonly about: string;
  readonly saving: boolean;
}

/**
 * A form that several people may edit at the same time. While there are no edits, the form shows what is stored. When a
 * save is refused because someone else has saved first, the edits stay in the form, and `stale` is the question about
 * their version.
 */
export function useVersioned<F extends object>(stored: Versioned<F>, { labels, key, about, saving }: Editing<F>) {
  const [kept] = useState(() => readKept<{ base: Versioned<F>; form: F }>(key));
  const [base, setBase] = useState(kept?.base ?? stored);
  const [form, setForm] = useState(kept?.form ?? stored.form);
  const startFrom = (from: Versioned<F>, taken = from.form): void => {
    setBase(from);
    setForm(taken);
  };
  const { refused, stale } = useTheirs<Versioned<F>, F>({
    labels,
    formOf: (theirs) => theirs.form,
    before: base.form,
    mine: () => form,
    onTake: startFrom,
  });
  const edited = differences(base.form, form, labels).length > 0;
  if (stored.version !== base.version && stale === null && !edited) startFrom(stored);
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
    refused,
    stale,
  };
}
