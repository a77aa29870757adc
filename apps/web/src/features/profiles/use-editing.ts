import type { FieldValues } from 'react-hook-form';
import { dropDraft, useEditForm, type EditFormInput, type Versioned } from './use-edit-form.ts';
import { useSaving, type SavingInput } from './use-saving.ts';

/**
 * Reads, edits and saves a profile (PROF-05). A save names the version that was edited. If someone else has saved
 * first, the edits stay in the form, `theirs` holds the newest version, and the user chooses between the two.
 */
export function useEditing<P extends Versioned, F extends FieldValues>({
  kind,
  profile,
  blank,
  toForm,
  ...calls
}: EditFormInput<P, F> & SavingInput<P, F>) {
  const edits = useEditForm({ kind, profile, blank, toForm });
  const { form, version, editing, setEditing, isDirty, startFrom } = edits;
  const saving = useSaving({ id: profile?.id ?? null, form, ...calls });
  const { failure, setFailure, theirs, setTheirs, sending, held, setHeld, send } = saving;

  return {
    form,
    base: edits.base,
    editing,
    isDirty,
    /** Whether a save has been sent and has no reply yet. */
    saving: sending,
    /** Why the last save failed; `login` is true when the login session has ended. */
    failure,
    theirs,
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
    /**
     * Saves and returns the profile. Returns null if the save fails, with the reason in `failure`, `theirs` or
     * `unfit`.
     */
    submit: (values: F) => send(values, version),
    /**
     * Saves even though sessions no longer fit. With `unassign`, those sessions need cover; otherwise they stay as
     * they are.
     */
    saveAnyway: async (unassign: boolean): Promise<P | null> => {
      if (!held) return null;
      setHeld(null);
      return send(held.values, held.over, { unassign });
    },
    /** Saves the user's own changes on top of the newest version, which the user has been shown. */
    saveOnTop: async (): Promise<P | null> => {
      if (!theirs || !profile) return null;
      const merged = edits.moveEditsTo(theirs);
      setTheirs(null);
      return send(merged, theirs.version);
    },
    takeTheirs: (): void => {
      if (!theirs) return;
      dropDraft();
      startFrom(theirs);
      setTheirs(null);
    },
    keepEditing: (): void => {
      setTheirs(null);
      setHeld(null);
    },
  };
}

export type Editing<P extends Versioned, F extends FieldValues> = ReturnType<typeof useEditing<P, F>>;
