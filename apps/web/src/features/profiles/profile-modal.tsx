import { useId, useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { TEXTS } from '@clinic/contract';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { toast, type ToastSpec } from '../../shared/ui/toast.tsx';
import { navigate } from '../../shared/router/history.ts';
import { useUnsaved } from '../../shared/unsaved/use-unsaved.ts';
import { useTherapists } from './api/use-profiles.ts';
import { ProfileAlerts } from './components/profile-alerts.tsx';
import { ProfileBody } from './components/profile-body.tsx';
import { ProfileFooter } from './components/profile-footer.tsx';
import { ProfileNotices } from './components/profile-notices.tsx';
import { KIND_WORDS, type ProfileKind } from './model.ts';
import type { Profile, ProfileForm, ProfileSpec } from './profile-spec.ts';
import { useEditing, type Editing } from './use-editing.ts';

/**
 * A profile to read, edit and save (PROF-03 to PROF-05). `listed` is the profile as shown on its card; null for a new
 * profile.
 */
export function ProfileModal<P extends Profile, F extends ProfileForm, B>({
  spec,
  listed,
  atOnce = false,
  more,
  onClose,
}: {
  spec: ProfileSpec<P, F, B>;
  listed: P | null;
  /** Whether the profile, which is whole, opens in its form at once. */
  atOnce?: boolean;
  more: (kind: ProfileKind, person: P) => ReactNode;
  onClose: () => void;
}) {
  const { kind } = spec;
  const { one } = KIND_WORDS[kind];
  const therapists = useTherapists().data ?? [];
  const { details, profile, editing } = useProfile(spec, listed, atOnce);
  const formId = useId();
  const [deleting, setDeleting] = useState(false);
  const name = profile?.display_name ?? `the new ${one}`;
  const { mayClose, leave, cancel } = useClosing(editing, name, listed === null);
  const done = (close: () => void, said: ToastSpec): void => {
    toast(said);
    leave(close);
  };
  const saved = (close: () => void) => (now: P) => done(close, savedWords(kind, listed === null, now));
  return (
    <Dialog
      title={profile?.display_name ?? `New ${one}`}
      width={spec.width}
      onClose={onClose}
      mayClose={mayClose}
      bar={
        <ProfileNotices
          standing={profile ? spec.standing(profile) : null}
          loadError={details.error}
          onReload={() => void details.refetch()}
          saveFailure={editing.failure}
        />
      }
      footer={(close) => (
        <ProfileFooter
          kind={kind}
          editing={editing.editing}
          saving={editing.saving}
          formId={formId}
          onEdit={details.data ? editing.edit : null}
          onDelete={profile ? () => setDeleting(true) : null}
          onCancel={() => cancel(close)}
          onClose={close}
        />
      )}
    >
      {(close) => (
        <>
          <ProfileBody
            spec={spec}
            editing={editing}
            profile={profile}
            loaded={details.data !== undefined}
            therapists={therapists}
            formId={formId}
            more={profile ? more(kind, profile) : null}
            onSaved={saved(close)}
          />
          <ProfileAlerts
            spec={spec}
            editing={editing}
            deleting={deleting}
            name={name}
            id={profile?.id ?? null}
            onKeep={() => setDeleting(false)}
            onDeleted={() => done(close, { text: TEXTS.deleted })}
          />
        </>
      )}
    </Dialog>
  );
}

/** Says that a profile is saved, and of a new child, who has no sessions yet, where these are found. */
const savedWords = (kind: ProfileKind, isNew: boolean, { location, display_name: client }: Profile): ToastSpec => ({
  text: isNew ? TEXTS.created : TEXTS.updated,
  next:
    isNew && kind === 'clients'
      ? { label: 'Find a time', run: () => navigate({ to: '/find-a-time', search: { location, client } }) }
      : undefined,
});

/** If there are unsaved edits, asks before the modal closes or editing ends. */
function useClosing(
  { isDirty, saving, discard }: Pick<Editing<Profile, ProfileForm>, 'isDirty' | 'saving' | 'discard'>,
  name: string,
  isNew: boolean,
) {
  const about = `Your changes to ${name} are not saved yet.`;
  const { mayClose, leave } = useUnsaved({ edited: isDirty, saving, about, onDiscard: discard });
  const cancel = (close: () => void): void => {
    if (isNew) close();
    else if (mayClose(() => undefined)) discard();
  };
  return { mayClose, leave, cancel };
}

/** Loads the whole profile, and edits it. Until the profile is loaded, uses the fields that the list has. */
function useProfile<P extends Profile, F extends ProfileForm, B>(
  { kind, api, blank, toForm, toBody, labels }: ProfileSpec<P, F, B>,
  listed: P | null,
  atOnce: boolean,
) {
  const id = listed?.id ?? '';
  const details = useQuery({
    // The profile is loaded each time the modal opens, but not after events: edits stay, and a deleted person is not
    // requested again.
    queryKey: [KIND_WORDS[kind].one, id],
    queryFn: ({ signal }) => api.read(id, signal),
    enabled: listed !== null,
    staleTime: 0,
    gcTime: 0,
  });
  const profile = details.data ?? listed;
  const editing = useEditing({
    kind,
    profile,
    blank,
    toForm,
    labels,
    atOnce,
    save: (form, version, unassign) => api.save(listed?.id ?? null, toBody(form, version), unassign),
    check: (form, version) => api.check(id, toBody(form, version)),
    newest: () => api.read(id),
  });
  return { details, profile, editing };
}
