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

/** Unsaved edits, as they survive a reload and the end of a session. */
export interface ProfileDraft {
  kind: ProfileKind;
  /** Null: a new profile. */
  id: string | null;
  version: number | null;
  values: unknown;
  /** The form before the edits. */
  base: unknown;
}
const DRAFT = 'profile';
export const keptDraft = (): ProfileDraft | null => readDraft<ProfileDraft>(DRAFT);
const dropDraft = (): void => writeDraft(DRAFT, null);

interface EditingInput<P extends Versioned, F extends FieldValues> {
  kind: ProfileKind;
  /** Null: a new profile, which opens in edit mode. */
  profile: P | null;
  blank: () => F;
  toForm: (profile: P) => F;
  /** `unassign`: the upcoming sessions that it breaks then need cover. */
  save: (form: F, version: number | undefined, unassign: boolean) => Promise<P>;
  /** The upcoming sessions that a save would break. */
  check: (form: F, version: number | undefined) => Promise<UnfitSessions>;
  newest: () => Promise<P>;
}

/**
 * A profile's way from view through edit to save (PROF-05). A save carries the version that was edited. If someone else
 * has saved in the meantime, the edits stay, `theirs` holds the newest version, and the person chooses between the two.
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
    /** The form when editing began, whatever has been saved elsewhere since. */
    base: formState.defaultValues as F,
    editing,
    isDirty,
    /** Sent, and no reply yet. */
    saving: sending,
    /** Why the last save failed. `login`: because the session has ended. */
    failure,
    theirs,
    /** The upcoming sessions that the save would break; it waits for `saveAnyway` or `keepEditing`. */
    unfit: held?.unfit ?? null,
    edit: (): void => {
      if (!profile) return;
      reset(toForm(profile));
      setVersion(profile.version);
      setEditing(true);
    },
    /** Back to the view; discards the edits. */
    discard: (): void => {
      dropDraft();
      setFailure(null);
      if (profile) {
        reset(toForm(profile));
        setEditing(false);
      }
    },
    /** Null when it was refused; `failure`, `theirs` or `unfit` holds the reason. */
    submit: (values: F) => send(values, version),
    /** `unassign`: those sessions then need cover; otherwise they stay as booked. */
    saveAnyway: async (unassign: boolean): Promise<P | null> => {
      if (!held) return null;
      setHeld(null);
      return send(held.values, held.over, { unassign });
    },
    /** Saves the person's own changes on top of the newest version, after they have seen what it changed. */
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

/** Sends a save after checking which sessions it breaks, and keeps what prevented it. */
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
  /** A save that waits until the person has seen which sessions it would break. */
  const [held, setHeld] = useState<{ values: F; over: number | undefined; unfit: UnfitSessions } | null>(null);

  /** `anyway`: saves even if sessions no longer fit, and whether they lose their therapist. */
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
      // The message also appears beside the field, and the focus moves there.
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

/** What a failed save reports. A new profile sent twice would exist twice, so the list is looked at first. */
function saveFailure(error: unknown, isNew: boolean): { text: string; login: boolean } {
  const unknown = isNew && error instanceof NoReplyError;
  return { text: unknown ? failureWords(error, 'the list') : failureText(error), login: isLoginFailure(error) };
}

/** Keeps the edits in this tab, and after a reload restores them as unsaved edits. */
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

/** After starting to edit, or opening a new profile, a person can type at once. */
function useFirstField<F extends FieldValues>({ setFocus }: UseFormReturn<F>, editing: boolean): void {
  useEffect(() => {
    if (editing) setFocus('first_name' as Path<F>);
  }, [editing, setFocus]);
}

/** The browser asks before leaving a page with unsaved edits. */
function useLeaveWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isDirty]);
}
