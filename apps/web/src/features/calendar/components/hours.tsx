import { memo } from 'react';
import type { SlotsReply } from '@clinic/contract';
import { DAY_END, DAY_START, SLOTS, clockTime, parseTime, slotLabel } from '@clinic/domain';
import grid from './calendar-grid.module.css';
import { cx } from '../../../shared/ui/class-names.ts';

/**
 * The 48 column heads, `7:00 AM` to `6:45 PM` (CAL-05). Only the full hours are visible; a screen reader reads every
 * quarter hour.
 */
export const Hours = memo(function Hours({
  now,
  corner = 'Click a name to mark absent',
  closed = [],
}: {
  now: number | null;
  corner?: string | undefined;
  closed?: SlotsReply['closed'];
}) {
  return (
    <div role="row" aria-rowindex={1} className={grid.hours}>
      <div role="columnheader" aria-colindex={1} className={grid.corner}>
        <span data-writes>{corner}</span>
      </div>
      <div className={grid.ticks} role="presentation">
        {Array.from({ length: SLOTS }, (_, slot) => {
          const label = slotLabel(slot);
          const [time, half] = label.split(' ');
          return (
            <span
              key={slot}
              role="columnheader"
              aria-colindex={slot + 2}
              className={cx(grid.tick, slot % 4 > 0 && grid.quarter)}
            >
              {slot % 4 === 0 ? (
                <span className={grid.hour}>
                  {time}
                  <i> {half}</i>
                </span>
              ) : (
                label
              )}
            </span>
          );
        })}
        {closed.map(({ start, end, name }) => (
          <span
            key={`${start} ${name}`}
            aria-hidden="true"
            className={grid.closed}
            style={{ left: part(start), right: `calc(100% - ${part(end)})` }}
          >
            Closed: {name}
          </span>
        ))}
        {now === null ? null : (
          <span className={grid.nowTag} aria-hidden="true">
            {clockTime(now).replace(/ [AP]M$/, '')}
          </span>
        )}
      </div>
    </div>
  );
});

/** How far along the day a time lies, within the grid. */
const part = (time: string): string =>
  `${(100 * (Math.min(DAY_END, Math.max(DAY_START, parseTime(time) ?? 0)) - DAY_START)) / (DAY_END - DAY_START)}%`;
