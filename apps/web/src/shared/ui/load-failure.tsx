import type { ReactNode } from 'react';
import { saidWords } from '../api/failure-words.ts';
import { Button } from './button.tsx';
import { Notice } from './states.tsx';

export interface Loaded {
  readonly error: Error | null;
  readonly data?: unknown;
  readonly refetch: () => unknown;
}

/**
 * Says that something could not be loaded, why, and what to do. Renders nothing when it has loaded. `what` names it:
 * `the report`.
 */
export function LoadFailure({ what, query, children }: { what: string; query: Loaded; children?: ReactNode }) {
  if (!query.error) return null;
  return (
    <Notice
      tone="error"
      title={`Failed to load ${what}. Please try again.`}
      actions={<Button onClick={() => void query.refetch()}>Try again</Button>}
    >
      {saidWords(query.error)} {query.data === undefined ? null : 'What is shown may be out of date.'} {children}
    </Notice>
  );
}
