import { useEffect, useId, useRef, useSyncExternalStore, type ReactNode, type RefObject } from 'react';
import { useQuery } from '@tanstack/react-query';
import css from './toast.module.css';
import { Button } from './button.tsx';
import { MODALS } from './dialog.tsx';
import { Icon } from './icon.tsx';

interface Action {
  label: string;
  run: () => void;
  /**
   * Asks the server why it would refuse the action; null if it would not. Asks again whenever the query becomes stale.
   */
  whyNot?: { key: readonly unknown[]; ask: (signal: AbortSignal) => Promise<string | null> } | undefined;
}

export interface ToastSpec {
  text: ReactNode;
  tone?: 'done' | 'warn' | undefined;
  /** A button that undoes or opens what the message is about. */
  action?: Action | undefined;
  /** A second button, which opens the next task. */
  next?: { label: string; run: () => void } | undefined;
  /**
   * How long the message stays, in milliseconds. Defaults to 6,000, or 12,000 with a link. The time stops while the
   * pointer or the focus is on the message. With an action, it stays until it is dismissed or the next action replaces
   * it.
   */
  stays?: number | undefined;
  /** Whether the message gets the focus if nothing else has it, as after a reload. */
  takesFocus?: boolean | undefined;
  /** Whether only screen readers get the message, because everyone else sees the change itself. */
  unseen?: boolean | undefined;
}
interface Shown extends ToastSpec {
  id: number;
}

let shown: readonly Shown[] = [];
let next = 1;
const listeners = new Set<() => void>();
function set(list: readonly Shown[]): void {
  shown = list;
  for (const listener of listeners) listener();
}

/** What the messages offered to undo, oldest first, and was not undone yet. */
let undos: Action[] = [];
/** Undoes what the newest message offered to undo. Returns whether there was anything. */
export function undoLast(): boolean {
  const last = undos.at(-1);
  const message = shown.find(({ action }) => action === last);
  if (message) dismiss(message.id);
  forget(last);
  last?.run();
  return last !== undefined;
}
const forget = (action: Action | undefined): void => void (undos = undos.filter((each) => each !== action));

/**
 * Shows a message, with at most three on screen: the oldest without an action gives way. Returns a function that
 * removes the message.
 */
export function toast(spec: ToastSpec): () => void {
  const id = next++;
  if (spec.action) undos = [...undos, spec.action];
  const seen = shown.filter((t) => !t.unseen && !(spec.action && t.action));
  const gone = seen.filter((t) => !t.action).slice(0, Math.max(0, seen.length - 2));
  set([...seen.filter((t) => !gone.includes(t)), { ...spec, id }]);
  return () => dismiss(id);
}

/** Tells screen readers about a change that everyone else sees. */
export const say = (text: string): void => void toast({ text, unseen: true });

const dismiss = (id: number): void => set(shown.filter((t) => t.id !== id));

/** Removes all messages, so that the next user does not get this user's undo buttons. */
export const dismissToasts = (): void => {
  undos = [];
  set([]);
};

/**
 * The place where messages appear. Used only once, in the shell. While a modal dialog is open, messages appear inside
 * it, since nothing outside the dialog can be clicked or read. Screen readers read each new message once.
 */
export function Toasts() {
  const list = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  const home = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  // As a popover, the messages lie above the dialog. They stay open while empty: a screen reader reads only what is
  // added to an element that it already knows.
  useEffect(() => {
    const place = (): void => {
      const element = box.current;
      if (!element) return;
      ([...document.querySelectorAll('dialog:modal')].at(-1) ?? home.current)?.append(element);
      element.showPopover();
    };
    place();
    addEventListener(MODALS, place);
    return () => removeEventListener(MODALS, place);
  }, []);
  useOutOfTheWay(box, list);
  return (
    <div ref={home} className={css.home}>
      <div ref={box} popover="manual" className={css.toasts} role="status" aria-atomic="false">
        {list.map((item) => (
          <Toast key={item.id} item={item} />
        ))}
      </div>
    </div>
  );
}

/** Moves the messages out of the way of what has the focus. The code for this is loaded with the first message. */
function useOutOfTheWay(box: RefObject<HTMLElement | null>, list: readonly Shown[]): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    if (list.length === 0) return element.removeAttribute('data-top');
    const left = new AbortController();
    import('./out-of-the-way.ts').then(
      ({ keepClear }) => keepClear(element, left.signal),
      () => undefined,
    );
    return () => left.abort();
  }, [box, list]);
}

function Toast({ item }: { item: Shown }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (item.action) return undefined;
    const stays = item.stays ?? (item.next ? 12_000 : 6_000);
    const timer = setInterval(
      () => {
        if (!box.current?.matches(':hover, :focus-within')) dismiss(item.id);
      },
      Math.max(1000, stays),
    );
    return () => clearInterval(timer);
  }, [item]);
  useEffect(() => {
    if (item.takesFocus && document.activeElement === document.body) box.current?.focus();
  }, [item]);
  if (item.unseen) return <p className="sr">{item.text}</p>;
  return (
    <div ref={box} className={css.toast} tabIndex={item.takesFocus ? -1 : undefined}>
      <Icon name={item.tone === 'warn' ? 'warn' : 'check'} />
      <span>{item.text}</span>
      {item.action ? (
        <Act
          {...item.action}
          run={() => {
            dismiss(item.id);
            forget(item.action);
            item.action?.run();
          }}
        />
      ) : null}
      {item.next ? (
        <Button
          size="sm"
          onClick={() => {
            dismiss(item.id);
            item.next?.run();
          }}
        >
          {item.next.label}
        </Button>
      ) : null}
      <Button size="sm" icon aria-label="Dismiss" onClick={() => dismiss(item.id)}>
        <Icon name="x" />
      </Button>
    </div>
  );
}

function Act({ label, run, whyNot }: Action) {
  const id = useId();
  const { data: why = null } = useQuery({
    queryKey: whyNot?.key ?? [],
    queryFn: ({ signal }) => whyNot?.ask(signal) ?? null,
    enabled: whyNot !== undefined,
    staleTime: 0,
  });
  return (
    <>
      {why === null ? null : (
        <span id={id} className="small">
          {why}
        </span>
      )}
      <Button size="sm" unavailable={why !== null} aria-describedby={why === null ? undefined : id} onClick={run}>
        <Icon name="undo" />
        {label}
      </Button>
    </>
  );
}
