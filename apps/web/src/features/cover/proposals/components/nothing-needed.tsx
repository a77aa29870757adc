import { TEXTS } from '@clinic/contract';
import { AlertDialog } from '../../../../shared/ui/dialog.tsx';

/** Shown when nothing has to change (ABS-07): the absences affect no session, or every session has a therapist. */
export function NothingNeeded({ anyStored, onClose }: { anyStored: boolean; onClose: () => void }) {
  return (
    <AlertDialog title={TEXTS.noChangesNeeded} keep="Back to the calendar" onClose={onClose}>
      <p className="muted">
        {anyStored
          ? 'The absences are saved. No session is affected.'
          : 'No one is away, and every remaining session has a therapist.'}
      </p>
    </AlertDialog>
  );
}
