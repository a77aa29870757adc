import { overlaps, slotStart } from '@clinic/domain';
import { outward } from '../../day/facts/grid-plan.ts';
import type { PlannedDay } from './planned-day.ts';

/** Said of someone who cannot take a session for this reason. */
export const ELSEWHERE = 'booked at another location then';

/** Whether a therapist is booked at another location during these slots. */
export const isElsewhere = (
  { elsewhere = {} }: PlannedDay,
  therapist: string,
  { from, to }: { readonly from: number; readonly to: number },
): boolean =>
  (elsewhere[therapist] ?? []).some((booked) =>
    overlaps(outward(booked), { start: slotStart(from), end: slotStart(to) }),
  );
