import { useState } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { UnfitSessions } from '@clinic/contract';
import { NoReplyError, fieldsIn } from '../../shared/api/client.ts';
import { failureWords } from '../../shared/api/failure-words.ts';
import type { Again } from '../../shared/edits/use-theirs.ts';
import { failureText, isLoginFailure } from './api/use-profiles.ts';
import { dropDraft, type Versioned } from './use-edit-form.ts';

export interface SavingInput<P extends Versioned, F extends FieldValues> {
  /** Saves the form. With `unassign`, future sessions that no longer fit lose their therapist and need cover. */
  save: (form: F, version: number | undefined, unassign: boolean) => Promise<P>;
  /** Returns the future sessions that would no longer fit after a save. Saves nothing. */
  check: (form: F, version: number | undefined) => Promise<UnfitSessions>;
  newest: () => Promise<P>;
  /** Asks about a newer version, if that is why the save failed. Returns whether it asks. */
  refused: (error: unknown, newest: () => Promise<P>, again: Again<P, F>) => Promise<boolean>;
}

/** Saves after checking which sessions would no longer fit, and records why a save did not go through. */
export function useSaving<P extends Versioned, F extends FieldValues>({
  id,
  form,
  save,
  check,
  newest,
  refused,
}: SavingInput<P, F> & { id: string | null; form: UseFormReturn<F> }) {
  const { setError } = form;
  const [failure, setFailure] = useState<{ text: string; login: boolean } | null>(null);
  const [sending, setSending] = useState(false);
  /** A save that is waiting for the user's decision about sessions that would no longer fit. */
  const [held, setHeld] = useState<{
    values: F;
    over: number | undefined;
    unfit: UnfitSessions;
    onSaved: (saved: P) => void;
  } | null>(null);

  /**
   * Returns whether the profile was saved. With `anyway`, saves even if sessions no longer fit. With `anyway.unassign`,
   * those sessions lose their therapist.
   */
  const send = async (
    values: F,
    over: number | undefined,
    onSaved: (saved: P) => void,
    anyway: { unassign: boolean } | null = null,
  ): Promise<boolean> => {
    setFailure(null);
    setSending(true);
    try {
      const unfit = id === null || anyway !== null ? null : await check(values, over);
      if (unfit && unfit.total > 0) {
        setHeld({ values, over, unfit, onSaved });
        return false;
      }
      const saved = await save(values, over, anyway?.unassign ?? false);
      dropDraft();
      onSaved(saved);
      return true;
    } catch (error) {
      if (await refused(error, newest, (theirs, merged) => void send(merged, theirs.version, onSaved))) return false;
      // Also shows each message about a single field beside that field, and moves the focus there.
      for (const { field, text } of fieldsIn(error))
        if (Object.hasOwn(values, field)) setError(field as Path<F>, { message: text }, { shouldFocus: true });
      setFailure(saveFailure(error, id === null));
      return false;
    } finally {
      setSending(false);
    }
  };

  return { failure, setFailure, sending, held, setHeld, send };
}

/**
 * The message when a save fails. If no reply came, the profile may have been saved, so the message asks the user to
 * check before trying again.
 */
function saveFailure(error: unknown, isNew: boolean): { text: string; login: boolean } {
  const unknown = error instanceof NoReplyError;
  const look = isNew ? 'the list' : 'the profile';
  return { text: unknown ? failureWords(error, look) : failureText(error), login: isLoginFailure(error) };
}
