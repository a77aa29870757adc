import { useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import css from './toast.module.css';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

export interface ToastSpec {
  text: ReactNode;
  tone?: 'done' | 'warn' | undefined;
  /** A button that undoes what was done, or leads to it. */
  action?: { label: string; run: () => void } | undefined;
  /** A second button, which leads to the next task. */
  next?: { label: string; run: () => void } | undefined;
  /**
   * How long it stays, in milliseconds: 6,000, or 12,000 with a button. The time stops while the pointer or the focus
   * is on it.
   */
  stays?: number | undefined;
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

/** Shows a message about what was done; at most three at a time. Returns a function that removes it. */
export function toast(spec: ToastSpec): () => void {
  const id = next++;
  set([...shown.slice(-2), { ...spec, id }]);
  return () => dismiss(id);
}
const dismiss = (id: number): void => set(shown.filter((t) => t.id !== id));

/** Removes all messages, since one person's Undo buttons are not for the next person. */
export const dismissToasts = (): void => set([]);

/** Where messages appear; used once, in the shell. */
export function Toasts() {
  const list = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  const ref = useRef<HTMLDivElement>(null);
  // Shows the popover of messages again when a modal opens, so that it lies above the modal.
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    if (box.matches(':popover-open')) box.hidePopover();
    if (list.length > 0) box.showPopover();
  }, [list]);
  return (
    <div ref={ref} popover="manual" className={css.toasts} role="status">
      {list.map((item) => (
        <Toast key={item.id} item={item} />
      ))}
    </div>
  );
}

function Toast({ item }: { item: Shown }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const stays = item.stays ?? (item.action || item.next ? 12_000 : 6_000);
    const timer = setInterval(
      () => {
        if (!box.current?.matches(':hover, :focus-within')) dismiss(item.id);
      },
      Math.max(1000, stays),
    );
    return () => clearInterval(timer);
  }, [item]);
  return (
    <div ref={box} className={css.toast}>
      <Icon name={item.tone === 'warn' ? 'warn' : 'check'} />
      <span>{item.text}</span>
      {item.action ? (
        <Button
          size="sm"
          onClick={() => {
            dismiss(item.id);
            item.action?.run();
          }}
        >
          <Icon name="undo" />
          {item.action.label}
        </Button>
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
