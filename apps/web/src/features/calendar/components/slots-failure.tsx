import { TEXTS } from '@clinic/contract';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/states.tsx';

/** The specified message when a day cannot be loaded (CAL-09), and what still works. */
export function SlotsFailure({
  loadedAt,
  busy,
  onRetry,
}: {
  /** The clinic's time at which the shown data was loaded; null when nothing was loaded. */
  loadedAt: string | null;
  busy: boolean;
  onRetry: () => void;
}) {
  return (
    <Notice
      tone="error"
      title={TEXTS.slotsFailed}
      actions={
        <Button unavailable={busy} onClick={onRetry}>
          {busy ? 'Trying...' : 'Try again'}
        </Button>
      }
    >
      {loadedAt === null ? null : `Showing what was loaded at ${loadedAt}. Marking people absent still works.`}
    </Notice>
  );
}
