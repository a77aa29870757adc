import type { SlotsReply } from '@clinic/contract';
import { nameKey } from '@clinic/domain';
import type { SessionSource } from '../book/model.ts';
import type { TouchableSession } from '../cover/absences/effects.ts';
import { windowOf, type AbsenceEntry } from '../cover/absences/model.ts';
import { isOff, isUnassigned, type CalendarAppointment } from '../calendar/appointments.ts';
import type { Bar } from '../calendar/bars.ts';
import type { AwayWindow, Day } from '../calendar/rows.ts';

/** Translates between the calendar and the absences panel, which do not know each other's types. */

const windows = new WeakMap<AbsenceEntry, AwayWindow | null>();

/**
 * The selected absences in the form that the grid needs. An unchanged absence keeps its object, so that only changed
 * rows are rendered again.
 */
export function awayWindows(entries: readonly AbsenceEntry[]): AwayWindow[] {
  return entries.flatMap((entry) => {
    let window = windows.get(entry);
    if (window === undefined) {
      const read = windowOf(entry);
      // While a window is being typed, the person is marked as absent, but no time is marked yet.
      window = {
        name: entry.name,
        key: nameKey(entry.name),
        type: entry.type,
        start: read?.start ?? 0,
        end: read?.end ?? 0,
      };
      windows.set(entry, window);
    }
    return window ? [window] : [];
  });
}

/**
 * The people who can be chosen for sessions and absences: everyone with a row, except those who have left the clinic.
 */
export const presentPeople = (slots: SlotsReply | undefined): SlotsReply['people'] =>
  (slots?.people ?? []).filter((p) => p.former !== true);

/** The day's sessions that absences can affect. */
export const careSessions = (day: Day): TouchableSession[] =>
  day.appointments
    .filter((a) => !a.admin && !isOff(a))
    .map(({ client, therapist, start, end, bookedWith, session }) => ({
      session,
      client,
      therapist: isUnassigned(therapist) ? null : therapist,
      bookedWith,
      start,
      end,
    }));

/** What the session form starts from; null when the session has no key and so cannot be changed. */
export function sessionSource(bar: Bar): SessionSource | null {
  const [first] = bar.appointments;
  return first ? sourceOf(first, bar.kind === 'open') : null;
}

/** A session of the day by its key, as the session form needs it; null when the day has no such session. */
export function sessionWithKey({ appointments }: Day, key: string): SessionSource | null {
  const found = appointments.find((each) => each.key === key);
  return found ? sourceOf(found, isUnassigned(found.therapist)) : null;
}

/** The sessions that have no bar since they lie outside the hours on the grid, as the session form needs them. */
export const outsideSessions = (day: Day | undefined): SessionSource[] =>
  (day?.outside ?? []).flatMap((each) => sourceOf(each, isUnassigned(each.therapist)) ?? []);

/** A session as the session form needs it; null when it has no key and so cannot be changed. */
export function sourceOf(session: CalendarAppointment, open: boolean): SessionSource | null {
  const { key, version, client, therapist, date, start, end, subject, statusText } = session;
  if (key === null) return null;
  return { key, version, client, therapist, date, start, end, subject, statusText, open, loss: said(session) };
}

/** The recorded cause of a session that is cancelled or a no-show; undefined for any other session. */
const said = ({ loss, ...session }: CalendarAppointment): SessionSource['loss'] =>
  loss?.cause == null || !isOff(session) ? undefined : { cause: loss.cause, lost_by: loss.lost_by };
