import {
  Suspense,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { retryableLazy } from '../ui/retryable-lazy.ts';
import { say } from '../ui/toast.tsx';
import { ShownPath, getPlace, notePage, onPlace, usePath } from './history.ts';
import css from './pages.module.css';

/** A page may read its path, and its search values: those it is shown for, until the next page replaces it. */
type View = ComponentType<{ path: string }>;
type Load = () => Promise<View>;
interface Page {
  /** The first of the page's paths. */
  name: string;
  page: { readonly View: View };
  load: Load;
}

let known: Readonly<Record<string, Page>> = {};

/**
 * Defines the pages by path, whose last part can be `:id`. Each page is loaded when it is first needed. Paths with the same `load` are one page, which
 * stays as it is, focus included, when the path changes from one of them to another.
 */
export function definePages(pages: Readonly<Record<string, Load>>): void {
  const byLoad = new Map<Load, Page>();
  for (const [name, load] of Object.entries(pages)) {
    if (!byLoad.has(load)) byLoad.set(load, { name, load, page: retryableLazy(load) });
  }
  known = Object.fromEntries(Object.entries(pages).map(([path, load]) => [path, byLoad.get(load)!]));
}

const pageAt = (path: string): Page | undefined => known[path] ?? known[path.replace(/[^/]+$/, ':id')];

/** Loads a page's files before it is opened. If that fails, opening the page tries again and reports the failure. */
export function preloadPage(path: string): void {
  pageAt(path)
    ?.load()
    .catch(() => undefined);
}

/** The page at the current path. */
function chosen(otherwise: Page['page']): { path: string; name: string; View: View } {
  const { path } = getPlace();
  const { name, page } = pageAt(path) ?? { name: path, page: otherwise };
  return { path, name, View: page.View };
}

/**
 * Shows the page at the current path. The previous page stays until the next page's files are loaded, so that nothing
 * flashes. `otherwise` is the page for unknown paths, and `frame` surrounds all pages that are not `bare`. If a page
 * breaks, the frame still works; if the frame breaks, a message and a way back remain.
 */
export function Pages({
  frame: Frame,
  bare,
  otherwise,
  failed,
}: {
  frame: ComponentType<{ children: ReactNode }>;
  bare: readonly string[];
  otherwise: Page['page'];
  failed: ReactNode;
}) {
  const [first] = useState(() => chosen(otherwise));
  const [{ path, name, View }, setShown] = useState(first);
  useEffect(() => {
    let wanted = first.path;
    const follow = (): void => {
      if (wanted === getPlace().path) return;
      wanted = getPlace().path;
      // NOTE: do not choose the page in a function given to `setShown`. React calls such a function again whenever it
      // tries to show the page, and a page that could not be loaded has another `View` from then on: it would be loaded
      // again and again.
      const next = chosen(otherwise);
      startTransition(() => setShown(next));
    };
    follow();
    return onPlace(follow);
  }, [first, otherwise]);
  useLayoutEffect(() => notePage(path), [path]);
  // Screen readers notice the first page by themselves, but not that another page has taken its place.
  const said = useRef(name);
  useEffect(() => {
    if (said.current !== name && !bare.includes(path)) say(document.title);
    said.current = name;
  }, [bare, path, name]);
  // React keeps the previous page only if the `Suspense` around it is the same, so only what is inside has a key.
  const page = (
    <>
      <Loading shown={path} />
      <Suspense fallback={null}>
        <ErrorBoundary key={name} fallback={failed}>
          <ShownPath value={path}>
            <View path={path} />
          </ShownPath>
        </ErrorBoundary>
      </Suspense>
    </>
  );
  if (bare.includes(path)) return page;
  return (
    <ErrorBoundary fallback={failed}>
      <Frame>{page}</Frame>
    </ErrorBoundary>
  );
}

/** Says that the next page's files are still loading, if that takes half a second or longer. */
const Loading = ({ shown }: { shown: string }) =>
  usePath() === shown ? null : <div className={css.loading} role="progressbar" aria-label="Loading the page" />;
