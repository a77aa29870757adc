import { useState } from 'react';
import { failureWords } from '../api/failure-words.ts';
import { readKept, useUnsaved } from '../unsaved/use-unsaved.ts';
import { differences, mergeEdits, type Labels } from './merge.ts';
import { useTheirs, type Again } from './use-theirs.ts';

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
  /** Where to look when no reply arrives: `the list`. */
  readonly look: string;
  /** Loads what is stored now. */
  readonly newest: () => Promise<Versioned<F> | null>;
}

/** Saves a form, and returns what is stored then; null if the form has nothing to show of it. */
export type Send<F> = (wanted: Versioned<F>) => Promise<Versioned<F> | null>;

/**
 * A form that several people may edit at the same time. While there are no edits, the form shows what is stored. When a
 * save is refused because someone else has saved first, the edits stay in the form, and `stale` is the question about
 * their version.
 */
export function useVersioned<F extends object>(stored: Versioned<F>, { labels, key, about, look, newest }: Editing<F>) {
  const [kept] = useState(() => readKept<{ base: Versioned<F>; form: F }>(key));
  const [base, setBase] = useState(kept?.base ?? stored);
  const [form, setForm] = useState(kept?.form ?? stored.form);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSaved, setSaved] = useState(false);
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
    saving: busy,
    about,
    onDiscard: () => startFrom(stored),
    keep: { key, value: () => ({ base, form }) },
  });
  /** Returns whether the form was saved. What was typed since it was sent stays. */
  const save = async (send: Send<F>, wanted: Versioned<F> = { version: base.version, form }): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    setSaved(false);
    try {
      const now = await send(wanted);
      if (now === null) return false;
      setBase(now);
      setForm((typed) => mergeEdits(wanted.form, typed, now.form));
      setSaved(true);
      return true;
    } catch (error) {
      const again: Again<Versioned<F>, F> = (theirs, merged) => void save(send, { ...theirs, form: merged });
      if (!(await refused(error, newest, again))) setFailure(failureWords(error, look));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return {
    form,
    ...unsaved,
    busy,
    /** Why the last save failed. */
    failure,
    /** What became of the last save, in words; empty once the form is edited again. */
    said: failure ?? (isSaved ? 'Saved.' : ''),
    edit: (changes: Partial<F>): void => {
      setSaved(false);
      setForm((now) => ({ ...now, ...changes }));
    },
    save,
    stale,
  };
}
