import type { FieldValues } from 'react-hook-form';
import type { Labels } from '../../shared/edits/merge.ts';
import { useTheirs } from '../../shared/edits/use-theirs.ts';
import { dropDraft, useEditForm, type EditFormInput, type Versioned } from './use-edit-form.ts';
import { useSaving, type SavingInput } from './use-saving.ts';

/**
 * Reads, edits and saves a profile (PROF-05). A save names the version that was edited. If someone else has saved
 * first, the edits stay in the form, and `stale` is the question about their version.
 */
export function useEditing<P extends Versioned, F extends FieldValues>({
  kind,
  profile,
  blank,
  toForm,
  labels,
  atOnce,
  ...calls
}: EditFormInput<P, F> & Omit<SavingInput<P, F>, 'refused'> & { labels: Labels<F> }) {
  const edits = useEditForm({ kind, profile, blank, toForm, ...(atOnce && { atOnce }) });
  const { form, version, editing, setEditing, isDirty, startFrom } = edits;
  const { refused, stale } = useTheirs<P, F>({
    labels,
    formOf: toForm,
    before: edits.base,
    mine: form.getValues,
    onTake: edits.moveTo,
  });
  const saving = useSaving({ id: profile?.id ?? null, form, refused, ...calls });
  const { failure, setFailure, sending, held, setHeld, send } = saving;

  return {
    form,
    editing,
    isDirty,
    /** Whether a save has been sent and has no reply yet. */
    saving: sending,
    /** Why the last save failed; `login` is true when the login session has ended. */
    failure,
    stale,
    /** The future sessions that would no longer fit. Set while the save waits for `saveAnyway` or `keepEditing`. */
    unfit: held?.unfit ?? null,
    edit: (): void => {
      if (!profile) return;
      startFrom(profile);
      setEditing(true);
    },
    /** Discards the edits and returns to the view. */
    discard: (): void => {
      dropDraft();
      setFailure(null);
      if (!profile) return;
      startFrom(profile);
      setEditing(false);
    },
    /** Saves the profile. If the save fails, the reason is in `failure`, `stale` or `unfit`. */
    submit: (values: F, onSaved: (saved: P) => void) => send(values, version, onSaved),
    /**
     * Saves even though sessions no longer fit. With `unassign`, those sessions need cover; otherwise they stay as
     * they are. Returns whether the profile was saved.
     */
    saveAnyway: async (unassign: boolean): Promise<boolean> => {
      if (!held) return false;
      setHeld(null);
      return send(held.values, held.over, held.onSaved, { unassign });
    },
    keepEditing: (): void => setHeld(null),
  };
}

export type Editing<P extends Versioned, F extends FieldValues> = ReturnType<typeof useEditing<P, F>>;
