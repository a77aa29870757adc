import { eachNotePart } from '@clinic/contract';
import {
  intersect,
  joinStretches,
  overlaps,
  subtract,
  union,
  withoutStretches,
  type Interval,
  type IsoDate,
  type Location,
  type NetChange,
  type ToldStretch,
} from '@clinic/domain';
import { declineOf } from '../memory/declines.ts';
import { awayWindows } from '../../day/facts/uncovered.ts';
import type { CallData, Line } from '../lines/line.ts';
import type { OwnAbsenceRow, OwnNoRow, OwnSession, OwnSessionRow } from './own-day.queries.ts';

/** What decides about a therapist's sessions until the next plan, and the time up to which today is past. */
interface Open {
  readonly absences: readonly OwnAbsenceRow[];
  readonly noes: readonly OwnNoRow[];
  readonly today: IsoDate;
  /** Minutes after midnight; null if nothing of today is past. */
  readonly cut: number | null;
}

/**
 * Splits a therapist's sessions into the time that holds and the time that the next plan decides about, because the
 * therapist said no, or the therapist or the client is away.
 */
export const withUndecided = (rows: readonly OwnSessionRow[], open: Open): OwnSession[] =>
  rows.flatMap((row) => {
    const windows = undecidedOf(row, open);
    const part = (undecided: boolean) => (window: Interval) => ({ ...row, ...window, undecided });
    return [...windows.map(part(true)), ...subtract([row], windows).map(part(false))];
  });

function undecidedOf(row: OwnSessionRow, { absences, noes, today, cut }: Open): Interval[] {
  const { date, location, clientId, status, start, end } = row;
  const from = date === today ? Math.max(start, cut ?? 0) : start;
  if (date < today || from >= end || row.service === 'admin' || (status !== 'pending' && status !== 'booked'))
    return [];
  if (noes.some((no) => no.date === date && no.location === location && no.sessions.includes(row.root)))
    return [{ start: from, end }];
  const away = absences.filter((each) => each.date === date && (each.clientId ?? clientId) === clientId);
  return union(away.flatMap((window) => intersect(window, { start: from, end }) ?? []));
}

/**
 * Returns the sessions of a day that a therapist does not have now, but that the next plan may give back to them: those
 * that their line waits for, and those that they were booked for, if someone is back since the last plan.
 */
export function mayReturn(data: CallData, therapistId: string, line: Line | undefined): OwnSession[] {
  const { day, returned, present } = data;
  const away = awayWindows(day).get(therapistId) ?? [];
  const booked = day.appointments
    .filter((a) => a.bookedTherapistId === therapistId && a.therapistId === null && returned.has(a.key))
    .filter((a) => !declineOf(day.declines, { ...a, therapistId }))
    .flatMap((a) =>
      subtract([a], away).map((window): ToldStretch => ({ ...window, with: a.clientId, service: a.service })),
    );
  const left = [...(line?.undecided ?? []), ...booked]
    .map((each) => ({ ...each, start: Math.max(each.start, present.from) }))
    .filter(({ start, end }) => start < end);
  const names = new Map(day.clients.map((client) => [client.id, client.displayName]));
  return joinStretches(left).map(({ start, end, service, with: clientId }) => {
    const own = {
      start,
      end,
      service,
      clientId,
      client: names.get(clientId ?? '') ?? null,
      root: '',
      id: '',
      version: 0,
    };
    const { date, location } = day;
    return { ...own, date, location, status: 'booked', cover: false, note: eachNotePart(() => ''), undecided: true };
  });
}

/** The parts of a line that are not decided: the next plan decides about them, or someone who is asked. */
type Undecided = Pick<Line, 'undecided' | 'unsettled'>;

/** The changes of a line, without those that are not decided yet. */
export const decided = ({ changes, undecided, unsettled }: Pick<Line, 'changes'> & Undecided): NetChange[] =>
  changes.flatMap((change) =>
    subtract(
      [change],
      (change.what === 'new' ? unsettled : undecided).filter(
        (each) => each.with === change.with && each.service === change.service,
      ),
    ).map((window) => ({ ...change, ...window })),
  );

/** The day that a therapist knows after answering what their page shows: what is undecided stays as they were told. */
export const dayShown = ({ now, undecided, unsettled }: Pick<Line, 'now'> & Undecided): ToldStretch[] =>
  joinStretches([...withoutStretches(now, unsettled), ...undecided]);

/** Marks the sessions that a therapist has only if someone else says yes. */
export const withUnsettled = (
  sessions: readonly OwnSession[],
  lines: readonly { readonly location: Location; readonly date: IsoDate; readonly line: Undecided }[],
): OwnSession[] =>
  sessions.flatMap((session) => {
    const line = lines.find(({ location, date }) => location === session.location && date === session.date)?.line;
    const own = line?.unsettled.filter(
      (each) => each.with === session.clientId && each.service === session.service && overlaps(each, session),
    );
    if (!own || own.length === 0) return [session];
    const part = (undecided: boolean) => (window: Interval) => ({ ...session, ...window, undecided });
    return [
      ...own.flatMap((each) => intersect(each, session) ?? []).map(part(true)),
      ...subtract([session], own).map(part(session.undecided)),
    ];
  });
