import { weekdayName } from '@clinic/domain';
import { weekInWords, weekPicture } from '../week.ts';
import css from './week.module.css';

type Windows = Parameters<typeof weekPicture>[0];

/** A week on a card's last line: seven days, each a strip from 7 AM to 7 PM, green where the therapist is available. */
export function WeekStrip({ windows }: { windows: Windows }) {
  return (
    <span className={css.strip} aria-hidden="true">
      {weekPicture(windows).map((day, i) => (
        <i key={i}>
          {day.map((w) => (
            <b key={w.slots} style={{ '--start': w.slots, '--span': w.length }} />
          ))}
        </i>
      ))}
    </span>
  );
}

/** A week drawn large enough to read the hours. Screen readers read `WeekWords` instead. */
export function WeekPicture({ windows }: { windows: Windows }) {
  return (
    <div className={css.week} aria-hidden="true">
      <span />
      {[0, 1, 2, 3, 4, 5, 6].map((day) => (
        <span key={day} className={css.dayName}>
          {weekdayName(day).slice(0, 3)}
        </span>
      ))}
      <span className={css.axis}>
        <span style={{ '--start': 4 }}>8 AM</span>
        <span style={{ '--start': 20 }}>12</span>
        <span style={{ '--start': 36 }}>4 PM</span>
      </span>
      {weekPicture(windows).map((day, i) => (
        <span key={i} className={css.column}>
          {day.map((w) => (
            <b key={w.slots} style={{ '--start': w.slots, '--span': w.length }}>
              {w.words}
            </b>
          ))}
        </span>
      ))}
    </div>
  );
}

export function WeekWords({ windows }: { windows: Windows }) {
  const lines = weekInWords(windows);
  if (lines.length === 0) return <p className="muted">No weekly availability.</p>;
  return (
    <dl className={css.words}>
      {lines.map(({ day, words }) => (
        <div key={day}>
          <dt>{weekdayName(day)}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  );
}
