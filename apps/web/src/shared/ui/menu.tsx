import { useEffect, useId, useRef, type ReactNode } from 'react';
import css from './menu.module.css';
import { Icon } from './icon.tsx';

export type MenuEntry =
  | { kind?: 'action'; label: string; keys?: string | undefined; run: () => void }
  | { kind: 'choice'; label: string; chosen: boolean; run: () => void }
  | { kind: 'line' };

/** Where a popover of this size fits beside its button: below or above, inside the window. */
export function placeBeside(box: HTMLElement, anchor: DOMRect, gap = 6): void {
  const { width, height } = box.getBoundingClientRect();
  const below = anchor.bottom + gap;
  const top = below + height <= innerHeight - 8 ? below : Math.max(8, anchor.top - gap - height);
  const left = Math.max(8, Math.min(anchor.left, innerWidth - width - 8));
  box.style.setProperty('top', `${top}px`);
  box.style.setProperty('left', `${left}px`);
}

/** Repositions an open popover when the window is resized. Returns a function that stops this. */
export function stayPlaced(box: HTMLElement, place: () => void): () => void {
  const again = (): void => {
    if (box.matches(':popover-open')) place();
  };
  window.addEventListener('resize', again);
  return () => window.removeEventListener('resize', again);
}

/**
 * A button with a menu: arrows, Home, End and first letters move; Escape and a click elsewhere close it and return the
 * focus to the button. It uses the browser's popover, so it lies above everything.
 */
export function Menu({
  label,
  className,
  children,
  head,
  entries,
}: {
  /** The button's accessible name. */
  label: string;
  className?: string | undefined;
  children: ReactNode;
  head?: ReactNode;
  entries: readonly MenuEntry[];
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);

  const items = (): HTMLElement[] => [...(box.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
  const move = (to: (at: number, count: number) => number): void => {
    const list = items();
    const at = list.indexOf(document.activeElement as HTMLElement);
    list[(to(at, list.length) + list.length) % list.length]?.focus();
  };

  useEffect(() => {
    const element = box.current;
    const opener = button.current;
    if (!element || !opener) return;
    const place = (): void => placeBeside(element, opener.getBoundingClientRect());
    const onToggle = (event: Event): void => {
      const open = (event as ToggleEvent).newState === 'open';
      opener.setAttribute('aria-expanded', String(open));
      if (!open) return;
      place();
      element.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
    };
    element.addEventListener('toggle', onToggle);
    const stop = stayPlaced(element, place);
    return () => {
      element.removeEventListener('toggle', onToggle);
      stop();
    };
  }, []);

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={false}
        aria-controls={id}
        popoverTarget={id}
      >
        {children}
      </button>
      <div
        ref={box}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={css.menu}
        onKeyDown={(event) => {
          const moves: Record<string, (at: number, count: number) => number> = {
            ArrowDown: (at) => at + 1,
            ArrowUp: (at) => (at < 0 ? -1 : at - 1),
            Home: () => 0,
            End: () => -1,
          };
          const to = moves[event.key];
          if (to) {
            event.preventDefault();
            move(to);
          } else if (event.key === 'Tab') box.current?.hidePopover();
          else if (event.key.length === 1) {
            const letter = event.key.toLowerCase();
            items()
              .find((item) => item.textContent.trim().toLowerCase().startsWith(letter))
              ?.focus();
          }
        }}
      >
        {head ? (
          <div className={css.head} role="presentation">
            {head}
          </div>
        ) : null}
        {entries.map((entry, index) =>
          entry.kind === 'line' ? (
            <div key={index} className={css.line} role="separator" />
          ) : (
            <button
              key={index}
              type="button"
              tabIndex={-1}
              className={css.item}
              role={entry.kind === 'choice' ? 'menuitemradio' : 'menuitem'}
              {...(entry.kind === 'choice' ? { 'aria-checked': entry.chosen } : {})}
              onClick={() => {
                box.current?.hidePopover();
                entry.run();
              }}
            >
              {entry.kind === 'choice' ? (
                <span className={css.mark}>{entry.chosen ? <Icon name="check" /> : null}</span>
              ) : null}
              {entry.label}
              {entry.kind !== 'choice' && entry.keys ? <kbd aria-hidden="true">{entry.keys}</kbd> : null}
            </button>
          ),
        )}
      </div>
    </>
  );
}
