import { formatTime } from '@clinic/domain';
import type { Loss, StoredAbsence } from '@clinic/contract';

/** An absence as the API shows it; the end of the day is written 23:59. */
export function presentAbsence(absence: {
  readonly id: string;
  readonly name: string;
  readonly type: 'therapist' | 'client';
  readonly former: boolean;
  readonly start: number;
  readonly end: number;
  readonly loss?: Loss;
}): StoredAbsence {
  return {
    id: absence.id,
    name: absence.name,
    type: absence.type,
    startTime: formatTime(absence.start),
    endTime: formatTime(Math.min(absence.end, 1439)),
    ...(absence.former ? { former: true } : {}),
    ...(absence.loss === undefined ? {} : { loss: absence.loss }),
  };
}
