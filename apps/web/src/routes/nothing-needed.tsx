import { TEXTS } from '@clinic/contract';
import { AlertDialog } from '../shared/ui/dialog.tsx';

/** ABS-07: the absences are stored, and nothing follows from them. */
export function NothingNeeded({ onClose }: { onClose: () => void }) {
  return (
    <AlertDialog title={TEXTS.noChangesNeeded} keep="Back to the calendar" onClose={onClose}>
      <p className="muted">The absences are stored. Nobody else's day is touched by them.</p>
    </AlertDialog>
  );
}
