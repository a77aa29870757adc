import { notEmployed, type IsoDate } from '@clinic/domain';
import { employmentOf } from '../../clinic-day/employment.ts';
import { mismatch, type Match } from '../../clinic-day/match.ts';
import type { Db } from '../../db/connection.ts';
import { refusal } from '../../platform/refusal.ts';

/**
 * Refuses (422) a therapist who must not serve the client: the rules of the family and the clinic hold for manual
 * bookings as for plans. Availability and familiarity do not: people who book by hand know more than the calendar.
 */
export function refuseMismatch(match: Match): void {
  const reason = mismatch(match);
  if (reason !== null) throw refusal('therapist-unfit', reason);
}

/**
 * Refuses (409) dates before the therapist's first day or after the last, which the caller may pass with `anyway`.
 * @returns what to record of those that were passed; null: none were
 */
export async function passEmployment(
  trx: Db,
  therapistId: string | null,
  dates: readonly IsoDate[],
  anyway: boolean,
): Promise<string | null> {
  if (therapistId === null || dates.length === 0) return null;
  const therapist = await trx
    .selectFrom('therapist')
    .select(['display_name', 'start_date', 'end_date'])
    .where('id', '=', therapistId)
    .forShare() // as in selectMatch
    .executeTakeFirstOrThrow();
  const employment = employmentOf(therapist);
  const reason = dates.flatMap((date) => notEmployed(therapist.display_name, employment, date) ?? [])[0];
  if (reason === undefined) return null;
  if (!anyway) throw refusal('therapist-not-employed', reason).with({ extra: { anyway: true } });
  return PASSED;
}

const PASSED = 'Booked outside the therapist’s first and last day';
