import { useSyncExternalStore } from 'react';

/** Which page is shown, and how. Search values are texts; a missing one means the default. */
export interface Place {
  path: string;
  search: Readonly<Record<string, string>>;
  /** The path and the search as they are in the address. */
  href: string;
  /**
   * The page that a person wanted before they were redirected here. It is kept in the browser's history, not in the
   * address.
   */
  wanted: string | null;
}

export type SearchValues = Readonly<Record<string, string | undefined>>;

/** A redirect to another place. */
export interface Redirect {
  to: string;
  /** The page to come back to later. */
  wanted?: string | null;
}

/** Decides whether a page may be shown: null, or else where to redirect. */
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

/** Follows redirects, at most five, and returns the last page. */
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
 * Reads the address, follows redirects and calls the listeners. To be called when something changes that `settle`
 * depends on.
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

/** The wanted page, from the browser's history entry. It survives a reload, and `loadPage` hands it on. */
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

/** Loads a page of this site from the server, and hands the wanted page on to it. */
export function loadPage(path: string): void {
  try {
    if (current.wanted !== null) sessionStorage.setItem(HANDED, current.wanted);
  } catch {
    // Without storage the wanted page is lost, and the login leads to the calendar.
  }
  window.location.assign(path);
}

/** Starts to follow the address; `settle` decides which pages may be shown. */
export function startHistory(settle: Settle): void {
  rule = settle;
  window.addEventListener('popstate', updatePlace);
  updatePlace();
}

export interface Going {
  /** The new path; when left out, the current one. */
  to?: string | undefined;
  /**
   * The new search values, or a function that makes them from the current ones. When left out there are none, unless
   * `to` is left out as well: then they stay.
   */
  search?: SearchValues | ((now: Place['search']) => SearchValues) | undefined;
  replace?: boolean | undefined;
}

/**
 * Goes to another page, or changes the search values. Adds a history entry, unless `replace`; does nothing if already
 * there.
 */
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
