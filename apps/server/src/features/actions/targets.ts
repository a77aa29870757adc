import type { ClinicDay, DayAppointment } from '../../clinic-day/clinic-day.ts';
import type { PlannedDay, PlannedSession, Segment } from '../../clinic-day/planned-day.ts';
import { segmentsOf, statusOf, type SegmentStatus } from '../../clinic-day/segments.ts';
import type { ChangeKind, RowPlan, TargetSegment } from '../../clinic-day/session-writes.ts';
import { sessionNow } from '../../clinic-day/stale.ts';
import type { ChosenClient } from './choice.ts';

/** A stretch of an appointment as chosen, with what it is on the calendar as it stands. */
export interface ChosenSegment {
  choice: ChosenClient;
  session: PlannedSession;
  row: DayAppointment;
  segment: Segment;
  status: SegmentStatus;
  reason: string;
}

const KINDS: Readonly<Record<SegmentStatus, ChangeKind>> = {
  Scheduled: 'kept',
  Cover: 'covered',
  Swap: 'swapped',
  Cancel: 'cancelled',
  Unassigned: 'uncovered',
};

/** Every stretch of every appointment that a day's choice is about. */
export function chosenSegments(day: ClinicDay, fresh: PlannedDay, chosen: readonly ChosenClient[]): ChosenSegment[] {
  const rows = new Map(day.appointments.map((a) => [a.key, a]));
  return chosen.flatMap((choice) =>
    choice.sessions.flatMap((id) => {
      const session = sessionNow(fresh, id);
      if (!session) return [];
      return session.rows.flatMap(({ key }) => {
        const row = rows.get(key);
        if (!row) return [];
        return segmentsOf(session, choice.option.pieces[id]).map((segment) => {
          const status = segment.past ? 'Scheduled' : statusOf(session, segment);
          return { choice, session, row, segment, status, reason: reasonFor(fresh, session, status) };
        });
      });
    }),
  );
}

function reasonFor(fresh: PlannedDay, session: PlannedSession, status: SegmentStatus): string {
  const holder = session.rows[0]?.therapistId ?? null;
  const name = holder === null ? null : (fresh.names[holder] ?? null);
  switch (status) {
    case 'Cancel':
      return `${session.listedAs} is away`;
    case 'Unassigned':
      return name === null ? 'No therapist is free' : `${name} is away and no therapist is free`;
    case 'Cover':
      return name === null ? 'Nobody had this session' : `${name} is away`;
    case 'Swap':
      return `Frees ${name ?? 'the therapist'} for another session`;
    case 'Scheduled':
      return '';
  }
}

/** What is to be written: each appointment with its stretches. */
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
