import { clockTime, dayOfWeek, longDate, minutesOf, type IsoDate, type Location } from '@clinic/domain';
import css from './week.module.css';
import { Link } from '../../../shared/router/link.tsx';
import { cx } from '../../../shared/ui/class-names.ts';
import { exactSpan, piecesOf, shortTimes, type View } from '../bars.ts';
import { needsCoverOf, touching } from '../model.ts';
import type { BaseRow } from '../rows.ts';
import { freeByHalfHour, type StaffLine } from '../staff-week.ts';
import { dayWords, freeOf, hoursShort, type DayOfWeek } from '../week.ts';

export function PersonName({
  line,
  id,
  view,
  location,
  date,
}: {
  line: StaffLine;
  id: string | undefined;
  view: View;
  location: Location;
  date: IsoDate | undefined;
}) {
  if (line.open || id === undefined) return <b>{line.name}</b>;
  return (
    <Link to="/calendar" search={{ span: 'week', view, person: id, location, date }} data-name={line.key} tabIndex={-1}>
      <span>{line.name}</span>
      <small>{line.credential}</small>
    </Link>
  );
}

export function DayHead({
  on,
  at,
  shut,
  lines,
  location,
  view,
}: {
  on: DayOfWeek;
  at: number;
  shut: boolean;
  lines: readonly StaffLine[];
  location: Location;
  view: View;
}) {
  const open = needsCoverOf(on.day, []).sessions;
  const free = lines.reduce((all, { rows }) => all + (rows[at] ? minutesOf(freeOf(rows[at], on)) : 0), 0);
  const counts = view === 'therapist' && !shut ? freeByHalfHour(lines, at, on) : [];
  const most = Math.max(1, ...counts);
  return (
    <div role="columnheader">
      <Link to="/calendar" search={{ date: on.date, location, view }}>
        <b>{dayWords(on.date)}</b>
      </Link>
      <span>
        {shut ? on.closed[0]?.name : null}
        {open > 0 ? <b className="alarm">{open === 1 ? '1 needs cover' : `${open} need cover`}</b> : null}
        {!shut && free > 0 ? `${open > 0 ? ', ' : ''}${hoursShort(free)} free` : null}
      </span>
      {counts.length > 0 ? (
        <div className={css.counts} aria-hidden="true">
          {counts.map((count, i) => (
            <i key={i} style={{ height: `${(100 * count) / most}%` }} />
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** A person's date: free time as links to who could use it, booked time as thin lines. */
export function Cell({
  on,
  row,
  shut,
  view,
  least,
  name,
  location,
}: {
  on: DayOfWeek;
  row: BaseRow | undefined;
  shut: boolean;
  view: View;
  least: number;
  name: string;
  location: Location;
}) {
  if (!row || shut) return <div role="cell" className={cx(css.cell, shut && css.shut)} />;
  const away = touching(row, view, on.day.stored);
  const pieces = row.sessions.flatMap(([first]) =>
    piecesOf(first, {
      therapist: [],
      back: [],
      client: away.filter(({ type, key }) => type === 'client' && key === first.clientKey),
    }).map((piece) => ({ ...piece, first })),
  );
  const said = pieces.map(
    ({ kind, window, first }) =>
      `${shortTimes(window)} ${view === 'therapist' ? first.client : first.therapist}${kind === 'open' ? ' needs cover' : kind === 'gone' ? ' cancelled' : ''}`,
  );
  return (
    <div role="cell" className={css.cell}>
      {[...row.stored, ...on.closed].map((each, i) => (
        <i key={i} className={css.awayPart} style={spot(each)} />
      ))}
      {pieces.map(({ kind, window, first }, i) => (
        <i
          key={i}
          className={cx(css.piece, css[kind], (first.clash || first.wrong.length > 0) && kind !== 'gone' && css.wrong)}
          style={spot(window)}
          title={said[i]}
        />
      ))}
      {freeOf(row, on).map((free) => {
        const style = spot(free);
        const length = minutesOf([free]);
        if (style === undefined) return null;
        if (length < least) return <i key={free.start} className={css.short} style={style} />;
        return (
          <Link
            key={free.start}
            to="/find-a-time"
            search={{ location, therapist: name, weekday: String(dayOfWeek(on.date)) }}
            className={css.free}
            style={style}
            data-bar=""
            tabIndex={-1}
            aria-label={`${hoursShort(length)} free: ${name}, ${longDate(on.date)}, ${clockTime(free.start)} - ${clockTime(free.end)}. Who could use it?`}
          >
            {hoursShort(length).replace(' h', '')}
          </Link>
        );
      })}
      {said.length > 0 ? <span className="sr">{said.join('; ')}</span> : null}
    </div>
  );
}

function spot(window: { start: number; end: number }) {
  const span = exactSpan(window);
  return span ? { '--start': span.from, '--span': span.to - span.from } : undefined;
}

export function Hours({ line, most }: { line: StaffLine; most: number | undefined }) {
  const { sessions, admin, open } = line.minutes;
  const booked = line.open ? open : sessions + admin;
  const over = most !== undefined && booked > most;
  return (
    <div role="cell" className={cx(css.sum, over && 'alarm')}>
      <span>
        <b>{hoursShort(booked).replace(most === undefined ? '' : / h$/, '')}</b>
        {most === undefined ? null : ` of ${hoursShort(most)}`}
      </span>
      {most === undefined ? null : (
        <span className={css.part} aria-hidden="true">
          <i style={{ width: `${Math.min(100, (100 * booked) / Math.max(1, most))}%` }} />
        </span>
      )}
    </div>
  );
}
