import { type Interval, type PersonKind } from '@clinic/domain';
import { countSessions } from '../../shared/count-sessions.ts';
import type { CalendarAppointment } from './appointments.ts';
import { barsOf, exactSpan, piecesOf, spanOf, type Away, type Bar, type View } from './bars.ts';
import { initialsOf, shortName } from './labels.ts';
import { assignLanes, type ColumnRange } from './lanes.ts';
import type { AwayWindow, BaseRow, Day, Trace } from './rows.ts';

/** A row ready to be rendered. Times are given as grid columns. */
export interface DrawnRow {
  bars: Bar[];
  lanes: number;
  available: (Interval & ColumnRange)[];
  away: (ColumnRange & { words?: string })[];
  traces: (Trace & ColumnRange)[];
  /** How many sessions need cover; each child of a group counts, as in `needsCoverOf`. */
  needsCover: number;
}

/** When a session's people are away. A selection replaces the person's recorded absence. */
function awayOf(a: CalendarAppointment, selected: readonly AwayWindow[], stored: readonly AwayWindow[]): Away {
  if (selected.length === 0 && stored.length === 0) return NOBODY;
  const is = (type: PersonKind, key: string) => (w: AwayWindow) => w.type === type && w.key === key;
  const client = selected.filter(is('client', a.clientKey));
  const therapist = selected.filter(is('therapist', a.therapistKey));
  return {
    // Selected absences only: the server has already marked the time lost to therapists' recorded absences.
    therapist,
    client: client.length > 0 ? client : stored.filter(is('client', a.clientKey)),
    back: therapist.length > 0 ? stored.filter(is('therapist', a.therapistKey)) : [],
  };
}
const NOBODY: Away = { therapist: [], client: [], back: [] };

const NOWHERE: ColumnRange = { from: 0, to: 0 };
type Lanes = ReturnType<typeof assignLanes>;
const lanesKnown = new WeakMap<BaseRow, Lanes>();

/**
 * The lane of each session in a row, and the number of lanes. All pieces of a session share a lane, so absences do
 * not change the lanes.
 */
export function lanesOf(row: BaseRow): Lanes {
  let lanes = lanesKnown.get(row);
  if (!lanes) {
    lanes = assignLanes(row.sessions.map(([first]) => spanOf(first) ?? NOWHERE));
    lanesKnown.set(row, lanes);
  }
  return lanes;
}

/** The selected absences of this row's person. */
export function selectionOf(row: BaseRow, view: View, selected: readonly AwayWindow[]): readonly AwayWindow[] {
  return row.person ? selected.filter((s) => s.type === view && s.key === row.key) : [];
}

/**
 * Applies the selected absences to a row. `selected` holds only the absences that affect the row: those of the row's
 * person and of the other people in the row's sessions. `stored` holds the recorded absences of those other people.
 */
export function drawRow(
  row: BaseRow,
  view: View,
  selected: readonly AwayWindow[],
  stored: readonly AwayWindow[],
): DrawnRow {
  const own = selectionOf(row, view, selected);
  const { lanes, count } = lanesOf(row);
  const bars: Bar[] = [];
  const open: CalendarAppointment[] = [];
  row.sessions.forEach((session, index) => {
    const [first] = session;
    const away = awayOf(first, selected, stored);
    const place = `${row.id}:${index}`;
    const made = barsOf(
      session,
      view,
      away,
      row.brackets.get(first) ?? [],
      place,
      lanes[index] ?? 0,
      row.day !== undefined,
    );
    if (made.some((b) => b.kind === 'open'))
      open.push(...session.filter((a) => openMinutes(a, awayOf(a, selected, stored)) > 0));
    bars.push(...made);
  });
  // Bars from left to right, then by lane: the order in which the keyboard visits them.
  bars.sort((a, b) => a.from - b.from || a.lane - b.lane);
  const awayNow = row.day?.said ?? (own.length > 0 ? own : row.stored);
  return {
    bars,
    lanes: count,
    available: row.available.flatMap((free) => {
      const span = exactSpan(free);
      return span ? { ...free, ...span } : [];
    }),
    away: awayNow.flatMap((away) => {
      const span = exactSpan(away);
      return span ? [{ ...span, ...('words' in away ? { words: away.words } : {}) }] : [];
    }),
    traces: row.traces.flatMap((trace) => {
      const span = spanOf(trace);
      if (!span) return [];
      // A trace marks a session that a commit took from this therapist. A trace of up to half an hour has room only for
      // initials; a trace of up to an hour has room for a short name such as `J. O'Brien`.
      const columns = span.to - span.from;
      const fit = columns < 3 ? initialsOf : columns < 5 ? shortName : String;
      return [{ ...trace, ...span, label: fit(trace.label) }];
    }),
    needsCover: countSessions(open),
  };
}

/** Whether an absence affects a row: the row's person is away, or another person in the row's sessions is. */
export function touches(row: BaseRow, view: View, window: AwayWindow): boolean {
  if (window.row !== undefined && window.row !== row.id) return false;
  if (window.type === view) return !row.open && window.key === row.key;
  const other = view === 'therapist' ? 'clientKey' : 'therapistKey';
  return row.sessions.some((session) => session.some((a) => a[other] === window.key));
}

/** The absences that affect a row, selected or recorded. A row is rendered again only when this list changes. */
export function touching(row: BaseRow, view: View, windows: readonly AwayWindow[]): AwayWindow[] {
  return windows.filter((window) => touches(row, view, window));
}

/**
 * Counts the sessions that have time without a therapist, and how much time that is in all, with the selected absences
 * applied.
 */
export function needsCoverOf(day: Day, selected: readonly AwayWindow[]): { sessions: number; minutes: number } {
  const sessions: CalendarAppointment[] = [];
  let minutes = 0;
  for (const a of day.appointments) {
    const open = openMinutes(a, awayOf(a, selected, day.stored));
    if (open > 0) sessions.push(a);
    minutes += open;
  }
  return { sessions: countSessions(sessions), minutes };
}

function openMinutes(appointment: CalendarAppointment, away: Away): number {
  return piecesOf(appointment, away)
    .filter((p) => p.kind === 'open')
    .reduce((sum, p) => sum + p.window.end - p.window.start, 0);
}
