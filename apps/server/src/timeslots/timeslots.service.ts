import { addDays, formatTime, subtract, MINUTES_A_DAY, type IsoDate, type Location } from '@clinic/domain';
import type { TimeslotDay } from '@clinic/contract';
import { findPerson } from '../people/people.ts';
import type { Db } from '../db/connection.ts';
import { mayWorkAt } from '../access/caller.ts';
import type { Caller } from '../access/sessions.ts';
import { selectBookedSessions, selectClientAbsences, type DatedWindow } from './timeslots.queries.ts';

const DAYS = 7;

/** A client's week: the client, and for each of seven days the sessions that can be cancelled. */
export interface ClientWeek {
  readonly clientId: string;
  readonly days: TimeslotDay[];
}

/**
 * Returns the client's sessions at a location on the seven days from `start`, by day. Leaves out sessions during which
 * the client is away the whole time. Refuses with 422 a name that is unknown or matches several clients.
 */
export async function readClientWeek(
  db: Db,
  caller: Caller,
  input: { clientName: string; location: Location; start: IsoDate },
): Promise<ClientWeek> {
  const { location, start } = input;
  const client = await findPerson(db, 'client', input.clientName, { location, date: start }, (at) =>
    mayWorkAt(caller, at),
  );
  const sessions = await selectBookedSessions(db, client.id, location, start, DAYS);
  const away = await selectClientAbsences(db, client.id, start, DAYS);
  const days = Array.from({ length: DAYS }, (_, i) => addDays(start, i));
  return { clientId: client.id, days: days.map((date) => dayOf(date, sessions, away)) };
}

function dayOf(date: IsoDate, sessions: readonly DatedWindow[], away: readonly DatedWindow[]): TimeslotDay {
  const absent = away.filter((window) => window.date === date);
  // For the family, two therapists at the same time (2:1) are one session.
  const windows = new Map(
    sessions
      .filter((session) => session.date === date && subtract([session], absent).length > 0)
      .map((session) => [`${session.start}-${session.end}`, session]),
  );
  const list = [...windows.values()];
  return {
    date,
    slots: list.map((window) => wallText(date, window.start)),
    ends: list.map((window) => wallText(date, window.end)),
  };
}

/** Formats a time as `YYYY-MM-DDTHH:MM:SS`; the end of a day is midnight of the next day. */
function wallText(date: IsoDate, minutes: number): string {
  return minutes < MINUTES_A_DAY ? `${date}T${formatTime(minutes)}:00` : `${addDays(date, 1)}T00:00:00`;
}
