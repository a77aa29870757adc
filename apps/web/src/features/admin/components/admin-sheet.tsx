import type { ReactNode } from 'react';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { Sheet } from '../../../shared/ui/page.tsx';
import { Skeleton } from '../../../shared/ui/states.tsx';
import css from './admin.module.css';

/** An administration page's content: gray lines while it loads, then the content, or why it could not be loaded. */
export function AdminSheet<T>({
  what,
  query,
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
  const { data, error } = query;
  return (
    <Sheet fills="parts">
      <LoadFailure what={what} query={query} />
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
