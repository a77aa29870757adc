import { TEXTS } from '@clinic/contract';
import { AlertDialog } from '../../../../shared/ui/dialog.tsx';

/** ABS-07: the absences are recorded and change nothing else; or there are none, and no session lacks a therapist. */
export function NothingNeeded({ anyStored, onClose }: { anyStored: boolean; onClose: () => void }) {
  return (
    <AlertDialog title={TEXTS.noChangesNeeded} keep="Back to the calendar" onClose={onClose}>
      <p className="muted">
        {anyStored
          ? 'The absences are recorded. They affect no one else’s day.'
          : 'No one is away, and no session from now on is without a therapist.'}
      </p>
    </AlertDialog>
  );
}
