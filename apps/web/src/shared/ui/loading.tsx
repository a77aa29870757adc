import type { ReactNode } from 'react';
import { LoadFailure, type Loaded } from './load-failure.tsx';
import { Skeleton } from './states.tsx';
import css from './states.module.css';

/** What a query loads: gray areas while it loads, then its content. Above it stands why it could not be loaded. */
export function Loading<T>({
  what,
  query,
  as = `Loading ${what}`,
  height,
  lines = 1,
  children,
}: {
  /** Names what is being loaded, such as `the accounts`. */
  what: string;
  query: Omit<Loaded, 'data'> & { readonly data?: T | undefined };
  /** What is happening, for screen readers. */
  as?: string | undefined;
  /** The height of each gray area. */
  height?: string;
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  const { data, error } = query;
  return (
    <>
      <LoadFailure what={what} query={query} />
      {data !== undefined ? children(data) : error ? null : <Waiting as={as} lines={lines} height={height} />}
    </>
  );
}

/** Gray areas in place of what is loading. */
export const Waiting = ({ as, lines, height }: { as: string; lines: number; height?: string | undefined }) => (
  <div className={css.loading} role="status" aria-label={as}>
    {Array.from({ length: lines }, (_, i) => (
      <Skeleton key={i} style={height === undefined ? {} : { height }} />
    ))}
  </div>
);
