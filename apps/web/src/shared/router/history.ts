import { useSyncExternalStore } from 'react';

/** The current place in the product. Search values are strings; a missing one means the default. */
export interface Place {
  path: string;
  search: Readonly<Record<string, string>>;
  /** Path and search as in the address. */
  href: string;
  /** The page a person wanted before being redirected here; kept in the history entry, not in the address. */
  wanted: string | null;
}

export type SearchValues = Readonly<Record<string, string | undefined>>;

/** A redirect to another place. */
export interface Redirect {
  to: string;
  /** The `wanted` place that the new one is to remember. */
  wanted?: string | null;
}

/** Where to redirect from a place, or null if it may be shown. */
export type Settle = (place: Place) => Redirect | null;

const MOST_REDIRECTS = 5;

export function placeOf(href: string, wanted: string | null = null): Place {
  const url = new URL(href, 'http://page');
  const path = url.pathname.replace(/(?<=.)\/+$/, '');
  return { path, search: Object.fromEntries(url.searchParams), href: path + url.search, wanted };
}

export function hrefOf(path: string, search: SearchValues = {}): string {
  const kept = Object.entries(search).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
  );
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept)}`;
}

/** The final place after at most five redirects. */
export function settled(place: Place, settle: Settle): Place {
  let now = place;
  for (let count = 0; count < MOST_REDIRECTS; count++) {
    const next = settle(now);
    if (next === null) return now;
    now = placeOf(next.to, next.wanted);
  }
  return now;
}

let rule: Settle = () => null;
let current: Place = placeOf('/');
const listeners = new Set<() => void>();

/**
 * Reads the address, applies redirects, and notifies listeners. Call it when something that `settle` depends on has
 * changed.
 */
export function updatePlace(): void {
  const asked = placeOf(location.href, keptWanted());
  const place = settled(asked, rule);
  if (place.href !== asked.href) {
    history.replaceState(place.wanted === null ? null : { wanted: place.wanted }, '', place.href);
  }
  if (place.href === current.href) return;
  current = place;
  for (const listener of listeners) listener();
}

/** Stored with the browser's history entry, so it survives a reload; `loadPage` hands it to the page it loads. */
function keptWanted(): string | null {
  const state: unknown = history.state;
  const handed = takeHanded();
  if (typeof state !== 'object' || state === null || !('wanted' in state)) return handed;
  return typeof state.wanted === 'string' ? state.wanted : handed;
}

const HANDED = 'wanted';
function takeHanded(): string | null {
  try {
    const handed = sessionStorage.getItem(HANDED);
    sessionStorage.removeItem(HANDED);
    return handed;
  } catch {
    return null;
  }
}

/** Loads a page of this site from the server; it still knows which page was wanted here. */
export function loadPage(path: string): void {
  try {
    if (current.wanted !== null) sessionStorage.setItem(HANDED, current.wanted);
  } catch {
    // If nothing is stored, sign-in leads to the calendar.
  }
  window.location.assign(path);
}

/** Starts following the address; `settle` decides before anything is shown. */
export function startHistory(settle: Settle): void {
  rule = settle;
  window.addEventListener('popstate', updatePlace);
  updatePlace();
}

export interface Going {
  /** Left out: the current path. */
  to?: string | undefined;
  /** New values, or a function of the current ones. Left out: none; without `to` as well, the current ones. */
  search?: SearchValues | ((now: Place['search']) => SearchValues) | undefined;
  replace?: boolean | undefined;
}

/** Moves to a place, as a new history entry unless `replace`; does nothing if already there. */
export function navigate({ to, search, replace }: Going): void {
  const values =
    typeof search === 'function' ? search(current.search) : (search ?? (to === undefined ? current.search : {}));
  const href = hrefOf(to ?? current.path, values);
  if (href === current.href) return;
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  updatePlace();
}

export const getPlace = (): Place => current;
export function onPlace(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The search values in the address. */
export const useSearch = (): Place['search'] => useSyncExternalStore(onPlace, () => current.search);
export const usePath = (): string => useSyncExternalStore(onPlace, () => current.path);
