import { createHash } from 'node:crypto';
import { addDays, dayOfWeek, daysBetween, isoDate, type IsoDate, type Location } from '@clinic/domain';
import type { AppointmentRow, AppointmentStatus, BookedColumns } from '../schema/calendar.ts';
import type { DeclinedTime } from '../schema/calls.ts';
import type { Happened, WeeklySession } from './seed.ts';

export type DemoLoss = Readonly<Pick<AppointmentRow, 'cause_id' | 'lost_by' | 'known_at'>>;
export const NOT_LOST: DemoLoss = { cause_id: null, lost_by: null, known_at: null };

/** An appointment row, ready to be inserted. */
export type DemoAppointment = DemoLoss & Readonly<BookedColumns & Pick<AppointmentRow, 'id' | 'wire_id'>>;

/** A therapist who said no to a past session, before the stand-in was asked. */
export interface DemoRefusal {
  readonly location: Location;
  readonly date: IsoDate;
  readonly therapist_id: string;
  readonly session: string;
  readonly saidTo: DeclinedTime;
}

/** One location's demo rows on one date. */
export interface DemoDay {
  readonly appointments: readonly DemoAppointment[];
  readonly refusals: readonly DemoRefusal[];
}

/** What is lost is known ahead for these causes, so such sessions are cancelled on future days too. */
const PLANNED = ['leave', 'training'];

/**
 * Makes one location's sessions and refusals on one date from its week. Past days are completed; they have
 * cancellations with causes, no-shows, make-up sessions and stand-ins. Today has one cancellation, one no-show and some
 * unassigned sessions. Future days are confirmed or scheduled. The same arguments give the same rows with the same ids.
 */
export function demoDay(week: readonly WeeklySession[], date: IsoDate, today: IsoDate): DemoDay {
  const ahead = daysBetween(today, date);
  const number = Math.floor(daysBetween(isoDate('2024-01-01'), date) / 7);
  const sessions = week
    .filter((s) => s.day === dayOfWeek(date) && (s.weeks === null || s.weeks === (number % 2 ? 'odd' : 'even')))
    .filter((s) => s.client === null || s.therapist !== null || ahead >= 0);
  const rows = sessions.map((session, i) => {
    const { location, client, start, end } = session;
    const id = uuidFor(`${location} ${date} ${i}`);
    const happened = session.past.get(number % 6);
    const stoodIn = ahead < 0 && happened?.kind === 'stand-in' ? happened : null;
    const appointment = { ...bookedColumns(session, date, id), ...whatBecame(session, { date, ahead, id, happened }) };
    const refusal = { location, date, session: id, saidTo: { client, start, end } };
    return {
      appointment: {
        id,
        wire_id: `APT-${date.replaceAll('-', '').slice(2)}-${location.slice(0, 1).toUpperCase()}${String(i + 1).padStart(3, '0')}`,
        ...appointment,
        ...(stoodIn ? { therapist_id: stoodIn.therapist, booked_therapist_id: session.therapist } : {}),
      },
      refusals: stoodIn?.refused ? [{ ...refusal, therapist_id: stoodIn.refused }] : [],
    };
  });
  return { appointments: rows.map((row) => row.appointment), refusals: rows.flatMap((row) => row.refusals) };
}

/** The columns that are the same in every week. */
function bookedColumns(s: WeeklySession, date: IsoDate, id: string) {
  const group = s.group ? uuidFor(`${s.location} ${date} social-${s.day}`) : null;
  return {
    location: s.location,
    client_id: s.client,
    therapist_id: s.therapist,
    booked_therapist_id: null,
    service: s.service,
    subject: s.subject,
    starts: `${date} ${clock(s.start)}`,
    ends: `${date} ${clock(s.end)}`,
    place: group === null ? id : `group:${group}`,
    client_place: id,
    seat: s.seat,
    group_key: group,
  };
}

interface When {
  readonly date: IsoDate;
  readonly ahead: number;
  readonly id: string;
  readonly happened: Happened | undefined;
}

/** Decides a session's status on a date, and why it is lost. */
function whatBecame(
  s: WeeklySession,
  { date, ahead, id, happened }: When,
): DemoLoss & { status: AppointmentStatus; subject?: string } {
  const notLost = (status: AppointmentStatus) => ({ status, ...NOT_LOST });
  if (ahead >= 0) {
    if (s.client !== null && s.therapist === null) return notLost('pending');
    if (ahead === 0 && s.today !== null) return notLost(s.today === 'no-show' ? 'noshow' : 'cancelled');
    if (ahead > 0 && happened?.kind === 'cancelled' && PLANNED.includes(happened.cause ?? ''))
      return notLost('cancelled');
    const luck = Number.parseInt(id.slice(0, 2), 16) / 256;
    return notLost(luck < (ahead === 0 ? 0.88 : ahead < 7 ? 0.6 : 0.2) ? 'booked' : 'pending');
  }
  if (happened?.kind === 'no-show')
    return { status: 'noshow', cause_id: 'no-show', lost_by: 'family', known_at: `${date} ${clock(s.start)}` };
  if (happened?.kind === 'cancelled') {
    const { cause, by, late } = happened;
    if (cause === null) return notLost('cancelled');
    // Most cancellations were known two days before.
    const known = late ? `${date} 06:40:00` : `${addDays(date, -2)} 15:20:00`;
    return { status: 'cancelled', cause_id: cause, lost_by: by, known_at: known };
  }
  return { ...notLost('fulfilled'), ...(happened?.kind === 'make-up' ? { subject: 'Make-up session' } : {}) };
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`;

/** Derives a UUID from a string (version 8 of RFC 9562); the same string always gives the same UUID. */
function uuidFor(text: string): string {
  const h = createHash('sha256').update(`demo ${text}`).digest('hex');
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-8${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20, 32)}`;
}
