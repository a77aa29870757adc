import { Button } from '../../../shared/ui/button.tsx';
import type { ProfileKind } from '../model.ts';

/** The buttons at the bottom of a profile (PROF-03, PROF-04). */
export function ProfileFooter({
  kind,
  editing,
  saving,
  formId,
  onEdit,
  onDelete,
  onCancel,
  onClose,
}: {
  kind: ProfileKind;
  editing: boolean;
  saving: boolean;
  formId: string;
  /** Starts editing; null until the profile is loaded. */
  onEdit: (() => void) | null;
  /** Deletes the profile; null for a new profile. Client profiles have no delete button. */
  onDelete: (() => void) | null;
  onCancel: () => void;
  onClose: () => void;
}) {
  return (
    <>
      {kind === 'therapists' && onDelete ? (
        <Button data-writes variant="danger" unavailable={saving} onClick={onDelete}>
          Delete
        </Button>
      ) : null}
      <span className="grow" />
      <Button unavailable={saving} onClick={onClose}>
        Close
      </Button>
      {editing && kind === 'clients' ? (
        <Button unavailable={saving} onClick={onCancel}>
          Cancel
        </Button>
      ) : null}
      {editing ? (
        // *Save Changes* appears where *Edit* was. If both buttons had the same key, the click on *Edit* would also
        // submit the form.
        <Button key="save" variant="primary" type="submit" form={formId} unavailable={saving}>
          Save Changes
        </Button>
      ) : (
        <Button data-writes key="edit" unavailable={onEdit === null} onClick={() => onEdit?.()}>
          Edit
        </Button>
      )}
    </>
  );
}
