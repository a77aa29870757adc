import type { ActionsReply, CommitFigures } from '@clinic/contract';
import { UNASSIGNED } from '@clinic/contract';
import {
  compareNames,
  addFigures,
  peopleToTell,
  intersect,
  locationLabel,
  overlaps,
  timeSlot,
  union,
  type CoverFigures,
  type Interval,
} from '@clinic/domain';
import type { ClinicDay, DayAppointment, DayClient } from '../../day/facts/day.ts';
import type { AppointmentChange } from '../../day/appointment-states.ts';
import { timestampOf } from '../../db/wall-time.ts';
import type { ChosenSegment } from './targets.ts';

/** A commit on one date: the choice, its changes, and the day before and after the changes. */
export interface CommittedDay {
  day: ClinicDay;
  after: ClinicDay;
  segments: readonly ChosenSegment[];
  figures: CoverFigures;
  changes: readonly AppointmentChange[];
  /** For each appointment that needs cover again: the therapist who has just lost it and has not been told. */
  hadBefore: ReadonlyMap<string, string>;
}

/** A reply with its figures. Only replies stored before figures existed have none. */
export type CountedReply = ActionsReply & { figures: CommitFigures };

/** What a commit did, for its workbook and its JSON reply. */
export function reportOf(days: readonly CommittedDay[], commit: string, calls: ActionsReply['calls']): CountedReply {
  const { sessions, changes, minutesNeeded, minutesKept, minutesUncovered } = addFigures(days.map((d) => d.figures));
  return {
    commit,
    figures: {
      sessions,
      changes,
      minutes_needed: minutesNeeded,
      minutes_kept: minutesKept,
      minutes_uncovered: minutesUncovered,
      people: peopleToTell(calls),
    },
    actions: days.flatMap(actionsOf),
    by_therapist: days.flatMap(byTherapist),
    calls,
    uncovered: days.flatMap(uncoveredOf),
  };
}

const shown = (d: CommittedDay): ChosenSegment[] =>
  d.segments
    .filter((s) => s.status !== 'Scheduled')
    .sort((a, b) => a.segment.start - b.segment.start || compareNames(nameOf(d, a), nameOf(d, b)));

const clientOf = (d: CommittedDay, row: DayAppointment): DayClient | undefined =>
  d.day.clients.find((c) => c.id === row.clientId);
const nameOf = (d: CommittedDay, s: ChosenSegment): string => clientOf(d, s.row)?.displayName ?? '';

/** The names of all clients with a chosen option, sorted; each child of a group is named by itself. */
export const clientsOf = (days: readonly CommittedDay[]): string[] =>
  [...new Set(days.flatMap((d) => d.segments.flatMap((s) => clientOf(d, s.row)?.displayName ?? [])))].sort(
    compareNames,
  );

const therapistName = (d: CommittedDay, id: string | null): string =>
  d.day.therapists.find((t) => t.id === id)?.displayName ?? UNASSIGNED;
const slot = (s: { segment: Interval }): string => timeSlot(s.segment.start, s.segment.end);

/**
 * Returns the current Id of a part of a session: the session's own Id, the new piece's Id, or the Id of the session
 * that the part was joined to.
 */
function wireIdOf(d: CommittedDay, s: ChosenSegment): string {
  const at = timestampOf(d.day.date, s.segment.start);
  const change = d.changes.find((c) => c.of === s.row.key && c.after.starts === at);
  return change?.into ?? change?.wireId ?? s.row.wireId;
}

function actionsOf(d: CommittedDay): ActionsReply['actions'] {
  return shown(d).map((s) => ({
    date: d.day.date,
    client: nameOf(d, s),
    time: slot(s),
    from_therapist: therapistName(d, s.row.therapistId),
    to_therapist: s.status === 'Cancel' ? '' : therapistName(d, s.segment.therapistId),
    status: s.status,
    location: locationLabel(s.row.location),
    subject: s.row.subject,
    appointment_id: wireIdOf(d, s),
    reason: s.reason,
  }));
}

function uncoveredOf(d: CommittedDay): ActionsReply['uncovered'] {
  return shown(d)
    .filter((s) => s.status === 'Unassigned')
    .map((s) => ({
      date: d.day.date,
      client: nameOf(d, s),
      time: slot(s),
      minutes: s.segment.end - s.segment.start,
      subject: s.row.subject,
      booked_therapist: therapistName(d, s.row.therapistId ?? s.row.bookedTherapistId),
    }));
}

/** Lists the ids of the therapists whose days the commit changes, in the order of the day's therapists. */
function touchedTherapists(d: CommittedDay): string[] {
  const ids = new Set(
    shown(d).flatMap((s) => [s.row.therapistId, s.segment.therapistId, d.hadBefore.get(s.row.key) ?? null]),
  );
  return d.day.therapists.filter((t) => ids.has(t.id)).map((t) => t.id);
}

function byTherapist(d: CommittedDay): ActionsReply['by_therapist'] {
  const changed = shown(d);
  const statusNow = (a: DayAppointment) =>
    changed.find((s) => wireIdOf(d, s) === a.wireId && overlaps(s.segment, a))?.status;
  return touchedTherapists(d).flatMap((id) => {
    const therapist = therapistName(d, id);
    const own = d.after.appointments.filter((a) => a.therapistId === id && a.occupies);
    if (own.length === 0)
      return [{ therapist, date: d.day.date, time: '', client: '', subject: '', status: 'Nothing booked' }];
    return own.map((a) => {
      // Readers of the workbook may see this location, but perhaps no other.
      const visible = a.location === d.day.location;
      const client = a.clientId === null ? '' : (d.after.clients.find((c) => c.id === a.clientId)?.displayName ?? '');
      return {
        therapist,
        date: d.day.date,
        time: timeSlot(a.start, a.end),
        client: visible ? client : `(${locationLabel(a.location)})`,
        subject: visible ? a.subject : '',
        status: statusNow(a) ?? statusOf(a, own),
      };
    });
  });
}

/**
 * Describes the status of a therapist's unchanged appointment. For administrative time that new sessions use, the
 * status says how much of it they use.
 */
function statusOf(a: DayAppointment, own: readonly DayAppointment[]): string {
  const sessions = own.filter((other) => other.service !== 'admin');
  const taken = a.service === 'admin' ? within(a, sessions) : [];
  return taken.length === 0 ? 'Scheduled' : `Given up: ${slots(taken)}`;
}

const within = (of: Interval, list: readonly Interval[]): Interval[] =>
  union(list.flatMap((each) => intersect(of, each) ?? []));
const slots = (list: readonly Interval[]): string => list.map((s) => timeSlot(s.start, s.end)).join(', ');
