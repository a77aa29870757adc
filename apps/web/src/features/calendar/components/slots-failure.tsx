import { TEXTS } from '@clinic/contract';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/states.tsx';

const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });

/** CAL-09: the specified text, then what still works. */
export function SlotsFailure({
  loadedAt,
  busy,
  onRetry,
}: {
  /** When what is shown was loaded, milliseconds; null when nothing was. */
  loadedAt: number | null;
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
      {loadedAt === null
        ? null
        : `Showing what was loaded at ${clock.format(loadedAt)}. Marking people absent still works.`}
    </Notice>
  );
}
