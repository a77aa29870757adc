import { useRef, useState } from 'react';
import { DAY_END, DAY_START, type Location } from '@clinic/domain';
import css from './week.module.css';
import { cx } from '../../../shared/ui/class-names.ts';
import { PlainSelect } from '../../../shared/ui/plain-field.tsx';
import { SidewaysHint } from '../../../shared/ui/scroll-region.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import type { View } from '../bars.ts';
import type { StaffLine } from '../staff-week.ts';
import type { DayOfWeek } from '../week.ts';
import { Cell, DayHead, Hours, PersonName } from './staff-cells.tsx';
import { useRoving } from './use-roving.ts';

const ORDERS = [
  { value: 'free', label: 'Most free' },
  { value: 'name', label: 'A - Z' },
] as const;

/**
 * The week of a location's staff or clients: a line each, the dates side by side. Free time is tall and has its hours;
 * booked time is a thin line without a name. Who has something to settle comes first.
 */
export function StaffWeek({
  days,
  lines,
  view,
  location,
  idOf,
  mostOf,
}: {
  days: readonly DayOfWeek[];
  lines: readonly StaffLine[];
  view: View;
  location: Location;
  idOf: (name: string) => string | undefined;
  /** A therapist's weekly limit, in minutes. */
  mostOf: (name: string) => number | undefined;
}) {
  const [least, setLeast] = useState(120);
  const [order, setOrder] = useState<'free' | 'name'>('free');
  const box = useRef<HTMLDivElement>(null);
  const settle = lines.filter((line) => line.settle && !line.open);
  const others = lines.filter((line) => !line.settle && !line.open);
  const inOrder = order === 'free' ? others.toSorted((a, b) => b.minutes.free - a.minutes.free) : others;
  const shown = [...lines.filter((line) => line.open), ...settle, ...inOrder];
  const { onFocus, onKeyDown } = useRoving(box, {
    count: shown.length,
    idAt: (at) => shown[at]?.key ?? '',
    indexOf: (id) => shown.findIndex(({ key }) => key === id),
    reveal: () => undefined,
  });
  const used = days.flatMap((on, at) =>
    at < 5 || lines.some(({ rows }) => (rows[at]?.sessions.length ?? 0) + (rows[at]?.available.length ?? 0) > 0)
      ? [{ on, at, shut: on.closed.some(({ start, end }) => start <= DAY_START && end >= DAY_END) }]
      : [],
  );
  const columns = `var(--names) ${used.map(({ shut }) => (shut ? '5.25rem' : 'minmax(0, 1fr)')).join(' ')} 8.5rem`;
  const therapists = view === 'therapist';
  return (
    <>
      {therapists ? <Tools least={least} order={order} onLeast={setLeast} onOrder={setOrder} /> : null}
      <div ref={box} className={css.scroll} onFocus={onFocus} onKeyDown={onKeyDown}>
        <div
          role="table"
          aria-label={therapists ? 'Therapists, the week' : 'Clients, the week'}
          className={css.staff}
          style={{ '--columns': columns }}
        >
          <div role="row" className={css.heads}>
            <div role="columnheader">
              <b>
                {lines.length - (lines[0]?.open ? 1 : 0)} {therapists ? 'therapists' : 'clients'}
              </b>
              {therapists ? <span>Green: how many are free</span> : null}
            </div>
            {used.map(({ on, at, shut }) => (
              <DayHead key={on.date} on={on} at={at} shut={shut} lines={lines} location={location} view={view} />
            ))}
            <div role="columnheader">
              <b>Hours</b>
              <span>{therapists ? 'booked of most' : 'booked'}</span>
            </div>
          </div>
          {shown.map((line, i) => (
            <Line
              key={line.key}
              line={line}
              used={used}
              view={view}
              least={least}
              location={location}
              id={idOf(line.name)}
              most={therapists ? mostOf(line.name) : undefined}
              isNext={i > 0 && i === settle.length + (shown[0]?.open ? 1 : 0)}
            />
          ))}
        </div>
      </div>
      <SidewaysHint of={box} />
    </>
  );
}

/** A date that is shown; `at` is its place in the week. */
interface Column {
  readonly on: DayOfWeek;
  readonly at: number;
  readonly shut: boolean;
}

function Line({
  line,
  used,
  view,
  least,
  location,
  id,
  most,
  isNext,
}: {
  line: StaffLine;
  used: readonly Column[];
  view: View;
  least: number;
  location: Location;
  id: string | undefined;
  most: number | undefined;
  /** Whether it is the first of those who have nothing to settle. */
  isNext: boolean;
}) {
  return (
    <div role="row" data-row={line.key} className={cx(css.line, line.open && css.unassigned, isNext && css.next)}>
      <div role="rowheader" className={css.who}>
        <PersonName line={line} id={id} view={view} location={location} date={used[0]?.on.date} />
      </div>
      {used.map(({ on, at, shut }) => (
        <Cell
          key={on.date}
          on={on}
          row={line.rows[at]}
          shut={shut}
          view={view}
          least={least}
          name={line.name}
          location={location}
        />
      ))}
      <Hours line={line} most={most} />
    </div>
  );
}

interface Choices {
  least: number;
  order: 'free' | 'name';
  onLeast: (minutes: number) => void;
  onOrder: (order: 'free' | 'name') => void;
}

/** How much free time is worth showing, and in which order people are. */
const Tools = ({ least, order, onLeast, onOrder }: Choices) => (
  <div className={css.tools}>
    <span className="grow" />
    <PlainSelect aria-label="Free for at least" value={least} onChange={({ target }) => onLeast(Number(target.value))}>
      {[1, 2, 3, 4, 5, 6].map((hours) => (
        <option key={hours} value={hours * 60}>
          Free for at least {hours} h
        </option>
      ))}
    </PlainSelect>
    <Segmented label="Order" value={order} options={ORDERS} onChange={onOrder} />
  </div>
);
