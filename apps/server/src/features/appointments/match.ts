import { mismatch, type Match } from '../../clinic-day/match.ts';
import { refusal } from '../../platform/refusal.ts';

/**
 * Refuses (422) a therapist who must not serve the client: what the family or the clinic decided holds for bookings made
 * by hand as it does for plans. Availability and familiarity do not: whoever books by hand knows more than the calendar.
 */
export function refuseMismatch(match: Match): void {
  const reason = mismatch(match);
  if (reason !== null) throw refusal('therapist-unfit', reason);
}
