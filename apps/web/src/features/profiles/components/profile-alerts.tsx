import type { FieldValues } from 'react-hook-form';
import { differences } from '../../../shared/edits/merge.ts';
import { StaleAlert } from '../../../shared/edits/stale-alert.tsx';
import { UnsavedAlert } from '../../../shared/ui/unsaved.tsx';
import { findCover } from '../../../shared/unfit/find-cover.ts';
import { UnfitSessionsAlert } from '../../../shared/unfit/unfit-sessions.tsx';
import type { Profile, ProfileSpec } from '../profile-spec.ts';
import type { Editing } from '../use-editing.ts';
import { DeleteTherapist } from './delete-therapist.tsx';

/** The question that is open; null for none. */
export type Asked = 'leave' | 'cancel' | 'delete' | null;

/**
 * The questions about a profile, one at a time: about unsaved edits, deleting, sessions that no longer fit, and a
 * newer version.
 */
export function ProfileAlerts<P extends Profile, F extends FieldValues, B>({
  spec,
  editing,
  asked,
  name,
  id,
  onAnswered,
  onLeave,
  onSaved,
  onDeleted,
}: {
  spec: ProfileSpec<P, F, B>;
  editing: Editing<P, F>;
  asked: Asked;
  name: string;
  /** The profile's id; null for a new profile. */
  id: string | null;
  onAnswered: () => void;
  /** Discards the edits and closes the modal. */
  onLeave: () => void;
  onSaved: (saved: P | null) => void;
  onDeleted: () => void;
}) {
  const { kind, toForm, labels } = spec;
  return (
    <>
      {asked === 'leave' || asked === 'cancel' ? (
        <UnsavedAlert
          onKeep={onAnswered}
          onDiscard={() => {
            onAnswered();
            editing.discard();
            if (asked === 'leave') onLeave();
          }}
        >
          <p className="muted">{`Your changes to ${name} are not saved yet.`}</p>
        </UnsavedAlert>
      ) : null}
      {asked === 'delete' && id !== null ? (
        <DeleteTherapist
          id={id}
          name={name}
          onClose={onAnswered}
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
