import { addDays, type IsoDate, type LossSide, type Random } from '@clinic/domain';
import type { AppointmentStatus } from '../schema/calendar.ts';

/** Why a session was lost, who caused it (null if the cause implies it), and when the clinic learned of the loss. */
export interface DemoLoss {
  readonly cause_id: string | null;
  readonly lost_by: LossSide | null;
  readonly known_at: string | null;
}

export const NOT_LOST: DemoLoss = { cause_id: null, lost_by: null, known_at: null };

/**
 * The causes of cancelled sessions; frequent causes are listed several times. Null means that no cause was recorded.
 */
const CAUSES: readonly (readonly [cause: string, lostBy: LossSide | null] | null)[] = [
  ['sick', 'family'] as const,
  ['sick', 'family'] as const,
  ['sick', 'therapist'] as const,
  ['family-reason', null] as const,
  ['family-reason', null] as const,
  ['leave', 'therapist'] as const,
  ['no-therapist', null] as const,
  ['no-therapist', null] as const,
  ['weather', null] as const,
  ['training', null] as const,
  ['authorization', null] as const,
  null,
  null,
  null,
];

/** Invents why a past session was cancelled or was a no-show. Most cancellations were known two days before. */
export function demoLoss(
  status: AppointmentStatus,
  { date, start }: { readonly date: IsoDate; readonly start: string },
  random: Random,
): DemoLoss {
  const late = random.chance(0.35);
  const cause = random.pick(CAUSES);
  if (status === 'noshow') return { cause_id: 'no-show', lost_by: 'family', known_at: `${date} ${start}` };
  if (cause === null) return NOT_LOST;
  const [cause_id, lost_by] = cause;
  return { cause_id, lost_by, known_at: late ? `${date} 06:40:00` : `${addDays(date, -2)} 15:20:00` };
}
