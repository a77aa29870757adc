import { TEXTS } from '@clinic/contract';
import { Button } from '../shared/ui/button.tsx';
import { AlertDialog } from '../shared/ui/dialog.tsx';

/** ABS-07: the absences are stored, and nothing follows from them. */
export function NothingNeeded({ onClose }: { onClose: () => void }) {
  return (
    <AlertDialog
      title={TEXTS.noChangesNeeded}
      onClose={onClose}
      actions={(done) => (
        <Button size="lg" variant="primary" autoFocus onClick={done}>
          Back to the calendar
        </Button>
      )}
    >
      <p className="muted">The absences are stored. Nobody else's day is touched by them.</p>
    </AlertDialog>
  );
}
