// This file is over 250 lines because the pointer and the keys hold the same thing in the same way.
import { DAY_END, DAY_START, SLOT_MINUTES, clockTime, type Interval } from '@clinic/domain';
import css from './gestures.module.css';
import { say } from '../../../shared/ui/toast.tsx';
import type { CalendarAppointment } from '../appointments.ts';
import type { Bar } from '../bars.ts';
import { make, placed } from '../components/elements.ts';
import { arrowOf } from './arrow.ts';
import { movable, type Ground } from './blocks.ts';
import { Finger } from './finger.ts';
import { Moving, type Held, type Shift, type Spot, type Verdict } from './moving.ts';
import { Overlay } from './overlay.ts';

/** What was let go where it may be. */
export interface Dropped {
  readonly spot: Spot;
  readonly ground: Ground;
  /** What is moved; null for a new session. */
  readonly session: CalendarAppointment | null;
}

/** What the grid tells about itself, newest each time that it is asked. */
export interface Grid {
  readonly grounds: readonly (Ground | null)[];
  readonly indexOf: (id: string) => number;
  readonly barOf: (id: string) => Bar | undefined;
  /** Resolves once it is settled what becomes of it; until then it stays where it was dropped. */
  readonly onDrop: (dropped: Dropped) => Promise<void>;
}

/** A drag begins after this many px, so that a click never moves anything. */
const THRESHOLD = 4;
/** How far from its end, in px, a bar is pulled instead of moved. */
const EDGE = 12;
const HOUR = 60;

interface Now {
  readonly moving: Moving;
  readonly by: 'pointer' | 'finger' | 'keys';
  readonly bar: HTMLElement | null;
  spot: Spot;
  /** After `m`, plain arrows move it. */
  readonly plain: boolean;
}

/** Draws, moves and pulls sessions on the grid, with the pointer or with keys. Nothing is changed before it is let go. */
export class Hands {
  readonly #box: HTMLElement;
  readonly #grid: () => Grid;
  readonly #overlay: Overlay;
  #now: Now | null = null;
  #pressed: { readonly x: number; readonly y: number; readonly begin: () => void } | null = null;
  #pointer = { x: 0, y: 0 };
  readonly #finger = new Finger();
  readonly #free = make('button', css.free);

  constructor(box: HTMLElement, grid: () => Grid) {
    this.#box = box;
    this.#grid = grid;
    this.#overlay = new Overlay(box, (id) => grid().indexOf(id));
    this.#free.setAttribute('type', 'button');
    this.#free.setAttribute('data-bar', '');
    this.#free.tabIndex = -1;
  }

  /** Listens until the function that it returns is called. */
  attach(): () => void {
    const attached = new AbortController();
    const { signal } = attached;
    const on = { signal };
    this.#box.setAttribute('data-hands', '');
    this.#finger.listen(this.#box, () => this.#now !== null, signal);
    this.#box.addEventListener('pointerdown', (event) => this.#press(event), on);
    this.#box.addEventListener('pointermove', (event) => this.#hover(event), on);
    window.addEventListener('pointermove', (event) => this.#drag(event), on);
    window.addEventListener('pointerup', () => this.#release(), on);
    window.addEventListener('pointercancel', () => this.#cancel(), on);
    this.#box.addEventListener('keydown', (event) => this.#key(event), { signal, capture: true });
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || !this.#now || this.#now.by === 'keys') return;
        event.preventDefault();
        event.stopPropagation();
        this.#cancel();
      },
      { signal, capture: true },
    );
    // Once the focus is elsewhere in the grid, the free time is no place to stop any more.
    this.#box.addEventListener('focusin', ({ target }) => target !== this.#free && this.#free.remove(), on);
    this.#box.addEventListener(
      'focusout',
      () => {
        if (this.#now?.by === 'keys') this.#cancel();
      },
      on,
    );
    this.#box.addEventListener(
      'scroll',
      () => {
        if (!this.#now) return;
        this.#overlay.scrolled(this.#now.moving);
        this.#to(this.#now.by === 'keys' ? this.#now.spot : this.#under(this.#pointer, this.#now));
      },
      on,
    );
    return () => {
      this.#cancel();
      this.#free.remove();
      attached.abort();
    };
  }

  /** The bar around an element, the session that can be moved, and its row. */
  #barAt(target: EventTarget | null) {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-bar]') : null;
    const bar = element ? this.#grid().barOf(element.dataset['bar'] ?? '') : undefined;
    const session = bar ? movable(bar) : null;
    const row = this.#rowOf(element);
    return element && bar && session && row >= 0 ? { element, session, row } : null;
  }

  #rowOf(element: Element | null): number {
    return this.#grid().indexOf(element?.closest('[data-row]')?.getAttribute('data-row') ?? '');
  }

  #edgeAt(element: HTMLElement, x: number): Held['kind'] {
    const { left, right, width } = element.getBoundingClientRect();
    if (width < 3 * EDGE) return 'move';
    return x > right - EDGE ? 'end' : x < left + EDGE ? 'start' : 'move';
  }

  /** Shows at which end the pointer would pull. */
  #hover(event: PointerEvent): void {
    if (this.#now || event.pointerType === 'touch') return;
    const found = this.#barAt(event.target);
    const edge = found ? this.#edgeAt(found.element, event.clientX) : 'move';
    for (const old of this.#box.querySelectorAll<HTMLElement>('[data-edge]'))
      if (old !== found?.element) delete old.dataset['edge'];
    if (found && edge !== 'move') found.element.dataset['edge'] = edge;
    else if (found) delete found.element.dataset['edge'];
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0 || !(event.target instanceof Element)) return;
    this.#cancel();
    const by = event.pointerType === 'touch' ? 'finger' : 'pointer';
    const { clientX: x, clientY: y } = event;
    const found = this.#barAt(event.target);
    if (found) {
      const { element, session, row } = found;
      const held: Held = {
        kind: this.#edgeAt(element, x),
        session,
        from: { row, start: session.start, end: session.end },
      };
      this.#pressed = { x, y, begin: () => this.#begin(held, element, by) };
      if (by === 'finger') this.#finger.press(x, y, this.#pressed.begin);
      return;
    }
    const row = this.#rowOf(event.target);
    if (event.target.closest('[data-bar],[data-name],[role="rowheader"]') || row < 0) return;
    this.#pressed = {
      x,
      y,
      begin: () => {
        this.#overlay.measure();
        const start = Math.floor(this.#overlay.minuteAt(x) / SLOT_MINUTES) * SLOT_MINUTES;
        if (start < DAY_START || start >= DAY_END) return;
        this.#begin({ kind: 'draw', session: null, from: { row, start, end: start + SLOT_MINUTES } }, null, by);
      },
    };
    if (by === 'finger') this.#finger.press(x, y, this.#pressed.begin);
  }

  #begin(held: Held, bar: HTMLElement | null, by: Now['by'], plain = false): void {
    const { grounds } = this.#grid();
    if (!grounds[held.from.row]) return;
    const moving = new Moving(held, grounds);
    this.#now = { moving, by, bar, spot: held.from, plain };
    this.#overlay.open(moving, bar);
    bar?.setAttribute('data-lifted', '');
    this.#to(held.from);
  }

  #drag(event: PointerEvent): void {
    this.#pointer = { x: event.clientX, y: event.clientY };
    const pressed = this.#pressed;
    if (!pressed) return;
    if (!this.#now && event.pointerType === 'touch') {
      // It scrolls.
      if (this.#finger.slipped(event.clientX, event.clientY)) this.#cancel();
      return;
    }
    if (!this.#now) {
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < THRESHOLD) return;
      getSelection()?.removeAllRanges();
      pressed.begin();
    }
    if (this.#now) this.#to(this.#under(this.#pointer, this.#now));
    else this.#pressed = null;
  }

  /** The place that the pointer means. */
  #under({ x, y }: { x: number; y: number }, { moving, spot }: Now): Spot {
    const { kind, from } = moving.held;
    if (kind === 'draw') return moving.drawnTo(Math.round(this.#overlay.minuteAt(x) / SLOT_MINUTES) * SLOT_MINUTES);
    const row = this.#overlay.rowAt(y) ?? spot.row;
    const part = kind === 'move' ? 'whole' : kind;
    return moving.shifted(from, {
      minutes: this.#overlay.minutesIn(x - (this.#pressed?.x ?? x)),
      rows: row - from.row,
      part,
    });
  }

  #to(spot: Spot): Verdict | null {
    const now = this.#now;
    if (!now) return null;
    now.spot = spot;
    const verdict = now.moving.at(spot);
    this.#overlay.show(now.moving, spot, verdict);
    return verdict;
  }

  #release(): void {
    this.#pressed = null;
    this.#finger.leave();
    if (!this.#now || this.#now.by === 'keys') return;
    // The browser reports a click at the end of a drag, which is none.
    const swallow = (event: Event): void => event.stopPropagation();
    this.#box.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => this.#box.removeEventListener('click', swallow, { capture: true }), 0);
    this.#drop();
  }

  #cancel(): void {
    this.#pressed = null;
    this.#finger.leave();
    if (!this.#now) return;
    const { bar, by } = this.#now;
    this.#end();
    if (by === 'keys' && bar) say('Put back.');
  }

  #end(): void {
    this.#overlay.close();
    this.#now?.bar?.removeAttribute('data-lifted');
    this.#now = null;
  }

  #drop(): void {
    const now = this.#now;
    if (!now) return;
    const { moving, bar, by } = now;
    const { kind, from, session } = moving.held;
    const { spot, why } = moving.at(now.spot);
    const ground = this.#grid().grounds[spot.row];
    // A finger that only rested has drawn nothing.
    const stays =
      (kind !== 'draw' || by === 'finger') &&
      spot.row === from.row &&
      spot.start === from.start &&
      spot.end === from.end;
    const isRefused = why !== null && (kind === 'move' || (kind === 'draw' && moving.at(from).why !== null));
    if (!ground || stays || isRefused) {
      if (why !== null) say(`${why}. Nothing was changed.`);
      return this.#end();
    }
    // It stays where it was dropped until the server has said what becomes of it.
    this.#now = null;
    void this.#grid()
      .onDrop({ spot, ground, session })
      .finally(() => {
        bar?.removeAttribute('data-lifted');
        if (!this.#now) this.#overlay.close();
      });
  }

  #key(event: KeyboardEvent): void {
    const step = arrowOf(event);
    const now = this.#now;
    if (now?.by === 'keys' ? this.#keyWhileHeld(event, step, now) : this.#keyAtRest(event, step)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  #keyWhileHeld(event: KeyboardEvent, step: Shift | null, now: Now): boolean {
    const { moving, spot, bar, plain } = now;
    const { kind } = moving.held;
    if (event.key === 'Escape') this.#cancel();
    else if (event.key === 'Enter') this.#drop();
    else if (event.key === 'n' && kind === 'move') this.#tell(this.#to(moving.next(spot)), moving);
    else if (step && (event.altKey || plain || kind === 'draw')) {
      const part = kind === 'draw' && !event.ctrlKey ? 'end' : step.part;
      // Whoever pulls an end and then moves all of it begins from where it is.
      if (kind !== 'draw' && kind !== 'move' && part === 'whole' && bar)
        this.#begin({ ...moving.held, kind: 'move' }, bar, 'keys', plain);
      const held = this.#now?.moving ?? moving;
      this.#tell(this.#to(held.shifted(spot, { ...step, part })), held);
    } else return false;
    return true;
  }

  #keyAtRest(event: KeyboardEvent, step: Shift | null): boolean {
    const lifts = step !== null && event.altKey;
    const found = this.#barAt(event.target);
    if (found && (lifts || event.key === 'm') && !event.metaKey) {
      const { element, session, row } = found;
      const kind = !lifts || step.part === 'whole' ? 'move' : step.part;
      this.#begin({ kind, session, from: { row, start: session.start, end: session.end } }, element, 'keys', !lifts);
      if (!this.#now) return false;
      if (lifts) this.#tell(this.#to(this.#now.moving.shifted(this.#now.spot, step)), this.#now.moving);
      else say('Lifted. Arrows move it, Enter drops it, Escape puts it back.');
      return true;
    }
    // Alt and Left would leave the page.
    if (lifts && event.target instanceof Element && event.target.closest('[data-bar]')) return true;
    if (event.target === this.#free && event.key === 'Enter') return this.#drawHere();
    if (!step || event.altKey || event.ctrlKey || event.shiftKey || step.minutes === 0) return false;
    return this.#alongFree(event.target, Math.sign(step.minutes));
  }

  #tell(verdict: Verdict | null, moving: Moving): void {
    if (!verdict) return;
    say(verdict.why === null ? verdict.words : `${verdict.why}. ${moving.instead(verdict.spot)}`);
  }

  /** Draws an hour, or what is free of it, from the free half hour that has the focus. */
  #drawHere(): boolean {
    const row = this.#rowOf(this.#free);
    const start = Number(this.#free.dataset['start']);
    this.#begin({ kind: 'draw', session: null, from: { row, start, end: start + SLOT_MINUTES } }, null, 'keys');
    const { moving } = this.#now ?? {};
    if (moving) this.#tell(this.#to({ row, start, end: Math.min(DAY_END, start + HOUR) }), moving);
    return moving !== undefined;
  }

  /** Moves the focus to the next bar or free half hour of the row. */
  #alongFree(target: EventTarget | null, step: number): boolean {
    if (!(target instanceof Element)) return false;
    const row = target.closest('[data-row]');
    const index = this.#rowOf(target);
    const track = row?.querySelector('[role="gridcell"]');
    const { grounds, barOf } = this.#grid();
    const ground = grounds[index];
    // What has no therapist yet is no person's row, so none of it is anybody's free time.
    if (!row || !track || !ground || ground.therapist === null) return false;
    const bars = [...row.querySelectorAll<HTMLElement>('[data-bar]')].flatMap((element) => {
      const start = barOf(element.dataset['bar'] ?? '')?.window.start;
      return start === undefined ? [] : [{ start, focus: () => element.focus() }];
    });
    const probe = new Moving(
      { kind: 'draw', session: null, from: { row: index, start: DAY_START, end: DAY_START + 30 } },
      grounds,
    );
    const free = probe
      .fits(index)
      .flatMap((fit) => halfHours(fit).map((start) => ({ start, focus: () => this.#stopAt(track, start, ground) })));
    const own =
      target === this.#free
        ? Number(this.#free.dataset['start'])
        : barOf(target.getAttribute('data-bar') ?? '')?.window.start;
    const from = own ?? DAY_START - 1;
    // From the name, the first bar comes first.
    if (own === undefined && (step < 0 || bars.length > 0)) return false;
    const next = [...bars, ...free]
      .filter(({ start }) => (start - from) * step > 0)
      .sort((a, b) => (a.start - b.start) * step)[0];
    if (next) next.focus();
    else if (step < 0) row.querySelector<HTMLElement>('[data-name]')?.focus();
    return next !== undefined || step < 0;
  }

  #stopAt(track: Element, start: number, ground: Ground): void {
    const from = (start - DAY_START) / SLOT_MINUTES;
    this.#free.style.cssText = placed({ from, to: from + 2 });
    this.#free.dataset['start'] = String(start);
    this.#free.setAttribute('aria-label', `Free ${clockTime(start)} - ${clockTime(start + 30)}, ${ground.words}`);
    track.append(this.#free);
    this.#free.focus();
  }
}

const halfHours = ({ start, end }: Interval): number[] => {
  const first = Math.ceil(start / 30) * 30;
  return Array.from({ length: Math.max(0, Math.floor((end - first) / 30)) }, (_, i) => first + i * 30);
};
