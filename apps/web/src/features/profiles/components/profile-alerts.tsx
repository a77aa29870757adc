import type { FieldValues } from 'react-hook-form';
import { StaleAlert } from '../../../shared/edits/stale-alert.tsx';
import { navigate } from '../../../shared/router/history.ts';
import { findCover, handover } from '../../../shared/unfit/find-cover.ts';
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
  onDeleted: () => void;
}) {
  // Only these fields say that somebody leaves for good; sessions that do not fit for another reason are no caseload.
  const isLeaving = ['end_date', 'location'].some((field) => field in editing.form.formState.dirtyFields);
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
          who={spec.kind === 'clients' ? 'therapist' : 'client'}
          onKeep={editing.keepEditing}
          onSave={() => void editing.saveAnyway(false)}
          onCover={(unfit) =>
            void editing.saveAnyway(true).then((saved) => {
              if (saved) findCover(unfit);
            })
          }
          onHandover={
            spec.kind === 'clients' || id === null || !isLeaving
              ? undefined
              : ({ sessions: [first] }) =>
                  void editing.saveAnyway(false).then((saved) => {
                    if (saved && first) navigate({ to: '/standing', search: handover(first.location, id, first.date) });
                  })
          }
        />
      ) : null}
      {editing.stale ? <StaleAlert name={name} {...editing.stale} /> : null}
    </>
  );
}
