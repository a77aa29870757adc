import { DAY_END, DAY_START, SLOT_MINUTES, type Interval } from '@clinic/domain';
import css from './gestures.module.css';
import { make } from '../components/elements.ts';
import type { Moving, Spot, Verdict } from './moving.ts';

/** Where a row is on the screen, in px. */
export interface RowPlace {
  readonly index: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Draws what is held over the grid, and where it fits. A move of the pointer changes only places of elements that are
 * there already, so nothing is laid out again.
 */
export class Overlay {
  readonly #grid: HTMLElement;
  readonly #indexOf: (id: string) => number;
  readonly #layer = make('div', css.layer);
  readonly #bar = make('div', css.bar);
  readonly #home = make('div', css.home);
  readonly #place = make('div', css.place);
  readonly #note = make('div', css.note);
  readonly #hits = make('div', css.hits);
  #rows: RowPlace[] = [];
  #left = 0;
  #width = 1;
  #height = 24;
  #lane = 0;
  #said = '';

  constructor(grid: HTMLElement, indexOf: (id: string) => number) {
    this.#grid = grid;
    this.#indexOf = indexOf;
    this.#place.append(this.#note);
    for (const part of [this.#layer, this.#place]) part.setAttribute('aria-hidden', 'true');
  }

  /** Shows what is held. `bar` is the bar that is moved; null for a new session. */
  open(moving: Moving, bar: HTMLElement | null): void {
    const { session, from } = moving.held;
    this.#bar.textContent = bar?.querySelector('span')?.textContent ?? '';
    this.#home.textContent = this.#bar.textContent;
    this.#home.hidden = session === null;
    this.#bar.dataset['new'] = session ? 'no' : 'yes';
    this.measure();
    const place = this.#rows.find(({ index }) => index === from.row);
    const rect = bar?.getBoundingClientRect();
    this.#height = rect?.height ?? Math.min(40, (place ? place.bottom - place.top : 28) - 4);
    this.#lane = rect && place ? rect.top - place.top : 2;
    this.#grid.append(this.#layer, this.#place);
    this.#grid.dataset['dragging'] = '';
    this.#fill(moving);
  }

  close(): void {
    this.#layer.remove();
    this.#place.remove();
    delete this.#grid.dataset['dragging'];
    this.#said = '';
  }

  /** Finds where the rows in view are; again after each scroll. */
  measure(): void {
    const view = this.#grid.getBoundingClientRect();
    const inView = (element: Element): DOMRect | null => {
      const rect = element.getBoundingClientRect();
      return rect.bottom > view.top && rect.top < view.bottom ? rect : null;
    };
    this.#rows = [];
    for (const block of this.#grid.querySelectorAll('[data-row]')) {
      const parent = block.parentElement;
      if (parent?.getAttribute('role') === 'rowgroup' && !inView(parent)) continue;
      const rect = inView(block);
      if (rect)
        this.#rows.push({
          index: this.#indexOf(block.getAttribute('data-row') ?? ''),
          top: rect.top,
          bottom: rect.bottom,
        });
    }
    const track = this.#grid.querySelector('[role="gridcell"]')?.getBoundingClientRect();
    this.#left = track?.left ?? 0;
    this.#width = Math.max(1, track?.width ?? 1);
    const clip = this.#layer.style;
    clip.left = `${view.left}px`;
    clip.top = `${view.top}px`;
    clip.width = `${view.width}px`;
    clip.height = `${view.height}px`;
    this.#origin = { x: view.left, y: view.top };
  }
  #origin = { x: 0, y: 0 };

  /** The row at a height of the screen, and the minute at a distance from its left edge. */
  rowAt(y: number): number | null {
    return this.#rows.find(({ top, bottom }) => y >= top && y < bottom)?.index ?? null;
  }
  minuteAt(x: number): number {
    return DAY_START + ((x - this.#left) / this.#width) * (DAY_END - DAY_START);
  }
  /** A distance in px, as quarter hours. */
  minutesIn(px: number): number {
    return Math.round(((px / this.#width) * (DAY_END - DAY_START)) / SLOT_MINUTES) * SLOT_MINUTES;
  }

  #box({ start, end }: Interval): { x: number; width: number } {
    const at = (minute: number) => this.#left + ((minute - DAY_START) / (DAY_END - DAY_START)) * this.#width;
    return { x: at(start), width: at(end) - at(start) };
  }

  readonly #sizes = new WeakMap<HTMLElement, string>();

  #put(element: HTMLElement, spot: Spot, height: number, from: number): boolean {
    const row = this.#rows.find(({ index }) => index === spot.row);
    if (element.hidden !== (row === undefined)) element.hidden = row === undefined;
    if (!row) return false;
    const { x, width } = this.#box(spot);
    // Even the same size, set again, would be laid out again.
    const size = `${width} ${height}`;
    if (this.#sizes.get(element) !== size) {
      this.#sizes.set(element, size);
      element.style.width = `${width}px`;
      element.style.height = `${height}px`;
    }
    element.style.transform = `translate(${x - this.#origin.x}px, ${row.top + from - this.#origin.y}px)`;
    return true;
  }

  /** The lines at the foot of each row where it fits. Once a drag, and after each scroll. */
  #fill(moving: Moving): void {
    const lines = this.#rows.flatMap((row) =>
      moving.held.kind === 'move'
        ? moving.fits(row.index).map((fit) => {
            const line = make('div', css.fit);
            const [high, above] = row.bottom - row.top < 40 ? [3, 1] : [5, 3];
            this.#put(line, { ...fit, row: row.index }, high, row.bottom - row.top - high - above);
            return line;
          })
        : [],
    );
    this.#put(this.#home, moving.held.from, this.#height, this.#lane);
    this.#layer.replaceChildren(...lines, this.#home, this.#bar, this.#hits);
  }

  /** Draws again after the rows have moved under the pointer. */
  scrolled(moving: Moving): void {
    this.measure();
    this.#fill(moving);
  }

  /** Shows it at a place, with what would become of it there. */
  show(moving: Moving, wanted: Spot, verdict: Verdict): void {
    const { kind } = moving.held;
    const refused = verdict.why !== null;
    const shown = kind === 'move' ? wanted : verdict.spot;
    this.#bar.dataset['refused'] = String(refused && kind === 'move');
    const isIn = this.#put(this.#bar, shown, this.#height, this.#lane);
    const hits = kind === 'move' ? verdict.hits : beyond(wanted, verdict.spot);
    while (this.#hits.childElementCount < hits.length) this.#hits.append(make('div', css.hit));
    for (const [i, element] of [...this.#hits.children].entries())
      if (element instanceof HTMLElement) {
        const hit = hits[i];
        if (element.hidden === Boolean(hit)) element.hidden = !hit;
        if (hit) this.#put(element, { ...hit, row: wanted.row }, this.#height, this.#lane);
      }
    this.#tell(moving, wanted, verdict);
    this.#place.hidden = !isIn;
    const row = this.#rows.find(({ index }) => index === wanted.row);
    if (!row) return;
    const { x } = this.#box(shown);
    const y = row.top + this.#lane + this.#height + 6;
    this.#place.style.transform = `translate(${Math.max(8, Math.min(x, innerWidth - 376))}px, ${y > innerHeight - 72 ? row.top - 64 : y}px)`;
  }

  #tell(moving: Moving, wanted: Spot, { why, words, spot }: Verdict): void {
    const kept = moving.held.kind === 'move' ? '' : `Stays at ${words}.`;
    const said = why === null ? words : `${why}|${moving.held.kind === 'move' ? moving.instead(wanted) : kept}`;
    if (said === this.#said && spot) return;
    this.#said = said;
    this.#place.dataset['refused'] = String(why !== null);
    if (why === null) return void (this.#note.textContent = words);
    const [first = '', second = ''] = said.split('|');
    this.#note.replaceChildren(make('span', css.why, first), make('span', undefined, second));
  }
}

/** The parts of a place that it does not get. */
function beyond(wanted: Interval, got: Interval): Interval[] {
  return [
    { start: wanted.start, end: got.start },
    { start: got.end, end: wanted.end },
  ].filter(({ start, end }) => end > start);
}
