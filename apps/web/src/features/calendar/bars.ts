import {
  clockTime,
  DAY_END,
  DAY_START,
  MINUTES_A_DAY,
  SLOTS,
  SLOT_MINUTES,
  intersect,
  startSlot,
  subtract,
  timeSlot,
  union,
  type Interval,
  type PersonKind,
} from '@clinic/domain';
import { coveredFor, isOff, remembered, type CalendarAppointment } from './appointments.ts';
import { initialsOf, shortName } from './labels.ts';
import type { ColumnRange } from './lanes.ts';

/**
 * How a bar looks. Filled: the session has a therapist. Hollow (`open`): it has none. Struck through (`gone`): the
 * session does not happen.
 */
export type BarKind = 'booked' | 'supervision' | 'admin' | 'open' | 'gone';
export type View = PersonKind;

export interface Bar extends ColumnRange {
  /** An id that is unique on the page. */
  id: string;
  /** The sessions on this bar: one, or in Therapist View every session in a group. */
  appointments: readonly CalendarAppointment[];
  kind: BarKind;
  label: string;
  short: string;
  initials: string;
  /**
   * The text after the name: a subject other than direct therapy, the therapist being covered for, `needs cover`, or
   * a status.
   */
  more: string | null;
  /** The time that this bar shows; a partly covered session has several bars. */
  window: Interval;
  /** The sides on which another bar of the same session adjoins this one. */
  joins: 'left' | 'right' | 'both' | null;
  /** The times when a supervisor is present. */
  brackets: readonly ColumnRange[];
  clash: boolean;
  /** What is wrong with its sessions, in sentences. */
  wrong: readonly string[];
  /** Whether this therapist is covering for another one. */
  cover: boolean;
  lane: number;
  /** The full label; it begins with the visible text. */
  name: string;
}

/**
 * Returns a window's grid columns: from the column in which its bar starts (CAL-13) to the last slot that the window
 * overlaps. Null when the window lies outside the day.
 */
export function spanOf(window: Interval): ColumnRange | null {
  if (window.end <= DAY_START || window.start >= DAY_END) return null;
  const last = Math.min(SLOTS, Math.ceil((window.end - DAY_START) / SLOT_MINUTES)) - 1;
  const from = Math.min(window.start <= DAY_START ? 0 : (startSlot(window.start) ?? SLOTS - 1), last);
  return { from, to: last + 1 };
}

/** A window's exact columns, cut off at the day's start and end, for backgrounds. Null when it lies outside the day. */
export function exactSpan(window: Interval): ColumnRange | null {
  const cut = intersect(window, { start: DAY_START, end: DAY_END });
  return cut && { from: (cut.start - DAY_START) / SLOT_MINUTES, to: (cut.end - DAY_START) / SLOT_MINUTES };
}

/** When the people in this row's sessions are away, in addition to the time that the server marks as uncovered. */
export interface Away {
  /** When the therapist is away. */
  therapist: readonly Interval[];
  /** When the client is away. */
  client: readonly Interval[];
  /** When someone is back at work because a new selection replaces their recorded absence. */
  back: readonly Interval[];
}

interface Piece {
  window: Interval;
  kind: BarKind;
}

/**
 * Splits a session wherever one of its people is away. A piece without its therapist needs cover; a piece without its
 * client does not happen.
 */
export function piecesOf(appointment: CalendarAppointment, away: Away): Piece[] {
  const whole = { start: appointment.start, end: appointment.end };
  const base: BarKind = appointment.admin ? 'admin' : appointment.supervision ? 'supervision' : 'booked';
  if (isOff(appointment)) return [{ window: whole, kind: 'gone' }];
  if (appointment.admin) return [{ window: whole, kind: base }];
  // The common case: no one is away.
  if (appointment.uncovered.length + away.client.length + away.therapist.length === 0)
    return [{ window: whole, kind: base }];
  const within = (list: readonly Interval[]): Interval[] =>
    list.map((i) => intersect(i, whole)).filter((i) => i !== null);
  const gone = union(within(away.client));
  const uncovered = subtract(appointment.uncovered, away.back);
  const open = subtract(within([...uncovered, ...away.therapist]), gone);
  const rest = subtract([whole], [...gone, ...open]);
  return [
    ...gone.map((window): Piece => ({ window, kind: 'gone' })),
    ...open.map((window): Piece => ({ window, kind: 'open' })),
    ...rest.map((window): Piece => ({ window, kind: base })),
  ].sort((a, b) => a.window.start - b.window.start);
}

const isDirect = remembered((subject) => /^\s*(direct\b.*)?$/i.test(subject));

function moreOf(appointment: CalendarAppointment, kind: BarKind, view: View): string | null {
  if (kind === 'open') return view === 'client' ? null : 'needs cover';
  if (kind === 'gone') return isOff(appointment) ? appointment.statusText : 'client away';
  const said = kind === 'admin' || isDirect(appointment.subject) ? [] : [appointment.subject];
  const had = coveredFor(appointment);
  return [...said, ...(had === null ? [] : [`for ${had}`])].join(', ') || null;
}

/**
 * The status shown for a piece. A piece without a therapist needs cover, and one with which something is wrong is not
 * well, whatever the session's status says.
 */
export const statusShown = (kind: BarKind, { status, statusText, wrong }: CalendarAppointment): string => {
  if (kind === 'open' && (status === 'booked' || status === 'pending')) return 'Needs cover';
  if (wrong.length === 0) return statusText;
  return kind === 'gone' ? 'To submit' : 'Wrong';
};

/**
 * The bars of one session, or of all sessions in a group, since they share their times and therapist. `brackets` are
 * the times when a supervisor is present.
 */
export function barsOf(
  sessions: readonly [CalendarAppointment, ...CalendarAppointment[]],
  view: View,
  away: Away,
  brackets: readonly Interval[],
  place: string,
  lane: number,
  /** Whether its time is part of a bar's visible text. */
  timed = false,
): Bar[] {
  const [first, ...others] = sessions;
  const whole = spanOf(first);
  if (!whole) return [];
  const who = first.admin
    ? first.subject || first.client
    : view === 'therapist'
      ? first.client
      : first.therapist || 'Unassigned';
  const label = others.length > 0 ? `${who} + ${others.length}` : who;
  const clash = sessions.some((s) => s.clash);
  const wrong = [...new Set(sessions.flatMap((s) => s.wrong))];
  const mark = clash ? ', double booking' : wrong.length > 0 ? ', wrong' : '';
  const pieces = piecesOf(first, away);
  const bars: Bar[] = [];
  for (const [index, { kind, window }] of pieces.entries()) {
    const left = index > 0;
    const right = index < pieces.length - 1;
    // Most sessions are one piece, which needs no exact columns.
    const exact = left || right ? exactSpan(window) : whole;
    if (!exact) continue;
    const from = left ? Math.max(exact.from, whole.from) : whole.from;
    const to = right ? exact.to : whole.to;
    if (to <= from) continue;
    const said = moreOf(first, kind, view);
    // What is after the time is left out as a whole where it does not fit.
    const more = timed ? [shortTimes(window), ...(said === null ? [] : [`·\u00a0${said}`])].join(' ') : said;
    // In Client View, a therapist's name before *needs* would read as if the therapist needed someone.
    const shown = view === 'client' && kind === 'open' ? 'Needs a therapist' : label;
    const name = `${shown}${more ? ` ${more}` : ''}${timed ? '' : `, ${slotWords(window)}`}${mark}`;
    bars.push({
      id: `${place}:${index}`,
      appointments: sessions,
      kind,
      label: shown,
      short: first.admin ? (label.split(' ')[0] ?? label) : shown === label ? shortName(label) : 'Needs',
      initials: first.admin ? initialsOf(who).slice(0, 1) : initialsOf(shown === label ? who : shown),
      more,
      window,
      joins: left && right ? 'both' : left ? 'left' : right ? 'right' : null,
      brackets: brackets.length > 0 && (kind === 'booked' || kind === 'open') ? bracketsIn(window, brackets) : NONE,
      clash,
      wrong,
      cover: (kind === 'booked' || kind === 'supervision') && (first.hadNobody || coveredFor(first) !== null),
      from,
      to,
      lane,
      name,
    });
  }
  return bars;
}

/** Times without AM and PM, which the hours above them say: `8:30 - 11:30`. */
export const shortTimes = ({ start, end }: Interval): string =>
  `${clockTime(start).slice(0, -3)} - ${clockTime(end).slice(0, -3)}`;

const NONE: readonly ColumnRange[] = [];

const bracketsIn = (window: Interval, brackets: readonly Interval[]): ColumnRange[] =>
  brackets
    .map((b) => intersect(b, window))
    .filter((b) => b !== null)
    .map(exactSpan)
    .filter((b) => b !== null);

const timeSlots = new Map<number, string>();

/** A window's times in words. The texts are cached, since a day has few different windows. */
function slotWords({ start, end }: Interval): string {
  const key = start * (MINUTES_A_DAY + 1) + end;
  let words = timeSlots.get(key);
  if (words === undefined) {
    words = timeSlot(start, end);
    timeSlots.set(key, words);
  }
  return words;
}
