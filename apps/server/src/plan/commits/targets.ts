import type { Conflict } from '@clinic/contract';
import { addFigures, overlaps, possessive, timeSlot, type CoverFigures, type StretchStatus } from '@clinic/domain';
import type { ClinicDay, DayAppointment } from '../../day/facts/day.ts';
import type { PlannedDay, PlannedSession, Segment } from '../problem/planned-day.ts';
import { planFigures, type SessionPlan } from '../problem/plan-figures.ts';
import { segmentsOf, statusOf } from '../problem/segments.ts';
import type { ChangeKind } from '../../day/appointment-states.ts';
import type { RowPlan, TargetSegment } from '../problem/session-writes.ts';
import { whyLost } from '../../day/facts/why-lost.ts';
import { sessionNow } from '../problem/stale.ts';
import type { Selected } from '../problem/selection.ts';

/** A chosen part of an appointment, and the appointment's current state on the calendar. */
export interface ChosenSegment {
  choice: Selected;
  session: PlannedSession;
  row: DayAppointment;
  segment: Segment;
  status: StretchStatus;
  reason: string;
}

const KINDS: Readonly<Record<StretchStatus, ChangeKind>> = {
  Scheduled: 'kept',
  Cover: 'covered',
  Swap: 'swapped',
  Cancel: 'cancelled',
  Unassigned: 'uncovered',
};

/** What a choice does to each of its sessions, for counting the figures. */
const chosenPlans = (fresh: PlannedDay, choice: Selected): SessionPlan[] =>
  choice.sessions.flatMap((id) => {
    const session = sessionNow(fresh, id);
    return session ? [{ session, segments: segmentsOf(session, choice.option.pieces[id]) }] : [];
  });

/** Returns the figures of the options chosen for a day. They are the sums of each choice's figures, as on the page. */
export const chosenFigures = (fresh: PlannedDay, chosen: readonly Selected[]): CoverFigures =>
  addFigures(chosen.map((choice) => planFigures(fresh, chosenPlans(fresh, choice))));

/** Returns every part of every appointment in a day's choice, changed or not. */
export function chosenSegments(day: ClinicDay, fresh: PlannedDay, chosen: readonly Selected[]): ChosenSegment[] {
  const rows = new Map(day.appointments.map((a) => [a.key, a]));
  return chosen.flatMap((choice) =>
    chosenPlans(fresh, choice).flatMap(({ session, segments }) =>
      session.rows.flatMap(({ key }) => {
        const row = rows.get(key);
        if (!row) return [];
        return segments.map((segment) => {
          const status = segment.past ? 'Scheduled' : statusOf(session, segment);
          return {
            choice,
            session,
            row,
            segment,
            status,
            reason: withCause(reasonFor(fresh, session, status), day, {
              ...row,
              start: segment.start,
              end: segment.end,
            }),
          };
        });
      }),
    ),
  );
}

/** Describes an absence with its cause, for the staff: `Ana Ruiz is away (sick)`. */
function withCause(reason: string, day: ClinicDay, stretch: DayAppointment): string {
  const cause = whyLost(day, stretch)?.label;
  return cause == null ? reason : reason.replace(/ is away/, (away) => `${away} (${cause.toLowerCase()})`);
}

function reasonFor(fresh: PlannedDay, session: PlannedSession, status: StretchStatus): string {
  const holder = session.rows[0]?.therapistId ?? null;
  const name = holder === null ? null : (fresh.names[holder] ?? null);
  const gone = session.declined ?? 'is away';
  switch (status) {
    case 'Cancel':
      return `${session.listedAs} is away`;
    case 'Unassigned':
      return name === null ? 'No therapist is free' : `${name} ${gone} and no therapist is free`;
    case 'Cover':
      return name === null ? 'No therapist had this session' : `${name} ${gone}`;
    case 'Swap':
      return `Frees ${name ?? 'the therapist'} for another session`;
    case 'Scheduled':
      return '';
  }
}

/**
 * Finds conflicts with a therapist's other sessions: a chosen option uses their time, but the option that would free it
 * was not chosen. A session at another location is never found here, since no therapist is available during it, and
 * `conflictsOf` has refused the choice before.
 */
export function stillTaken(day: ClinicDay, fresh: PlannedDay, segments: readonly ChosenSegment[]): Conflict[] {
  const chosen = new Set(segments.map((s) => s.row.key));
  const standing = day.appointments.filter((a) => a.occupies && a.service !== 'admin' && !chosen.has(a.key));
  return segments.flatMap(({ choice, row, segment }) => {
    const { therapistId, cancelled } = segment;
    if (therapistId === null || cancelled || therapistId === row.therapistId) return [];
    const name = fresh.names[therapistId] ?? '';
    return standing
      .filter((a) => a.therapistId === therapistId && overlaps(a, segment))
      .map((a) => {
        return {
          date: day.date,
          time: timeSlot(Math.max(a.start, segment.start), Math.min(a.end, segment.end)),
          therapist: name,
          client: choice.client,
          option: choice.option.name,
          why: takenBy(day, name, a),
        };
      });
  });
}

function takenBy(day: ClinicDay, name: string, session: DayAppointment): string {
  const client = day.clients.find((c) => c.id === session.clientId)?.displayName ?? 'another client';
  return `${name} still has ${possessive(client)} session then; choose an option for ${client} as well.`;
}

/** The appointments to write, each with its parts. */
export function rowPlans(segments: readonly ChosenSegment[]): RowPlan[] {
  const plans = new Map<string, { row: DayAppointment; segments: TargetSegment[] }>();
  for (const { row, segment, status, reason } of segments) {
    const plan = plans.get(row.key) ?? { row, segments: [] };
    const { start, end, cancelled } = segment;
    const therapistId = cancelled ? row.therapistId : segment.therapistId;
    plan.segments.push({ start, end, cancelled, therapistId, swap: status === 'Swap', what: KINDS[status], reason });
    plans.set(row.key, plan);
  }
  return [...plans.values()];
}
