import type { ReactNode } from 'react';
import type { HoursRow } from '@clinic/contract';
import css from './week.module.css';
import { cx } from '../../../shared/ui/class-names.ts';
import type { View } from '../bars.ts';
import { hoursShort, type Minutes } from '../week.ts';

/** Whose week it is, and how its hours are spent. */
export function WeekHead({
  name,
  about,
  sum,
  faces,
  hours,
  view,
  children,
}: {
  name: string;
  /** What is said below the name; null where the name stands above already. */
  about: string | null;
  sum: Minutes;
  /** How many therapists a child sees in the week. */
  faces: number;
  /** A therapist's limits. */
  hours: HoursRow | undefined;
  view: View;
  /** What can be done for the person. */
  children: ReactNode;
}) {
  return (
    <section className={css.head} aria-label={`${name}, this week`}>
      {about === null ? null : (
        <div>
          <h2>{name}</h2>
          <p className="small muted">{about}</p>
        </div>
      )}
      <p className={css.big}>
        {hoursShort(sum.sessions + sum.admin).replace(/ h$/, '')}
        <small>{hours ? `of ${hoursShort(hours.most)}` : 'h this week'}</small>
      </p>
      <Meter sum={sum} faces={faces} most={hours?.most} guaranteed={hours?.guaranteed ?? null} view={view} />
      <div className={css.acts}>{children}</div>
    </section>
  );
}

/** A week's hours as one bar as long as the most that may be booked; the tick is what is guaranteed. */
function Meter({
  sum,
  faces,
  most,
  guaranteed,
  view,
}: {
  sum: Minutes;
  faces: number;
  most: number | undefined;
  guaranteed: number | null;
  view: View;
}) {
  const free = view === 'therapist' ? sum.free : 0;
  const parts = [
    ['booked', sum.sessions, `sessions${sum.covers > 0 ? `, ${hoursShort(sum.covers)} covers` : ''}`],
    ['admin', sum.admin, 'administrative'],
    ['open', sum.open, 'need cover'],
    ['gone', sum.off, 'cancelled'],
    ['spare', free, 'free'],
  ] as const;
  const all = Math.max(
    1,
    most ?? 0,
    parts.reduce((total, [, minutes]) => total + minutes, 0),
  );
  return (
    <div className={css.meter}>
      <div className={css.bar} aria-hidden="true">
        {parts.map(([kind, minutes]) =>
          minutes > 0 ? <i key={kind} className={css[kind]} style={{ width: `${(100 * minutes) / all}%` }} /> : null,
        )}
        {guaranteed === null ? null : <b style={{ left: `${Math.min(100, (100 * guaranteed) / all)}%` }} />}
      </div>
      <ul>
        {parts.map(([kind, minutes, words]) =>
          minutes > 0 ? (
            <li key={kind} className={kind === 'open' ? 'alarm' : undefined}>
              <span className={cx(css.key, css[kind])} />
              <span>
                <b>{hoursShort(minutes)}</b> {words}
              </span>
            </li>
          ) : null,
        )}
        {view === 'client' && faces > 0 ? (
          <li>
            <b>{faces === 1 ? '1 person' : `${faces} people`}</b> this week
          </li>
        ) : null}
        {guaranteed === null ? null : <li>{hoursShort(guaranteed)} guaranteed</li>}
      </ul>
    </div>
  );
}
