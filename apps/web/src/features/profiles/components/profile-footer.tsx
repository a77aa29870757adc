import { Button } from '../../../shared/ui/button.tsx';
import type { ProfileKind } from '../model.ts';

/** A profile's buttons (PROF-03, PROF-04). */
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
  /** Null until the profile is loaded. */
  onEdit: (() => void) | null;
  /** Null for a new profile. */
  onDelete: (() => void) | null;
  onCancel: () => void;
  onClose: () => void;
}) {
  return (
    <>
      {kind === 'therapists' && onDelete ? (
        <Button variant="danger" unavailable={saving} onClick={onDelete}>
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
        // Different keys: otherwise the click that starts editing would also submit, because the Save button appears in
        // the same place.
        <Button key="save" variant="primary" type="submit" form={formId} unavailable={saving}>
          Save Changes
        </Button>
      ) : (
        <Button key="edit" unavailable={onEdit === null} onClick={() => onEdit?.()}>
          Edit
        </Button>
      )}
    </>
  );
}
