import { useRef, type KeyboardEvent } from 'react';
import { isoDate, shortDate } from '@clinic/domain';
import css from './date-tabs.module.css';

/**
 * A tab for each date in the proposal, with its number of clients. The arrow keys, Home and End move between tabs
 * (SOL-08).
 */
export function DateTabs({
  dates,
  current,
  panel,
  countOf,
  onChange,
}: {
  dates: readonly string[];
  current: number;
  /** The id of the panel below the tabs. */
  panel: string;
  countOf: (date: string) => number;
  onChange: (index: number) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = dates.length - 1;
    const to = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(last, to));
    onChange(index);
    box.current?.querySelectorAll('button')[index]?.focus();
  };
  return (
    <div ref={box} className={css.tabs} role="tablist" aria-label="Dates" onKeyDown={onKeyDown}>
      {dates.map((date, i) => (
        <button
          key={date}
          type="button"
          role="tab"
          id={`${panel}-${date}`}
          aria-selected={i === current}
          aria-controls={panel}
          tabIndex={i === current ? 0 : -1}
          onClick={() => onChange(i)}
        >
          {shortDate(isoDate(date))}{' '}
          <span className={css.count}>
            {countOf(date)} {countOf(date) === 1 ? 'client' : 'clients'}
          </span>
        </button>
      ))}
    </div>
  );
}
