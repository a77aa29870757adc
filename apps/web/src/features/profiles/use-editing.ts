import { useEffect, useState } from 'react';
import { useForm, type DefaultValues, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form';
import type { BrokenSessions } from '@clinic/contract';
import { ApiError, NoReplyError, fieldsIn } from '../../shared/api/client.ts';
import { readDraft, writeDraft } from '../../shared/session/drafts.ts';
import { failureText, isLoginFailure } from './api/use-profiles.ts';
import { mergeEdits, type ProfileKind } from './model.ts';

/** A new profile that is sent twice exists twice: the server cannot know that the second is the first again. */
const MAYBE_THERE = 'It may have been saved. Check the list before trying again.';

export interface Versioned {
  id: string;
  version: number;
}

/** Edits that are not saved, as they outlive a reload and a login that ended. */
export interface ProfileDraft {
  kind: ProfileKind;
  /** Null: a new profile. */
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
  /** Null: a new one, which opens in edit mode. */
  profile: P | null;
  blank: () => F;
  toForm: (profile: P) => F;
  save: (form: F, version: number | undefined) => Promise<P>;
  /** The sessions to come that a save would break. */
  check: (form: F, version: number | undefined) => Promise<BrokenSessions>;
  newest: () => Promise<P>;
}

/**
 * A profile's way from view over edit to save (PROF-05). Saves carry the version that was edited; when someone else has
 * saved in between, one's edits stay, `theirs` is the newest, and both ways on are offered.
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
    /** The form as it was when the editing began, whatever has been saved elsewhere since. */
    base: formState.defaultValues as F,
    editing,
    isDirty,
    /** Sent and not answered yet. */
    saving: sending,
    /** Why the last save failed; `login`: because the session has ended. */
    failure,
    theirs,
    /** The sessions to come that the save would break; it waits for `saveAnyway` or `keepEditing`. */
    broken: held?.broken ?? null,
    edit: (): void => {
      if (!profile) return;
      reset(toForm(profile));
      setVersion(profile.version);
      setEditing(true);
    },
    /** Back to the view; the edits are dropped. */
    discard: (): void => {
      dropDraft();
      setFailure(null);
      if (profile) {
        reset(toForm(profile));
        setEditing(false);
      }
    },
    /** Null when it was refused; the reason is in `failure`, `theirs` or `broken`. */
    submit: (values: F) => send(values, version),
    saveAnyway: async (): Promise<P | null> => {
      if (!held) return null;
      setHeld(null);
      return send(held.values, held.over, true);
    },
    /** One's own changes are saved on top of the newest version, by someone who has seen what that changed. */
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

/** Sending a save: after the check for sessions it breaks, and with what stands in its way. */
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
  /** A save that waits until the person has seen which sessions it breaks. */
  const [held, setHeld] = useState<{ values: F; over: number | undefined; broken: BrokenSessions } | null>(null);

  const send = async (values: F, over: number | undefined, anyway = false): Promise<P | null> => {
    setFailure(null);
    setSending(true);
    try {
      const broken = id === null || anyway ? null : await check(values, over);
      if (broken && broken.total > 0) {
        setHeld({ values, over, broken });
        return null;
      }
      const saved = await save(values, over);
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
      // Said beside the field as well, and the way leads there.
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

/** What a failed save says; one of a new profile may have been carried out all the same. */
function saveFailure(error: unknown, isNew: boolean): { text: string; login: boolean } {
  const unknown = isNew && error instanceof NoReplyError;
  return { text: [failureText(error), unknown ? MAYBE_THERE : ''].join(' ').trim(), login: isLoginFailure(error) };
}

/** Keeps the edits in this tab, and brings back those of before a reload as unsaved edits. */
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

/** A person who starts to edit, or opens a new profile, can type at once. */
function useFirstField<F extends FieldValues>({ setFocus }: UseFormReturn<F>, editing: boolean): void {
  useEffect(() => {
    if (editing) setFocus('first_name' as Path<F>);
  }, [editing, setFocus]);
}

/** The browser asks before it leaves a page with unsaved edits. */
function useLeaveWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isDirty]);
}
