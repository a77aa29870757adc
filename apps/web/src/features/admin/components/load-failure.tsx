import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/states.tsx';

/** Shown when an administration page cannot be loaded. */
export function LoadFailure({ what, error, onRetry }: { what: string; error: Error; onRetry: () => void }) {
  return (
    <Notice
      tone="error"
      title={`Failed to load ${what}. ${error.message}`}
      actions={<Button onClick={onRetry}>Try again</Button>}
    >
      Nothing was changed.
    </Notice>
  );
}
