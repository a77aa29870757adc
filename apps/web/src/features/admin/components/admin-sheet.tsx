import type { ReactNode } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Sheet } from '../../../shared/ui/page.tsx';
import { Notice, Skeleton } from '../../../shared/ui/states.tsx';
import css from './admin.module.css';

/** An administration page's content: gray lines while it loads, then the content, or why it could not be loaded. */
export function AdminSheet<T>({
  what,
  query: { data, error, refetch },
  lines,
  children,
}: {
  /** Names what is being loaded, such as `the accounts`. */
  what: string;
  query: { data: T | undefined; error: Error | null; refetch: () => Promise<unknown> };
  /** How many gray lines to show while the content loads. */
  lines: number;
  children: (data: T) => ReactNode;
}) {
  return (
    <Sheet fills="parts">
      {error ? (
        <Notice
          tone="error"
          title={`Failed to load ${what}. ${error.message}`}
          actions={<Button onClick={() => void refetch()}>Try again</Button>}
        >
          {data === undefined ? null : 'This may be out of date.'}
        </Notice>
      ) : null}
      {data !== undefined ? (
        children(data)
      ) : error ? null : (
        <div className={css.wait} role="status" aria-label={`Loading ${what}`}>
          {Array.from({ length: lines }, (_, i) => (
            <Skeleton key={i} />
          ))}
        </div>
      )}
    </Sheet>
  );
}
