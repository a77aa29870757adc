import { holdsOn, type Dated } from './dated.ts';
import { SPECIALIZATIONS, type Specialization } from './people.ts';
import type { IsoDate } from './time.ts';

/** A credential, and the dates on which it is valid. */
export interface DatedCredential extends Dated {
  readonly credential: Specialization;
}

/**
 * The credential that a therapist has on a date. If the profile's credential has no record, it counts on every date. If
 * it has records, it counts only on dates on which one of them is valid; on other dates, the highest valid lower
 * credential counts, or BT if there is none. So an RBT with an expired credential counts as a BT.
 */
export function credentialOn(
  specialization: Specialization,
  records: readonly DatedCredential[],
  date: IsoDate,
): Specialization {
  const of = (level: Specialization) => records.filter(({ credential }) => credential === level);
  if (of(specialization).length === 0) return specialization;
  const lower = SPECIALIZATIONS.slice(SPECIALIZATIONS.indexOf(specialization));
  return lower.find((level) => of(level).some((record) => holdsOn(record, date))) ?? 'BT';
}
