import { useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { say } from '../ui/toast.tsx';
import { usePath } from './history.ts';

type View = ComponentType<{ path: string }>;
type Load = () => Promise<View>;
/** A page's title, shown while its files load, and how they are loaded. */
type Definition = readonly [title: string, load: Load];
interface Page {
  /** The first of the page's paths. */
  name: string;
  load: Load;
  loaded: View | null;
}
interface Place {
  title: string;
  page: Page;
}

let known: Readonly<Record<string, Place>> = {};
let unknown: Place;

/**
 * Defines the pages by path, whose last part can be `:id`, and the page for all other paths. Each page is loaded when
 * it is first needed. Paths with the same `load` are one page, which stays as it is, focus included, when the path
 * changes from one of them to another.
 */
export function definePages(pages: Readonly<Record<string, Definition>>, otherwise: Definition): void {
  const byLoad = new Map<Load, Page>();
  const place = (name: string, [title, load]: Definition): Place => {
    const page = byLoad.get(load) ?? { name, load, loaded: null };
    byLoad.set(load, page);
    return { title, page };
  };
  known = Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, place(path, page)]));
  unknown = place('unknown', otherwise);
}

const placeAt = (path: string): Place => known[path] ?? known[path.replace(/[^/]+$/, ':id')] ?? unknown;

const load = async (page: Page): Promise<View> => (page.loaded ??= await page.load());

/** Loads a page's files before it is opened. If that fails, opening the page tries again and reports the failure. */
export function preloadPage(path: string): void {
  load(placeAt(path).page).catch(() => undefined);
}

/**
 * Shows the page at the current path; `wait` takes its place while its files load. `frame` surrounds all pages that are
 * not `bare`. If a page breaks, the frame still works; if the frame breaks, a message and a way back remain.
 */
export function Pages({
  frame: Frame,
  bare,
  wait: Wait,
  failed: Failed,
}: {
  frame: ComponentType<{ children: ReactNode }>;
  bare: readonly string[];
  wait: ComponentType<{ path: string; title: string }>;
  failed: ComponentType<{ title: string }>;
}) {
  const path = usePath();
  const { title, page } = placeAt(path);
  const isBare = bare.includes(path);
  // Screen readers notice the first page by themselves, but not that another page has taken its place.
  const said = useRef(page);
  useEffect(() => {
    if (said.current !== page && !isBare) say(document.title);
    said.current = page;
  }, [isBare, page]);
  const shown = (
    <ErrorBoundary key={page.name} fallback={<Failed title={title} />}>
      <Loaded page={page} path={path} wait={isBare ? null : <Wait path={path} title={title} />} />
    </ErrorBoundary>
  );
  if (isBare) return shown;
  return (
    <ErrorBoundary fallback={<Failed title={title} />}>
      <Frame>{shown}</Frame>
    </ErrorBoundary>
  );
}

/**
 * A page, or what takes its place while its files load. NOTE: `Suspense` would show the latter for a third of a second
 * at least.
 */
function Loaded({ page, path, wait }: { page: Page; path: string; wait: ReactNode }) {
  const [View, setView] = useState(() => page.loaded);
  useEffect(() => {
    if (View) return undefined;
    let here = true;
    load(page).then(
      (loaded) => here && setView(() => loaded),
      (error: unknown) =>
        here &&
        setView(() => {
          throw error;
        }),
    );
    return () => void (here = false);
  }, [View, page]);
  return View ? <View path={path} /> : wait;
}
