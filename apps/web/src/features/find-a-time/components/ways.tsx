import type { ReactNode } from 'react';
import type { TimesWay } from '@clinic/contract';
import { isoDate, shortDate, weekdayName } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { DataTable, type Column } from '../../../shared/ui/data-table.tsx';
import { Chip } from '../../../shared/ui/states.tsx';
import { daysWords, hoursWords, missedWords, weekWords, WEEK, whoWords, type WishForm } from '../model.ts';
import css from '../find-a-time.module.css';

/** The ways, best first; one is chosen. */
export function Ways({
  ways,
  chosen,
  onChoose,
}: {
  ways: readonly TimesWay[];
  chosen: number;
  onChoose: (at: number) => void;
}) {
  return (
    <DataTable
      caption="Ways, best first"
      rows={ways}
      keyOf={(_, i) => i}
      tr={(_, i) => ({ className: i === chosen ? css.chosen : undefined })}
      columns={[
        { head: 'Rank', unseen: true, td: () => ({ 'data-label': 'Option' }), cell: (_, i) => i + 1 },
        labelled('Days', (way) => (
          <>
            <b>{daysWords(way)}</b>
            <span className="small muted">{hoursWords(way)}</span>
          </>
        )),
        labelled('With', (way) => (
          <>
            {way.people.map(({ therapist }) => therapist).join(', ')}
            <span className="small muted">{whoWords(way)}</span>
          </>
        )),
        labelled('Why here', (way) => (
          <>
            {way.why}
            <span className="small muted">{missedWords(way)}</span>
          </>
        )),
        labelled('Their week', weekWords),
        labelled('First', ({ first }) => (first === null ? '' : shortDate(isoDate(first)))),
        {
          head: 'Chosen',
          unseen: true,
          cell: (_, i) =>
            i === chosen ? (
              <Chip tone="ok">Chosen</Chip>
            ) : (
              <Button variant="link" onClick={() => onChoose(i)}>
                Show<span className="sr"> option {i + 1}</span>
              </Button>
            ),
        },
      ]}
    />
  );
}

/** A column whose head stands in each cell on a phone. */
const labelled = (head: string, cell: (way: TimesWay) => ReactNode): Column<TimesWay> => ({
  head,
  td: () => ({ 'data-label': head }),
  cell,
});

const FIRST = 7 * 60;
const LENGTH = 12 * 60;
const part = (minutes: number): string => `${(100 * minutes) / LENGTH}%`;
const minutesOf = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
};
const place = (start: string, end: string) => ({
  left: part(minutesOf(start) - FIRST),
  width: part(minutesOf(end) - minutesOf(start)),
});

/** The chosen way in the week, over the times when the family can come. */
export function WayWeek({ way, form }: { way: TimesWay; form: WishForm }) {
  const days = WEEK.filter(
    (weekday) =>
      way.days.some((day) => day.weekday === weekday) || form.windows.some((w) => w.on && w.weekday === weekday),
  );
  return (
    <div className={css.week} aria-hidden="true">
      <div className={css.hours}>
        <span />
        <span>
          {[7, 9, 11, 13, 15, 17].map((hour) => (
            <i key={hour} style={{ left: part(hour * 60 - FIRST) }}>
              {((hour + 11) % 12) + 1}:00
            </i>
          ))}
        </span>
      </div>
      {days.map((weekday) => (
        <div key={weekday} className={css.day}>
          <b>{weekdayName(weekday).slice(0, 3)}</b>
          <span>
            {form.windows
              .filter((window) => window.on && window.weekday === weekday)
              .map(({ start, end }) => (
                <i key={start} className={css.avail} style={place(start, end)} />
              ))}
            {way.days
              .filter((day) => day.weekday === weekday)
              .map(({ start, end, therapist }) => (
                <i key={start} className={css.bar} style={place(start, end)}>
                  {therapist}
                </i>
              ))}
          </span>
        </div>
      ))}
    </div>
  );
}
