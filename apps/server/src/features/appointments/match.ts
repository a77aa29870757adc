import { mismatch, type Match } from '../../clinic-day/match.ts';
import { refusal } from '../../platform/refusal.ts';

/**
 * Refuses (422) a therapist who must not serve the client: the rules of the family and the clinic hold for manual
 * bookings as for plans. Availability and familiarity do not: people who book by hand know more than the calendar.
 */
export function refuseMismatch(match: Match): void {
  const reason = mismatch(match);
  if (reason !== null) throw refusal('therapist-unfit', reason);
}
