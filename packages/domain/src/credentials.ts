import { holdsOn, type Dated } from './dated.ts';
import { SPECIALIZATIONS, type Specialization } from './restrictions.ts';
import type { IsoDate } from './time.ts';

/** A credential with the dates for which it was issued. */
export interface DatedCredential extends Dated {
  readonly credential: Specialization;
}

/**
 * What a therapist counts as on a date. Their own specialization holds without any record of it (the rule is then off
 * for them); with records, only while one of them is live. Otherwise they count as the next lower credential of which a
 * record is live, and as a BT without any: an expired RBT counts as a BT.
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
