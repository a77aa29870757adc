import { Suspense, startTransition, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { retryableLazy } from '../ui/retryable-lazy.ts';
import { getPlace, onPlace } from './history.ts';

type Load = () => Promise<ComponentType>;
interface Page {
  page: { readonly View: ComponentType };
  load: Load;
}

let known: Readonly<Record<string, Page>> = {};

/** The pages by path, each fetched when first needed. `otherwise` stands for all other paths. */
export function definePages(pages: Readonly<Record<string, Load>>): void {
  known = Object.fromEntries(Object.entries(pages).map(([path, load]) => [path, { load, page: retryableLazy(load) }]));
}

/** Loads a page's files before it is shown. A failure is ignored here: opening the page tries again and reports it. */
export function preloadPage(path: string): void {
  known[path]?.load().catch(() => undefined);
}

/**
 * The page at the current path. The previous page stays until the next has been fetched, so nothing flashes in between.
 * `frame` surrounds the pages that are not `bare` and stays while they change. A page that breaks takes down only
 * itself; if the frame breaks, the message and the way back remain.
 */
export function Pages({
  frame: Frame,
  bare,
  otherwise: Otherwise,
  failed,
}: {
  frame: ComponentType<{ children: ReactNode }>;
  bare: readonly string[];
  otherwise: ComponentType;
  failed: ReactNode;
}) {
  const [path, setPath] = useState(() => getPlace().path);
  useEffect(() => {
    const follow = (): void => startTransition(() => setPath(getPlace().path));
    follow();
    return onPlace(follow);
  }, []);
  const View = known[path]?.page.View ?? Otherwise;
  const page = (
    <ErrorBoundary key={path} fallback={failed}>
      <Suspense fallback={null}>
        <View />
      </Suspense>
    </ErrorBoundary>
  );
  if (bare.includes(path)) return page;
  return (
    <ErrorBoundary fallback={failed}>
      <Frame>{page}</Frame>
    </ErrorBoundary>
  );
}
