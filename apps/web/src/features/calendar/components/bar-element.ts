import css from './bar.module.css';
import { cx } from '../../../shared/ui/class-names.ts';
import { iconElement } from '../../../shared/ui/icon.tsx';
import { roughWidth } from '../../../shared/text-width.ts';
import { remembered } from '../appointments.ts';
import type { Bar } from '../bars.ts';
import { make, placed, set } from './elements.ts';

const widthOf = remembered(roughWidth);

/** Whether the bar is ringed. A cancellation that is not submitted is struck through instead. */
const isMarked = ({ clash, wrong, kind }: Bar): boolean => kind !== 'gone' && (clash || wrong.length > 0);

/** Describes a bar's place and look. Bars with the same description differ only in their texts. */
const lookOf = (bar: Bar): string =>
  [bar.from, bar.to, bar.lane, bar.kind, bar.joins, bar.appointments.length > 1, bar.cover, isMarked(bar)].join();

// Empty bars to copy, by their look. The limit is far above what one day needs.
const empty = new Map<string, HTMLElement>();
const MOST_EMPTY = 2000;

/**
 * The bar of a session or of a piece of one. CSS shows the full name, `J. O'Brien` or the initials, whichever is the
 * longest that fits; the text in the page is always the full name. A day has up to 1,500 bars, so each has as few elements as
 * possible and is a copy of an empty bar of the same look.
 */
export function barElement(bar: Bar): HTMLElement {
  const look = lookOf(bar);
  let model = empty.get(look);
  if (!model) {
    model = make('button');
    set(model, 'type', 'button');
    model.tabIndex = -1;
    dress(model, bar);
    if (empty.size >= MOST_EMPTY) empty.clear();
    empty.set(look, model);
  }
  const element = document.importNode(model, true);
  write(element, bar);
  return element;
}

/** Updates a bar on the page in place, so that it keeps the focus, the tab stop and its card. */
export function redrawBar(element: HTMLElement, bar: Bar): void {
  dress(element, bar);
  write(element, bar);
}

/** Whether two versions of a bar are drawn the same way. */
export const isSameBar = (a: Bar, b: Bar): boolean =>
  a.name === b.name && a.label === b.label && a.more === b.more && lookOf(a) === lookOf(b);

/** Gives a bar its place and look, without its texts. */
function dress(element: HTMLElement, bar: Bar): void {
  element.className = cx(
    css.bar,
    bar.kind !== 'booked' && css[bar.kind],
    bar.appointments.length > 1 && css.group,
    bar.cover && css.cover,
    isMarked(bar) && css.clash,
  );
  set(element, 'data-kind', bar.kind);
  set(element, 'data-joins', bar.joins);
  const icon = bar.kind === 'open' ? 'nobody' : bar.kind === 'gone' ? 'slash' : null;
  element.replaceChildren(...(icon ? [iconElement(icon)] : []), make('span', css.full, ' '));
}

/** Writes a session's texts into its bar, which already has its place and look. */
function write(element: HTMLElement, bar: Bar): void {
  const [name, short, more] = [bar.label, bar.short, bar.more ?? ''].map(widthOf);
  element.style.cssText = `${placed(bar, bar.lane)};--n:${name};--s:${short};--m:${more}`;
  element.setAttribute('data-bar', bar.id);
  element.setAttribute('data-short', bar.short);
  element.setAttribute('data-initials', bar.initials);
  element.setAttribute('aria-label', bar.name);
  const full = element.lastElementChild;
  if (full) full.textContent = bar.label;
  if (bar.more) element.append(make('span', css.more, ` ${bar.more}`));
}
