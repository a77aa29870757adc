import type { ReactNode } from 'react';
import type { IsoDate, Location } from '@clinic/domain';
import css from './axis.module.css';

const HOURS = ['7', '8', '9', '10', '11', '12', '1', '2', '3', '4', '5', '6'];

/**
 * A titled list. Each row has a strip from 7 AM to 7 PM in the middle, so that people can compare the sessions without
 * a therapist with the free time listed below.
 */
export function Axis({
  title,
  id,
  now,
  children,
}: {
  title: string;
  id: string;
  /** The current time's place on the strip, from 0 to 1; null when the day is not today. */
  now: number | null;
  children: ReactNode;
}) {
  return (
    <div className={css.sized}>
      <div className={css.axis} style={{ '--at': now ?? 0 }} data-now={now !== null || undefined}>
        <h2 id={id}>{title}</h2>
        <div className={css.hours} aria-hidden="true">
          {HOURS.map((hour, i) => (
            <span key={hour}>
              {hour}
              {i === 0 ? <i> AM</i> : i === 5 ? <i> PM</i> : null}
            </span>
          ))}
        </div>
        <span className={css.end} />
        <div role="list" aria-labelledby={id} className={css.list}>
          {children}
        </div>
      </div>
    </div>
  );
}

/** What a list of the day is about. */
export interface AxisDay {
  location: Location;
  date: IsoDate;
  /** The current time's place on the strip; null when the day is not today. */
  now: number | null;
}

/** One row: a name, the strip, and a button or a note. */
export function Lane({ who, strip, end }: { who: ReactNode; strip: ReactNode; end: ReactNode }) {
  return (
    <div className={css.lane} role="listitem">
      <div className={css.who}>{who}</div>
      <div className={css.strip}>{strip}</div>
      <div className={css.end}>{end}</div>
    </div>
  );
}
