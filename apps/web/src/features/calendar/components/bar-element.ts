import css from './bar.module.css';
import { cx } from '../../../shared/ui/class-names.ts';
import { iconElement } from '../../../shared/ui/icon.tsx';
import { roughWidth } from '../../../shared/text-width.ts';
import { remembered } from '../appointments.ts';
import type { Bar } from '../bars.ts';
import { make, placed, set } from './elements.ts';

const widthOf = remembered(roughWidth);

/** A name of at least this width, in em, always has narrower letters. */
const LONG = 9;
const isLong = (bar: Bar): boolean => widthOf(bar.label) > LONG;

/** How wide a bar must be for its text after the name, for the name, and for the short name. */
function needs({ kind, label, short, more }: Bar): string {
  const icon = kind === 'open' || kind === 'gone' ? 1.1 : 0;
  const rem = (ems: number, around: number): string => `${(ems * 0.75 + around).toFixed(2)}rem`;
  const whole = widthOf(label) * 1.04 + widthOf(more ?? '') * 0.95;
  return `;--m:${rem(whole, icon + 1.2)};--f:${rem(widthOf(label) * 0.86, icon + 0.5)};--b:${rem(widthOf(short) * 0.79, 0.4)}`;
}

/** Whether the bar is ringed. A cancellation that is not submitted is struck through instead. */
const isMarked = ({ clash, wrong, kind }: Bar): boolean => kind !== 'gone' && (clash || wrong.length > 0);

/** Describes a bar's place and look. Bars with the same description differ only in their texts. */
const lookOf = (bar: Bar): string =>
  [
    bar.from,
    bar.to,
    bar.lane,
    bar.kind,
    bar.joins,
    isLong(bar),
    bar.appointments.length > 1,
    bar.cover,
    isMarked(bar),
  ].join();

// Empty bars to copy, by their look. The limit is far above what one day needs.
const empty = new Map<string, HTMLElement>();
const MOST_EMPTY = 2000;

/**
 * The bar of a session or of a piece of one. CSS shows the full name, `J. O'Brien` or the initials, whichever is the
 * longest that fits (`needs`); the text in the page is always the full name. A day has up to 1,500 bars, so each has as few elements as
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
  set(element, 'data-long', isLong(bar) ? '' : null);
  const icon = bar.kind === 'open' ? 'nobody' : bar.kind === 'gone' ? 'slash' : null;
  element.replaceChildren(...(icon ? [iconElement(icon)] : []), make('span', css.full, ' '));
}

/** Writes a session's texts into its bar, which already has its place and look. */
function write(element: HTMLElement, bar: Bar): void {
  element.style.cssText = placed(bar, bar.lane) + needs(bar);
  element.setAttribute('data-bar', bar.id);
  element.setAttribute('data-short', bar.short);
  element.setAttribute('data-initials', bar.initials);
  element.setAttribute('aria-label', bar.name);
  const full = element.lastElementChild;
  if (full) full.textContent = bar.label;
  if (bar.more) element.append(make('span', css.more, ` ${bar.more}`));
}
