import { TEXTS } from '@clinic/contract';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/states.tsx';

/** The message that CAL-09 specifies for a day that cannot be loaded, and what still works. */
export function SlotsFailure({
  loadedAt,
  busy,
  onRetry,
}: {
  /** When the shown data was loaded, in the clinic's time; null when nothing was loaded. */
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
