import css from './bar.module.css';
import { cx } from '../../../shared/ui/class-names.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import type { Bar as BarModel } from '../bars.ts';

/**
 * A session, or a piece of one. The name by the bar's width: whole, narrow, `J. O'Brien`, initials; the shortened ones
 * are drawn by the style sheet, so that the text is the name in full at any width.
 */
export function Bar({ bar }: { bar: BarModel }) {
  const group = bar.appointments.length > 1;
  return (
    <button
      type="button"
      tabIndex={-1}
      data-bar={bar.id}
      data-kind={bar.kind}
      data-joins={bar.joins ?? undefined}
      aria-label={bar.name}
      className={cx(css.bar, bar.kind !== 'booked' && css[bar.kind], group && css.group, bar.clash && css.clash)}
      style={{ '--s': bar.from, '--d': bar.to - bar.from, '--l': bar.lane || undefined }}
    >
      <span className={css.in}>
        {bar.kind === 'open' ? <Icon name="nobody" /> : bar.kind === 'gone' ? <Icon name="slash" /> : null}
        <span className={css.full}>{bar.label}</span>
        <span className={css.short} data-short={bar.short} data-initials={bar.initials} />{' '}
        {bar.more ? <span className={css.more}>{bar.more}</span> : null}
      </span>
    </button>
  );
}
