import { Button } from '../../../shared/ui/button.tsx';
import type { SessionSource } from '../model.ts';

export function SessionFooter({
  source,
  sessions,
  weekly,
  busy,
  formId,
  onCancel,
  onClose,
}: {
  /** The session to change; null for a new one. */
  source: SessionSource | null;
  /** How many sessions the change applies to. */
  sessions: number;
  /** Whether saving books a weekly series. */
  weekly: boolean;
  busy: boolean;
  formId: string;
  onCancel: (familyTold: boolean) => void;
  onClose: () => void;
}) {
  const save = weekly
    ? 'Book Weekly Sessions'
    : !source
      ? 'Add Session'
      : sessions > 1
        ? `Save ${sessions} Sessions`
        : 'Save Changes';
  return (
    <>
      {source ? (
        <Button variant="danger" unavailable={busy} onClick={() => onCancel(false)}>
          {sessions > 1 ? `Cancel ${sessions} Sessions` : 'Cancel Session'}
        </Button>
      ) : null}
      {source?.open ? (
        <Button unavailable={busy} onClick={() => onCancel(true)}>
          Family told: cancelled
        </Button>
      ) : null}
      <span className="grow" />
      <Button size="lg" onClick={onClose}>
        Close
      </Button>
      <Button size="lg" variant="primary" type="submit" form={formId} unavailable={busy}>
        {busy ? 'Saving...' : save}
      </Button>
    </>
  );
}
