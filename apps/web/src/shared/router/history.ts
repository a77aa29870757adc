import { useSyncExternalStore } from 'react';
import { isToday } from '../clinic-clock.ts';
import { mayLeave } from '../unsaved/guards.ts';

/** The page that is shown, and its search values. Search values are strings; a missing value means the default. */
export interface Place {
  path: string;
  search: Readonly<Record<string, string>>;
  /** The path and search, as in the address. */
  href: string;
  /**
   * The page that the user requested before being redirected here. Kept in the browser's history, not in the address.
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

/** Decides whether a page may be shown: returns null if so, otherwise where to redirect. */
export type Settle = (place: Place) => Redirect | null;

const MOST_REDIRECTS = 5;

export function placeOf(href: string, wanted: string | null = null): Place {
  const url = new URL(href, 'http://page');
  const path = url.pathname.replace(/(?<=.)\/+$/, '');
  return { path, search: Object.fromEntries(url.searchParams), href: path + url.search, wanted };
}

/**
 * The address of a page. Today's date is left out, so that a page left open moves on to the next day; values that are
 * missing or empty are left out too.
 */
export function hrefOf(path: string, search: SearchValues = {}): string {
  const { date, ...others } = search;
  const values = isToday(search['location'], date) ? others : search;
  const kept = Object.entries(values).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
  );
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept)}`;
}

/** Follows at most five redirects and returns the page where they end. */
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

/** An open dialog, as far as Back is concerned. */
interface Over {
  isOpen: () => boolean;
  close: () => void;
}

const overs: Over[] = [];
/**
 * Whether the browser's current history entry is the extra one, which comes after the page's own entry while a dialog
 * is open. Back then returns to the page's own entry, which closes the dialog. There is at most one extra entry. It
 * remains once the dialog is closed, and the next page takes its place.
 */
let onExtra = false;
const isExtra = (state: unknown): boolean => typeof state === 'object' && state !== null && 'over' in state;

/** Adds an entry to the browser's history, or changes the current one. */
function write(how: 'add' | 'change', state: object | null, href: string): void {
  if (how === 'add' && !onExtra) history.pushState(state, '', href);
  else history.replaceState(state, '', href);
  onExtra = isExtra(state);
}

function addExtra(): void {
  if (!onExtra) write('add', { ...(history.state as object | null), over: true }, location.href);
}

/** Makes Back close this dialog instead of leaving the page. Returns a function that ends this. */
export function closeOnBack(dialog: Over): () => void {
  overs.push(dialog);
  addExtra();
  return () => void overs.splice(overs.indexOf(dialog), 1);
}

const isAnyOpen = (): boolean => overs.some((each) => each.isOpen());

/**
 * Reads the address, follows redirects and calls the listeners. Call this when something on which `settle` depends
 * has changed.
 */
export function updatePlace(): void {
  const asked = placeOf(location.href, keptWanted());
  const place = settled(asked, rule);
  if (place.href !== asked.href) {
    write('change', place.wanted === null ? null : { wanted: place.wanted }, place.href);
  }
  if (place.href === current.href) return;
  if (place.path !== current.path) closeMenus();
  current = place;
  for (const listener of listeners) listener();
}

/**
 * Closes an open menu or month, which would be about the place before. NOTE: do not call this when a page only adds to
 * its own address while it loads. The user may already have opened a menu.
 */
function closeMenus(): void {
  for (const box of document.querySelectorAll<HTMLElement>('[popover="auto"]:popover-open')) box.hidePopover();
}

/**
 * The page requested before the redirect, read from the browser's history entry. It survives a reload, and `loadPage`
 * keeps it for the page that it loads.
 */
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

/** Loads a page of this site from the server, without forgetting which page was requested. */
export function loadPage(path: string): void {
  try {
    if (current.wanted !== null) sessionStorage.setItem(HANDED, current.wanted);
  } catch {
    // Without storage, the requested page is lost and the login opens the calendar.
  }
  window.location.assign(path);
}

/** Starts watching the address. `settle` decides which pages may be shown. */
export function startHistory(settle: Settle): void {
  rule = settle;
  onExtra = isExtra(history.state);
  window.addEventListener('popstate', followBack);
  updatePlace();
}

function followBack(): void {
  const fromExtra = onExtra;
  onExtra = isExtra(history.state);
  const { href } = placeOf(location.href);
  const leaves = href !== current.href;
  if (fromExtra && !leaves) {
    if (isAnyOpen()) overs.findLast((each) => each.isOpen())?.close();
    // The extra entry was left over, so the user wants the page before.
    else history.back();
    if (isAnyOpen()) addExtra();
  }
  // The browser has already changed the address and cannot be stopped, so the old address is put back. From then on,
  // Back leads to the page that the user wanted, even after a press of Forward.
  else if (leaves && !mayLeave(() => history.back())) write('add', isAnyOpen() ? { over: true } : null, current.href);
  else {
    if (leaves) closeMenus();
    const { path } = current;
    updatePlace();
    // Only the search values changed, so the page with the dialog is still here.
    if (leaves && path === current.path && isAnyOpen()) addExtra();
  }
}

export interface Going {
  /** The new path. Defaults to the current path. */
  to?: string | undefined;
  /**
   * The new search values, or a function that makes them from the current ones. If left out, the new page has no search
   * values. If `to` is left out too, the current ones stay.
   */
  search?: SearchValues | ((now: Place['search']) => SearchValues) | undefined;
  replace?: boolean | undefined;
}

/**
 * Goes to another page, or changes the search values, after asking about unsaved edits. Does nothing if the address
 * would stay the same. `replace` is for a page that corrects its own address: nothing is asked, and no history entry
 * is added.
 */
export function navigate(going: Going): void {
  const { to, search, replace } = going;
  const values =
    typeof search === 'function' ? search(current.search) : (search ?? (to === undefined ? current.search : {}));
  const href = hrefOf(to ?? current.path, values);
  if (href === current.href) return;
  if (!replace && !mayLeave(() => navigate(going))) return;
  write(replace ? 'change' : 'add', replace && onExtra ? { over: true } : null, href);
  updatePlace();
}

export const getPlace = (): Place => current;
function onPlace(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The search values of the page. */
export const useSearch = (): Place['search'] => useSyncExternalStore(onPlace, () => current.search);
export const usePath = (): string => useSyncExternalStore(onPlace, () => current.path);
