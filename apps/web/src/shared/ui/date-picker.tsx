import { useEffect, useId, useRef, useState } from 'react';
import { addDays, longDate, shortDate, type IsoDate } from '@clinic/domain';
import css from './date-picker.module.css';
import { Button } from './button.tsx';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';
import { usePlacedPopover } from './menu.tsx';
import { lazyPart } from './lazy-part.tsx';
import { say } from './toast.tsx';

// The month view is loaded when it is first opened, since its code would be a seventh of the page's size limit.
const MonthView = lazyPart(
  () => import('./month-view.tsx').then((m) => m.MonthView),
  <div className={css.wait} role="status" aria-label="Loading" />,
);

/** A placeholder of the date picker's size, shown until the date is known, so that nothing moves later. */
export const DateWait = () => (
  <div className={cx(css.group, css.waiting)} role="status" aria-label="Loading the date" />
);

/**
 * A button for the previous day, the date (which opens a month to choose from), and a button for the next day
 * (CAL-03).
 */
export function DatePicker({
  value,
  today,
  week,
  onChange,
}: {
  value: IsoDate;
  /** The date's week in words, when a week is chosen. */
  week?: string;
  /** Today's date, which is marked in the month and chosen by the *Today* button. */
  today: IsoDate;
  onChange: (date: IsoDate) => void;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  usePlacedPopover(box, button, setOpen);
  const [unit, step] = week === undefined ? ['day', 1] : ['week', 7];
  const words = week ?? longDate(value);
  const said = useRef(value);
  useEffect(() => {
    if (said.current !== value) say(words);
    said.current = value;
  }, [value, words]);

  const choose = (date: IsoDate): void => {
    box.current?.hidePopover();
    button.current?.focus();
    onChange(date);
  };

  return (
    <div className={css.group} role="group" aria-label="Date">
      <Button icon aria-label={`Previous ${unit}`} onClick={() => onChange(addDays(value, -step))}>
        <Icon name="left" />
      </Button>
      <Button
        ref={button}
        className={css.long}
        aria-haspopup="dialog"
        aria-expanded={open}
        popoverTarget={id}
        data-shortcut="date"
        aria-label={words}
      >
        <span data-short={week ?? shortDate(value)}>{words}</span>
      </Button>
      <Button icon aria-label={`Next ${unit}`} onClick={() => onChange(addDays(value, step))}>
        <Icon name="right" />
      </Button>
      <div ref={box} id={id} popover="auto" role="dialog" aria-label="Choose a date" className={css.box}>
        {open ? <MonthView value={value} today={today} onChoose={choose} /> : null}
      </div>
    </div>
  );
}
