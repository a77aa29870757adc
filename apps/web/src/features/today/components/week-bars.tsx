import { Fragment } from 'react';
import { Link } from '../../../shared/router/link.tsx';
import { longDate, parseDate, weekdayName, dayOfWeek, type Location } from '@clinic/domain';
import type { TodayReply } from '@clinic/contract';
import { hours, keptHours, weekFigures } from '../model.ts';
import css from './side.module.css';

/** The week's hours of care: kept, lost and open. Each day links to the calendar. */
export function WeekBars({ week, location }: { week: TodayReply['week']; location: Location }) {
  const figures = weekFigures(week);
  const missing = [
    figures.lost > 0 ? `${hours(figures.lost)} h lost` : '',
    figures.open > 0 ? `${hours(figures.open)} h open` : '',
  ].filter(Boolean);
  return (
    <>
      <p className={css.total}>
        <span>{keptHours(figures)} h</span> <span className="muted">{`kept of ${hours(figures.booked)} h`}</span>
        {missing.map((words) => (
          <Fragment key={words}>
            <span className="muted">, </span>
            <b className="alarm">{words}</b>
          </Fragment>
        ))}
      </p>
      <ul className={css.week} style={{ '--days': figures.days.length }}>
        {figures.days.map((day) => {
          const date = parseDate(day.date);
          if (!date) return null;
          return (
            <li key={day.date}>
              <Link to="/calendar" search={{ date, location }}>
                <span className={css.stack}>
                  {day.missingShare > 0 ? <i className={css.missing} style={{ '--share': day.missingShare }} /> : null}
                  <i className={css.kept} style={{ '--share': day.keptShare }} />
                </span>
                <b>
                  {weekdayName(dayOfWeek(date)).slice(0, 3)}
                  <span className="sr">, {longDate(date)}:</span>
                </b>
                <span>
                  {hours(day.kept)} h<span className="sr"> kept</span>
                </span>
                {day.lost > 0 ? <span className="alarm">{hours(day.lost)} lost</span> : null}
                {day.open > 0 ? <span className="alarm">{hours(day.open)} open</span> : null}
              </Link>
            </li>
          );
        })}
      </ul>
    </>
  );
}
