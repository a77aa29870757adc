import { formatTime } from '@clinic/domain';
import type { LeaveRange, StoredAbsence } from '@clinic/contract';
import type { LeaveTag } from './facts/leaves.ts';
import type { AwayPerson } from './rows.ts';

/** An absence as the API shows it; the end of the day is written 23:59. */
export function presentAbsence(absence: AwayPerson): StoredAbsence {
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
