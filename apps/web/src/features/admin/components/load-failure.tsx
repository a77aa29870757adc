import { ApiError } from '../../../shared/api/client.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/states.tsx';

/** A page of administrators that could not be loaded, or that this account may not see. */
export function LoadFailure({ what, error, onRetry }: { what: string; error: Error; onRetry: () => void }) {
  const refused = error instanceof ApiError && error.status === 403;
  return (
    <Notice
      tone="error"
      title={refused ? error.message : `Failed to load ${what}. ${error.message}`}
      actions={refused ? undefined : <Button onClick={onRetry}>Try again</Button>}
    >
      {refused ? 'Administrators see this page.' : 'Nothing was changed.'}
    </Notice>
  );
}
