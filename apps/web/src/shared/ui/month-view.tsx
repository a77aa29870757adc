import { DayPicker } from 'react-day-picker';
import { longDate, type IsoDate } from '@clinic/domain';
import css from './month-view.module.css';
import { Button } from './button.tsx';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';

const toLocal = (date: IsoDate): Date =>
  new Date(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10)));
const toIso = (date: Date): IsoDate =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}` as IsoDate;

/** The days of one month. The arrow keys move by day and week, Page Up and Page Down by month. */
export function MonthView({
  value,
  today,
  onChoose,
}: {
  value: IsoDate;
  today: IsoDate;
  onChoose: (date: IsoDate) => void;
}) {
  return (
    <div className={css.root}>
      <DayPicker
        mode="single"
        required
        autoFocus
        showOutsideDays
        selected={toLocal(value)}
        defaultMonth={toLocal(value)}
        today={toLocal(today)}
        onSelect={(date) => onChoose(toIso(date))}
        labels={{
          labelDayButton: (day) => longDate(toIso(day)),
        }}
        components={{
          Chevron: ({ orientation }) => <Icon name={orientation === 'left' ? 'left' : 'right'} />,
        }}
        classNames={{
          months: css.months ?? '',
          nav: css.nav ?? '',
          month_caption: css.caption ?? '',
          month_grid: css.grid ?? '',
          weekday: css.weekday ?? '',
          day: css.day ?? '',
          outside: css.outside ?? '',
          today: css.today ?? '',
          selected: css.selected ?? '',
        }}
      />
      <div className={cx(css.foot)}>
        <Button size="sm" onClick={() => onChoose(today)}>
          Today
        </Button>
      </div>
    </div>
  );
}
