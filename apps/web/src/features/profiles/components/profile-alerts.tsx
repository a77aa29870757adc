import type { FieldValues } from 'react-hook-form';
import { differences } from '../../../shared/edits/merge.ts';
import { StaleAlert } from '../../../shared/edits/stale-alert.tsx';
import { findCover } from '../../../shared/unfit/find-cover.ts';
import { UnfitSessionsAlert } from '../../../shared/unfit/unfit-sessions.tsx';
import type { Profile, ProfileSpec } from '../profile-spec.ts';
import type { Editing } from '../use-editing.ts';
import { DeleteTherapist } from './delete-therapist.tsx';

/** The questions about a profile, one at a time: about deleting, sessions that no longer fit, and a newer version. */
export function ProfileAlerts<P extends Profile, F extends FieldValues, B>({
  spec,
  editing,
  deleting,
  name,
  id,
  onKeep,
  onSaved,
  onDeleted,
}: {
  spec: ProfileSpec<P, F, B>;
  editing: Editing<P, F>;
  /** Whether the user has asked to delete the profile. */
  deleting: boolean;
  name: string;
  /** The profile's id; null for a new profile. */
  id: string | null;
  /** Called when the profile is not deleted after all. */
  onKeep: () => void;
  onSaved: (saved: P | null) => void;
  onDeleted: () => void;
}) {
  const { kind, toForm, labels } = spec;
  return (
    <>
      {deleting && id !== null ? (
        <DeleteTherapist
          id={id}
          name={name}
          onClose={onKeep}
          onDeleted={() => {
            editing.discard();
            onDeleted();
          }}
        />
      ) : null}
      {editing.unfit ? (
        <UnfitSessionsAlert
          unfit={editing.unfit}
          who={kind === 'clients' ? 'therapist' : 'client'}
          onKeep={editing.keepEditing}
          onSave={() => void editing.saveAnyway(false).then(onSaved)}
          onCover={(unfit) =>
            void editing.saveAnyway(true).then((saved) => {
              onSaved(saved);
              if (saved) findCover(unfit);
            })
          }
        />
      ) : null}
      {editing.theirs ? (
        <StaleAlert
          name={name}
          theirs={differences(editing.base, toForm(editing.theirs), labels)}
          mine={differences(editing.base, editing.form.getValues(), labels)}
          onTheirs={editing.takeTheirs}
          onMine={() => void editing.saveOnTop().then(onSaved)}
          onKeep={editing.keepEditing}
        />
      ) : null}
    </>
  );
}
