import { formatTime, type Interval, type PersonKind } from '@clinic/domain';
import type { LeaveRange, Loss, StoredAbsence } from '@clinic/contract';
import type { LeaveTag } from './facts/leaves.ts';

interface PresentedAbsence extends Interval {
  readonly id: string;
  readonly name: string;
  readonly type: PersonKind;
  readonly former: boolean;
  readonly loss?: Loss;
  readonly untold?: boolean;
  readonly leave?: LeaveTag;
}

/** An absence as the API shows it; the end of the day is written 23:59. */
export function presentAbsence(absence: PresentedAbsence): StoredAbsence {
  return {
    id: absence.id,
    name: absence.name,
    type: absence.type,
    startTime: formatTime(absence.start),
    endTime: formatTime(Math.min(absence.end, 1439)),
    ...(absence.former ? { former: true } : {}),
    ...(absence.loss === undefined ? {} : { loss: absence.loss }),
    ...(absence.untold === undefined ? {} : { untold: absence.untold }),
    ...(absence.leave === undefined ? {} : { leave: presentTag(absence.leave) }),
  };
}

const presentTag = ({ id, first, last, weekdays }: LeaveTag): LeaveRange & { readonly id: string } => ({
  id,
  first_date: first,
  last_date: last,
  weekdays: [...weekdays],
});
