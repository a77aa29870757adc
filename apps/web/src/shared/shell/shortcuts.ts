import { useEffect, useLayoutEffect, useRef } from 'react';
import { isReader } from '../session/manages-clinic.ts';

/** A shortcut. Keys are written `t`, `?`, `/`, `Ctrl+K`, or `g c` (one key after the other). */
export interface Shortcut {
  keys: string;
  /** What the shortcut does, for the list that `?` opens. */
  label: string;
  group: string;
  run: () => void;
  /** Whether the shortcut also works while a field has the focus. Only for keys with Ctrl. */
  everywhere?: boolean | undefined;
  /** Whether it changes something, or leads to where only changes are made. */
  writes?: true;
  /** Whether the shortcut works only in its own dialog, with no other dialog on top. */
  inDialog?: boolean | undefined;
}

const registered = new Set<{ current: readonly Shortcut[] }>();
const SEQUENCE_MS = 2000;
let first = { key: '', at: 0 };

/** All shortcuts registered by the components on the page; for readers, only those that change nothing. */
export const activeShortcuts = (): Shortcut[] =>
  [...registered].flatMap((set) => set.current.filter(({ writes }) => !(writes && isReader())));

/** Does what a shortcut does, for a button that names it. */
export const runShortcut = (keys: string): void =>
  activeShortcuts()
    .find((each) => each.keys === keys)
    ?.run();

const inField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)));

/** The text typed while a part of the page is loading; null when no part is loading. */
let held: string | null = null;

/** Collects the typed text while a part of the page is loading, until `releaseTyping` is called. */
export function holdTyping(): void {
  held = '';
}
export const typedSoFar = (): string => held ?? '';
/** Ends the collecting. `take` gets all of the text, unless it had ended already. */
export function releaseTyping(take?: (text: string) => void): void {
  if (held !== null) take?.(held);
  held = null;
}

function hold(event: KeyboardEvent): void {
  if (event.key === 'Escape') return releaseTyping();
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Backspace') held = typedSoFar().slice(0, -1);
  else if (event.key.length === 1) held = typedSoFar() + event.key;
  event.preventDefault();
}

/** A key press, written like a shortcut's keys. Ctrl also stands for Cmd on a Mac. */
function spelling(event: KeyboardEvent): string {
  const chord = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
  const alt = event.altKey ? 'Alt+' : '';
  return chord + alt + (chord || alt ? event.key.toUpperCase() : event.key);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.repeat) return;
  if (held !== null) return hold(event);
  const key = spelling(event);
  const field = inField(event.target);
  // While a modal dialog is open, the page behind it does not react to keys.
  const dialogs = document.querySelectorAll('dialog:modal').length;
  const list = activeShortcuts().filter((s) => dialogs === (s.inDialog ? 1 : 0));
  const pair = event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${key}` : '';
  const hit = list.find((s) => s.keys === pair) ?? list.find((s) => s.keys === key);
  first = field ? { key: '', at: 0 } : { key, at: event.timeStamp };
  if (!hit || (field && !hit.everywhere)) return;
  event.preventDefault();
  first = { key: '', at: 0 };
  hit.run();
}

/** Listens for shortcuts. Used only once, in the shell. */
export function useShortcutListener(): void {
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Makes these shortcuts work while the component is mounted. */
export function useShortcuts(list: readonly Shortcut[]): void {
  const ref = useRef(list);
  // Runs before the browser can handle another key, so that each key acts on the page as it is shown.
  useLayoutEffect(() => {
    ref.current = list;
  });
  useLayoutEffect(() => {
    registered.add(ref);
    return () => void registered.delete(ref);
  }, []);
}
