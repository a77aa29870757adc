import { memo, useMemo, type ReactNode } from 'react';
import { timeSlot } from '@clinic/domain';
import grid from './calendar-grid.module.css';
import { cx } from '../../../shared/ui/class-names.ts';
import type { View } from '../bars.ts';
import { briefWindow } from '../labels.ts';
import { drawRow, type DrawnRow } from '../model.ts';
import { type AwayWindow, type BaseRow } from '../rows.ts';
import { drawBar, placed } from './bar.tsx';

export interface RowProps {
  row: BaseRow;
  view: View;
  /** The row's index in the whole list, from 0. In the grid, the row of hours comes before row 0. */
  index: number;
  /** The selected absence of this row's person. */
  own: AwayWindow | null;
  /** The selected and recorded absences that affect the row's sessions; see `touching`. */
  selected: readonly AwayWindow[];
  stored: readonly AwayWindow[];
  onToggle: (row: BaseRow) => void;
  /** The row's distance in px from the top of the list, set when only the rows in view are rendered. */
  top?: number | undefined;
}

const same = (a: readonly AwayWindow[], b: readonly AwayWindow[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index]);

/** Draws the row's hours. A plain function, since an extra component in each row would cost time in each frame. */
const drawTrack = (row: BaseRow, drawn: DrawnRow): ReactNode => (
  <div role="gridcell" aria-colindex={2} aria-colspan={48} className={grid.track}>
    {drawn.available.map((span, index) => (
      <span
        key={span.from}
        role="img"
        aria-label={`Available ${timeSlot(row.available[index]?.start ?? 0, row.available[index]?.end ?? 0)}`}
        className={grid.free}
        data-available=""
        style={placed(span)}
      />
    ))}
    {drawn.away.map((span) => (
      <span key={span.from} className={grid.hatch} style={placed(span)} />
    ))}
    {drawn.traces.map((trace) => (
      <span
        key={trace.name}
        role="img"
        aria-label={trace.name}
        className={grid.trace}
        data-trace=""
        style={placed(trace)}
      >
        {trace.label}
      </span>
    ))}
    {drawn.bars.map(drawBar)}
    {drawn.bars.flatMap((bar) =>
      bar.brackets.map((span) => (
        <span key={`${bar.id}:${span.from}`} className={grid.sup} style={placed(span, bar.lane)} />
      )),
    )}
  </div>
);

/** One person's day, rendered again only when something in it changes. */
export const CalendarRow = memo(
  function CalendarRow({ row, view, index, own, selected, stored, onToggle, top }: RowProps) {
    const drawn = useMemo(() => drawRow(row, view, selected, stored), [row, view, selected, stored]);
    const [first] = row.stored;
    const away = first ? briefWindow(first.start, first.end) : '';
    const aside = own
      ? own.end > own.start
        ? briefWindow(own.start, own.end)
        : 'no time yet'
      : away === 'all day'
        ? 'away'
        : away || row.credential;
    // Whether the name and the note beside it are too long for one line.
    const long = row.name.length > 17 || row.name.length * 1.5 + (aside?.length ?? 0) > 31;
    return (
      <div
        role="row"
        aria-rowindex={index + 2}
        data-row={row.id}
        className={cx(grid.row, row.open && grid.top, first && grid.away)}
        style={{
          ...(drawn.lanes > 1 ? { '--n': drawn.lanes } : {}),
          ...(top === undefined ? {} : { position: 'absolute', insetInline: 0, top }),
        }}
      >
        <div role="rowheader" aria-colindex={1} className={cx(grid.name, long && grid.long)}>
          {row.person ? (
            <button
              type="button"
              tabIndex={-1}
              data-name={row.id}
              aria-pressed={own !== null}
              title={long ? row.name : undefined}
              onClick={() => onToggle(row)}
            >
              <span className={grid.who}>{row.name}</span>
              {aside ? (
                <span className={grid.aside}>
                  {!own && first && aside !== 'away' ? <span className="sr">away </span> : null}
                  {aside}
                </span>
              ) : null}
            </button>
          ) : (
            <div>
              <span className={grid.who}>{row.name}</span>
              <span className={grid.aside}>
                {row.open ? (drawn.needsCover === 1 ? '1 session' : `${drawn.needsCover} sessions`) : 'has left'}
              </span>
            </div>
          )}
        </div>
        {drawTrack(row, drawn)}
      </div>
    );
  },
  (a, b) =>
    a.row === b.row &&
    a.view === b.view &&
    a.index === b.index &&
    a.top === b.top &&
    a.onToggle === b.onToggle &&
    a.own === b.own &&
    same(a.selected, b.selected) &&
    same(a.stored, b.stored),
);
