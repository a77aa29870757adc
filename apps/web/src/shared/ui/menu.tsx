import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import css from './menu.module.css';
import { Icon } from './icon.tsx';
import { placeBelow, type Place } from './place.ts';

export type MenuEntry =
  | { kind?: 'action'; label: string; keys?: string | undefined; current?: boolean; run: () => void }
  /** The heading of the entries that follow. */
  | { kind: 'group'; label: string }
  | { kind: 'choice'; label: string; chosen: boolean; run: () => void }
  | { kind: 'line' };

/** Places a popover below its button, or above it if there is no room, and always inside the window. */
export const placeBeside = (box: HTMLElement, anchor: DOMRect, gap = 6): void =>
  setPlace(box, placeBelow(box.getBoundingClientRect(), anchor, { width: innerWidth, height: innerHeight }, gap));

export function setPlace(box: HTMLElement, { top, left }: Place): void {
  box.style.setProperty('top', `${top}px`);
  box.style.setProperty('left', `${left}px`);
}

/**
 * Places an open popover again whenever its own size, the window's or that of `content` changes. Returns a function that
 * stops this.
 */
export function stayPlaced(box: HTMLElement, place: () => void, content?: Element | null): () => void {
  const again = (): void => {
    if (box.matches(':popover-open')) place();
  };
  const resized = new ResizeObserver(again);
  resized.observe(box);
  if (content) resized.observe(content);
  window.addEventListener('resize', again);
  return () => {
    resized.disconnect();
    window.removeEventListener('resize', again);
  };
}

/** Which entry of a list each key moves to; negative numbers count from the end. */
const MOVES: Readonly<Record<string, (at: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => (at < 0 ? -1 : at - 1),
  Home: () => 0,
  End: () => -1,
};

/** Moves the focus between a menu's entries with the arrow keys, Home, End and first letters. Tab closes the menu. */
function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  const box = event.currentTarget;
  const items = [...box.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const move = MOVES[event.key];
  if (move) {
    event.preventDefault();
    const to = move(items.findIndex((item) => item === document.activeElement));
    items[(to + items.length) % items.length]?.focus();
  } else if (event.key === 'Tab') box.hidePopover();
  else if (event.key.length === 1) {
    const letter = event.key.toLowerCase();
    items.find((item) => item.textContent.trim().toLowerCase().startsWith(letter))?.focus();
  }
}

/** Places a popover beside its button each time it opens. `onToggle` is called whenever the popover opens or closes. */
export function usePlacedPopover(
  box: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
  onToggle: (open: boolean, element: HTMLElement, opener: HTMLElement) => void,
): void {
  useEffect(() => {
    const element = box.current;
    const opener = button.current;
    if (!element || !opener) return;
    const place = (): void => placeBeside(element, opener.getBoundingClientRect());
    const toggled = (event: Event): void => {
      const open = (event as ToggleEvent).newState === 'open';
      if (open) place();
      onToggle(open, element, opener);
    };
    element.addEventListener('toggle', toggled);
    const stop = stayPlaced(element, place);
    return () => {
      element.removeEventListener('toggle', toggled);
      stop();
    };
  }, [box, button, onToggle]);
}

/** Tells the button that its menu is open, and focuses the menu's first entry. */
function menuToggled(open: boolean, element: HTMLElement, opener: HTMLElement): void {
  opener.setAttribute('aria-expanded', String(open));
  if (open) element.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
}

/**
 * A button with a menu. The arrow keys, Home, End and first letters move between its entries. Escape and a click
 * outside close the menu, and the focus returns to the button. The menu is a native popover, so it lies above
 * everything.
 */
export function Menu({
  label,
  className,
  children,
  head,
  entries,
}: {
  /** The button's name, for screen readers. */
  label: string;
  className?: string | undefined;
  children: ReactNode;
  head?: ReactNode;
  entries: readonly MenuEntry[];
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  usePlacedPopover(box, button, menuToggled);

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
      <div ref={box} id={id} popover="auto" role="menu" aria-label={label} className={css.menu} onKeyDown={moveByKey}>
        {head ? (
          <div className={css.head} role="presentation">
            {head}
          </div>
        ) : null}
        {entries.map((entry, index) => (
          <Entry key={index} entry={entry} onRun={() => box.current?.hidePopover()} />
        ))}
      </div>
    </>
  );
}

function Entry({ entry, onRun }: { entry: MenuEntry; onRun: () => void }) {
  if (entry.kind === 'line') return <div className={css.line} role="separator" />;
  if (entry.kind === 'group')
    return (
      <p className={css.group} role="presentation">
        {entry.label}
      </p>
    );
  const isChoice = entry.kind === 'choice';
  return (
    <button
      type="button"
      tabIndex={-1}
      className={css.item}
      role={isChoice ? 'menuitemradio' : 'menuitem'}
      aria-checked={isChoice ? entry.chosen : undefined}
      data-current={(!isChoice && entry.current) || undefined}
      onClick={() => {
        onRun();
        entry.run();
      }}
    >
      {isChoice ? <span className={css.mark}>{entry.chosen ? <Icon name="check" /> : null}</span> : null}
      {entry.label}
      {!isChoice && entry.current ? <span className="sr"> (this page)</span> : null}
      {!isChoice && entry.keys ? <kbd aria-hidden="true">{entry.keys}</kbd> : null}
    </button>
  );
}
