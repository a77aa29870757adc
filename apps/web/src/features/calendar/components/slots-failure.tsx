import { TEXTS } from '@clinic/contract';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/states.tsx';

/** CAL-09: the specified text, then what still works. */
export function SlotsFailure({
  loadedAt,
  busy,
  onRetry,
}: {
  /** When the data shown was loaded, by the clinic's clock; null when nothing was loaded. */
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
