import type { CSSProperties } from 'react';
import css from './bar.module.css';
import { cx } from '../../../shared/ui/class-names.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import type { Bar } from '../bars.ts';
import type { ColumnRange } from '../lanes.ts';

// A name of up to this many letters fits every bar that is at least 10.5rem wide.
const FITS = 16;

/**
 * Places a part of a row with CSS variables. Lane 0 leaves `--l` out: even a property that is undefined would cost a
 * call for each element.
 */
export const placed = ({ from, to }: ColumnRange, lane = 0): CSSProperties =>
  lane === 0 ? { '--start': from, '--span': to - from } : { '--start': from, '--span': to - from, '--l': lane };

/**
 * A session or a piece of one. As the bar gets narrower, CSS shows the full name, `J. O'Brien` or the initials; the
 * text in the page is always the full name. A day has up to 1,500 bars, so each has as few elements as possible, and
 * this is a plain function: an extra component for each bar would cost time in each frame.
 */
export function drawBar(bar: Bar) {
  return (
    <button
      key={bar.id}
      type="button"
      tabIndex={-1}
      data-bar={bar.id}
      data-kind={bar.kind}
      data-joins={bar.joins ?? undefined}
      data-short={bar.short}
      data-long={bar.label.length + (bar.more?.length ?? 0) > FITS ? '' : undefined}
      data-initials={bar.initials}
      aria-label={bar.name}
      className={cx(
        css.bar,
        bar.kind !== 'booked' && css[bar.kind],
        bar.appointments.length > 1 && css.group,
        bar.cover && css.cover,
        bar.clash && css.clash,
      )}
      style={placed(bar, bar.lane)}
    >
      {bar.kind === 'open' ? <Icon name="nobody" /> : bar.kind === 'gone' ? <Icon name="slash" /> : null}
      <span className={css.full}>{bar.label}</span>
      {bar.more ? <span className={css.more}> {bar.more}</span> : null}
    </button>
  );
}
