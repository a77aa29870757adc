import { useEffect, useState } from 'react';
import { useForm, type DefaultValues, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form';
import type { UnfitSessions } from '@clinic/contract';
import { ApiError, NoReplyError, fieldsIn } from '../../shared/api/client.ts';
import { failureWords } from '../../shared/api/failure-words.ts';
import { readDraft, writeDraft } from '../../shared/session/drafts.ts';
import { failureText, isLoginFailure } from './api/use-profiles.ts';
import { mergeEdits, type ProfileKind } from './model.ts';

export interface Versioned {
  id: string;
  version: number;
}

/** Unsaved edits, which this tab keeps through a reload or the end of a session. */
export interface ProfileDraft {
  kind: ProfileKind;
  /** The profile's id; null for a new profile. */
  id: string | null;
  version: number | null;
  values: unknown;
  /** The form as it was before the edits. */
  base: unknown;
}
const DRAFT = 'profile';
export const keptDraft = (): ProfileDraft | null => readDraft<ProfileDraft>(DRAFT);
const dropDraft = (): void => writeDraft(DRAFT, null);

interface EditingInput<P extends Versioned, F extends FieldValues> {
  kind: ProfileKind;
  /** The stored profile; null for a new profile, which opens in the form at once. */
  profile: P | null;
  blank: () => F;
  toForm: (profile: P) => F;
  /** Saves the form. With `unassign`, future sessions that no longer fit lose their therapist and need cover. */
  save: (form: F, version: number | undefined, unassign: boolean) => Promise<P>;
  /** Returns the future sessions that would no longer fit after a save, without saving. */
  check: (form: F, version: number | undefined) => Promise<UnfitSessions>;
  newest: () => Promise<P>;
}

/**
 * Reads, edits and saves a profile (PROF-05). A save names the version that was edited. If someone else saved first,
 * the edits stay in the form, `theirs` holds the newest version, and the person chooses between the two.
 */
export function useEditing<P extends Versioned, F extends FieldValues>({
  kind,
  profile,
  blank,
  toForm,
  save,
  check,
  newest,
}: EditingInput<P, F>) {
  const id = profile?.id ?? null;
  const [draft] = useState(() => {
    const kept = keptDraft();
    return kept?.kind === kind && kept.id === id ? kept : null;
  });
  const [editing, setEditing] = useState(profile === null || draft !== null);
  const [version, setVersion] = useState<number | undefined>(draft?.version ?? profile?.version);
  const form = useForm<F>({
    defaultValues: (profile ? toForm(profile) : blank()) as DefaultValues<F>,
    mode: 'onTouched',
  });
  const { reset, formState } = form;
  const { isDirty } = formState;

  useKeptEdits(form, draft, editing, { kind, id, version: version ?? null });
  useFirstField(form, editing);
  useLeaveWarning(isDirty);

  const { failure, setFailure, theirs, setTheirs, sending, held, setHeld, send } = useSaving({
    id,
    form,
    save,
    check,
    newest,
  });

  return {
    form,
    /** The form as it was when editing began. */
    base: formState.defaultValues as F,
    editing,
    isDirty,
    /** Whether a save has been sent and has no reply yet. */
    saving: sending,
    /** Why the last save failed; `login` is true when the session has ended. */
    failure,
    theirs,
    /** The future sessions that would no longer fit. Set while the save waits for `saveAnyway` or `keepEditing`. */
    unfit: held?.unfit ?? null,
    edit: (): void => {
      if (!profile) return;
      reset(toForm(profile));
      setVersion(profile.version);
      setEditing(true);
    },
    /** Discards the edits and returns to the view. */
    discard: (): void => {
      dropDraft();
      setFailure(null);
      if (profile) {
        reset(toForm(profile));
        setEditing(false);
      }
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
    /** Saves the person's own changes on top of the newest version, which they have been shown. */
    saveOnTop: async (): Promise<P | null> => {
      if (!theirs || !profile) return null;
      const newestForm = toForm(theirs);
      const merged = mergeEdits(formState.defaultValues as F, form.getValues(), newestForm);
      reset(newestForm);
      reset(merged, { keepDefaultValues: true });
      setVersion(theirs.version);
      setTheirs(null);
      return send(merged, theirs.version);
    },
    takeTheirs: (): void => {
      if (!theirs) return;
      dropDraft();
      reset(toForm(theirs));
      setVersion(theirs.version);
      setTheirs(null);
    },
    keepEditing: (): void => {
      setTheirs(null);
      setHeld(null);
    },
  };
}

export type Editing<P extends Versioned, F extends FieldValues> = ReturnType<typeof useEditing<P, F>>;

/** Saves after checking which sessions would no longer fit, and records why a save did not go through. */
function useSaving<P extends Versioned, F extends FieldValues>({
  id,
  form,
  save,
  check,
  newest,
}: Pick<EditingInput<P, F>, 'save' | 'check' | 'newest'> & { id: string | null; form: UseFormReturn<F> }) {
  const { setError } = form;
  const [failure, setFailure] = useState<{ text: string; login: boolean } | null>(null);
  const [theirs, setTheirs] = useState<P | null>(null);
  const [sending, setSending] = useState(false);
  /** A save that waits for the person's decision about sessions that would no longer fit. */
  const [held, setHeld] = useState<{ values: F; over: number | undefined; unfit: UnfitSessions } | null>(null);

  /** `anyway` saves even if sessions no longer fit. With its `unassign`, those sessions lose their therapist. */
  const send = async (
    values: F,
    over: number | undefined,
    anyway: { unassign: boolean } | null = null,
  ): Promise<P | null> => {
    setFailure(null);
    setSending(true);
    try {
      const unfit = id === null || anyway !== null ? null : await check(values, over);
      if (unfit && unfit.total > 0) {
        setHeld({ values, over, unfit });
        return null;
      }
      const saved = await save(values, over, anyway?.unassign ?? false);
      dropDraft();
      return saved;
    } catch (error) {
      if (error instanceof ApiError && error.status === 409 && id !== null) {
        const now = await newest().catch(() => null);
        if (now && now.version !== over) {
          setTheirs(now);
          return null;
        }
      }
      // Shows the server's message beside its field too, and moves the focus there.
      for (const { field, text } of fieldsIn(error))
        if (Object.hasOwn(values, field)) setError(field as Path<F>, { message: text }, { shouldFocus: true });
      setFailure(saveFailure(error, id === null));
      return null;
    } finally {
      setSending(false);
    }
  };

  return { failure, setFailure, theirs, setTheirs, sending, held, setHeld, send };
}

/**
 * The message when a save fails. A new profile may have been saved despite a missing reply, so the message asks the
 * person to check the list before trying again.
 */
function saveFailure(error: unknown, isNew: boolean): { text: string; login: boolean } {
  const unknown = isNew && error instanceof NoReplyError;
  return { text: unknown ? failureWords(error, 'the list') : failureText(error), login: isLoginFailure(error) };
}

/** Keeps the edits in this tab and restores them after a reload. */
function useKeptEdits<F extends FieldValues>(
  { reset, subscribe }: UseFormReturn<F>,
  draft: ProfileDraft | null,
  editing: boolean,
  { kind, id, version }: Pick<ProfileDraft, 'kind' | 'id' | 'version'>,
): void {
  useEffect(() => {
    if (!draft) return;
    reset(draft.base as F);
    reset(draft.values as F, { keepDefaultValues: true });
  }, [draft, reset]);
  useEffect(() => {
    if (!editing) return;
    return subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty: dirty, defaultValues: base }) => {
        const kept: ProfileDraft = { kind, id, version, values, base };
        writeDraft(DRAFT, dirty ? kept : null);
      },
    });
  }, [editing, subscribe, kind, id, version]);
}

/** Focuses the first field when editing starts, so that a person can type at once. */
function useFirstField<F extends FieldValues>({ setFocus }: UseFormReturn<F>, editing: boolean): void {
  useEffect(() => {
    if (editing) setFocus('first_name' as Path<F>);
  }, [editing, setFocus]);
}

/** Makes the browser ask before a page with unsaved edits is left. */
function useLeaveWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isDirty]);
}
