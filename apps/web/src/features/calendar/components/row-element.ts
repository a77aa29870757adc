import { SLOTS, timeSlot } from '@clinic/domain';
import grid from './calendar-grid.module.css';
import { cx } from '../../../shared/ui/class-names.ts';
import type { View } from '../bars.ts';
import { briefWindows } from '../labels.ts';
import { drawRow, type DrawnRow } from '../model.ts';
import type { AwayWindow, BaseRow } from '../rows.ts';
import { barElement, isSameBar, redrawBar } from './bar-element.ts';
import { make, placed, set, setChildren } from './elements.ts';

/** The data from which a row is drawn. */
export interface RowInput {
  row: BaseRow;
  view: View;
  /** The row's index in the whole list, from 0. In the grid, the row of hours comes before row 0. */
  index: number;
  /** The selected absences of this row's person. */
  own: readonly AwayWindow[];
  /** The selected and recorded absences that affect the row's sessions; see `touching`. */
  selected: readonly AwayWindow[];
  stored: readonly AwayWindow[];
}

/** A row of the grid, which shows one person's day. An update changes only the elements that differ. */
export class RowElement {
  readonly element: HTMLElement;
  readonly #head: HTMLElement;
  readonly #track: HTMLElement;
  /** What the row shows now. */
  #input: RowInput | null = null;
  #drawn: DrawnRow | null = null;
  #name: Name | null = null;
  #style = '';
  /** The elements drawn below the bars, the bars themselves, and the elements drawn above the bars. */
  #below: HTMLElement[] = [];
  #bars: HTMLElement[] = [];
  #above: HTMLElement[] = [];

  constructor() {
    model ??= emptyRow();
    this.element = document.importNode(model.row);
    this.#head = document.importNode(model.head);
    this.#track = document.importNode(model.track);
    this.element.append(this.#head, this.#track);
  }

  draw(input: RowInput): void {
    const before = this.#input;
    if (before && isSameInput(before, input)) return;
    this.#input = input;
    const drawn =
      before && this.#drawn && areSameBars(before, input)
        ? this.#drawn
        : this.#drawTrack(drawRow(input.row, input.view, input.selected, input.stored));
    this.#drawName(nameOf(input, drawn.needsCover));
    const { row, index } = input;
    if (before?.row.id !== row.id) this.element.setAttribute('data-row', row.id);
    if (before?.index !== index) this.element.setAttribute('aria-rowindex', String(index + 2));
    const look = cx(grid.row, row.open && grid.top, row.stored.length > 0 && grid.away);
    if (this.element.className !== look) this.element.className = look;
    if (row.day) this.element.dataset['day'] = row.day.today ? 'today' : row.day.quiet ? 'quiet' : '';
    const style = drawn.lanes > 1 ? `--n: ${drawn.lanes};` : '';
    if (this.#style !== style) this.element.style.cssText = style;
    this.#style = style;
  }

  #drawTrack(drawn: DrawnRow): DrawnRow {
    const before = this.#drawn;
    const elements = this.#bars;
    this.#drawn = drawn;
    this.#bars = drawn.bars.map((bar) => {
      const at = before?.bars.findIndex((each) => each.id === bar.id) ?? -1;
      const [old, element] = [before?.bars[at], elements[at]];
      if (!old || !element) return barElement(bar);
      if (!isSameBar(old, bar)) redrawBar(element, bar);
      return element;
    });
    if (!before || groundOf(before) !== groundOf(drawn)) {
      this.#below = below(drawn);
      this.#above = above(drawn);
    }
    const parts = [...this.#below, ...this.#bars, ...this.#above];
    if (before) setChildren(this.#track, parts);
    else this.#track.append(...parts);
    return drawn;
  }

  #drawName(name: Name): void {
    const before = this.#name;
    if (before && isSameName(before, name)) return;
    this.#name = name;
    const box = before && before.id === name.id ? this.#head.firstElementChild : nameBox(name);
    if (!box) return;
    this.#head.className = cx(grid.name, name.long && grid.long);
    if (name.id !== null) {
      set(box, 'aria-pressed', name.pressed === null ? null : String(name.pressed));
      set(box, 'title', name.long ? name.text : null);
    }
    const aside = make('span', grid.aside, name.aside ?? '');
    if (name.saysAway) aside.prepend(make('span', 'sr', 'away '));
    box.replaceChildren(make('span', grid.who, name.text), ...(name.aside ? [aside] : []));
    if (box.parentNode !== this.#head) this.#head.replaceChildren(box);
  }
}

/** An empty row, which is made once and then copied. */
let model: ReturnType<typeof emptyRow> | undefined;

function emptyRow(): Record<'row' | 'head' | 'track', HTMLElement> {
  const row = make('div');
  row.setAttribute('role', 'row');
  const head = make('div');
  head.setAttribute('role', 'rowheader');
  head.setAttribute('aria-colindex', '1');
  const track = make('div', grid.track);
  track.setAttribute('role', 'gridcell');
  track.setAttribute('aria-colindex', '2');
  track.setAttribute('aria-colspan', String(SLOTS));
  return { row, head, track };
}

const isSameList = (a: readonly AwayWindow[], b: readonly AwayWindow[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index]);

const areSameBars = (a: RowInput, b: RowInput): boolean =>
  a.row === b.row && a.view === b.view && isSameList(a.selected, b.selected) && isSameList(a.stored, b.stored);

const isSameInput = (a: RowInput, b: RowInput): boolean =>
  a.index === b.index && isSameList(a.own, b.own) && areSameBars(a, b);

/** What a row's name cell shows. */
interface Name {
  /** The id of the row that a click on the name selects; null when the name is not a button. */
  id: string | null;
  text: string;
  /** Null when a click on the name selects nothing. */
  pressed: boolean | null;
  aside: string | null;
  /** Whether a screen reader reads `away` before the note. */
  saysAway: boolean;
  /** Whether the name and the note beside it are too long for one line. */
  long: boolean;
}

const isSameName = (a: Name, b: Name): boolean =>
  a.id === b.id &&
  a.text === b.text &&
  a.pressed === b.pressed &&
  a.aside === b.aside &&
  a.saysAway === b.saysAway &&
  a.long === b.long;

function nameOf({ row, own }: RowInput, needsCover: number): Name {
  const [first] = row.stored;
  const away = briefWindows(row.stored);
  const note =
    own.length > 0
      ? briefWindows(own.filter(({ start, end }) => end > start)) || 'no time yet'
      : away === 'all day'
        ? 'away'
        : away || row.credential;
  if (row.day) return { id: row.id, text: row.name, pressed: null, aside: row.day.note, saysAway: false, long: false };
  const long = row.name.length > 17 || row.name.length * 1.5 + (note?.length ?? 0) > 31;
  if (row.person) {
    const saysAway = own.length === 0 && first !== undefined && note !== 'away';
    return { id: row.id, text: row.name, pressed: own.length > 0, aside: note, saysAway, long };
  }
  const aside = row.open ? (needsCover === 1 ? '1 session' : `${needsCover} sessions`) : 'has left';
  return { id: null, text: row.name, pressed: false, aside, saysAway: false, long };
}

function nameBox({ id }: Name): HTMLElement {
  if (id === null) return make('div');
  const button = make('button');
  button.setAttribute('type', 'button');
  button.tabIndex = -1;
  button.setAttribute('data-name', id);
  return button;
}

/** Describes what is drawn below and above a row's bars, as text that can be compared. */
const groundOf = ({ available, away, traces, bars }: DrawnRow): string =>
  JSON.stringify([available, away, traces, bars.map((bar) => [bar.lane, bar.kind, bar.brackets])]);

/** The times when the person is available or away, and the sessions that a commit took from them. */
function below({ available, away, traces }: DrawnRow): HTMLElement[] {
  return [
    ...available.map((free) =>
      labelled(at(grid.free, placed(free)), `Available ${timeSlot(free.start, free.end)}`, 'data-available'),
    ),
    ...away.map((hatch) => {
      const element = at(grid.hatch, placed(hatch));
      if (hatch.words) element.append(make('span', undefined, hatch.words));
      return element;
    }),
    ...traces.map((trace) => {
      const element = labelled(at(grid.trace, placed(trace)), trace.name, 'data-trace');
      element.textContent = trace.label;
      return element;
    }),
  ];
}

/** The times when a supervisor is present. */
const above = ({ bars }: DrawnRow): HTMLElement[] =>
  bars.flatMap((bar) =>
    bar.brackets.map((visit) => at(cx(grid.sup, bar.kind === 'open' && grid.hollow), placed(visit, bar.lane))),
  );

function at(className: string | undefined, place: string): HTMLElement {
  const element = make('span', className);
  element.style.cssText = place;
  return element;
}

function labelled(element: HTMLElement, label: string, mark: 'data-available' | 'data-trace'): HTMLElement {
  element.setAttribute('role', 'img');
  element.setAttribute('aria-label', label);
  element.setAttribute(mark, '');
  return element;
}
