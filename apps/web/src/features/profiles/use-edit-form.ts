import { useEffect, useState } from 'react';
import { useForm, type DefaultValues, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form';
import { readDraft, writeDraft } from '../../shared/session/drafts.ts';
import type { ProfileKind } from './model.ts';

export interface Versioned {
  id: string;
  version: number;
}

/** Unsaved edits, which this tab keeps through a reload or the end of the login session. */
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
export const dropDraft = (): void => writeDraft(DRAFT, null);

export interface EditFormInput<P extends Versioned, F extends FieldValues> {
  kind: ProfileKind;
  /** The stored profile; null for a new profile, which opens in the form at once. */
  profile: P | null;
  blank: () => F;
  toForm: (profile: P) => F;
  /** Whether a stored profile, too, opens in the form at once. */
  atOnce?: boolean;
}

/** A profile's form, and the version of the profile on which the edits are based. */
export function useEditForm<P extends Versioned, F extends FieldValues>({
  kind,
  profile,
  blank,
  toForm,
  atOnce = false,
}: EditFormInput<P, F>) {
  const id = profile?.id ?? null;
  const [draft] = useState(() => {
    const kept = keptDraft();
    return kept?.kind === kind && kept.id === id ? kept : null;
  });
  const [editing, setEditing] = useState(atOnce || profile === null || draft !== null);
  const [version, setVersion] = useState<number | undefined>(draft?.version ?? profile?.version);
  const form = useForm<F>({
    defaultValues: (profile ? toForm(profile) : blank()) as DefaultValues<F>,
    mode: 'onTouched',
  });
  const { reset, formState } = form;
  const { isDirty } = formState;
  const base = formState.defaultValues as F;

  useKeptEdits(form, draft, editing, { kind, id, version: version ?? null });
  useFirstField(form, editing);

  return {
    form,
    /** The form as it was when editing began. */
    base,
    version,
    editing,
    setEditing,
    isDirty,
    /** Fills the form with this profile and drops all edits. */
    startFrom: (from: P): void => {
      reset(toForm(from));
      setVersion(from.version);
    },
    /** Continues from this newer version with these values. */
    moveTo: (newer: P, values: F): void => {
      dropDraft();
      reset(toForm(newer));
      reset(values, { keepDefaultValues: true });
      setVersion(newer.version);
    },
  };
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

/** Focuses the first field when editing starts, so that the user can type at once. */
function useFirstField<F extends FieldValues>({ setFocus }: UseFormReturn<F>, editing: boolean): void {
  useEffect(() => {
    if (editing) setFocus('first_name' as Path<F>);
  }, [editing, setFocus]);
}
