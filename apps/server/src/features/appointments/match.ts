import { Refusal } from '../../platform/errors.ts';
import type { Match } from './placing.queries.ts';

/**
 * Refuses (422) a therapist who must not serve the client: what the family or the clinic decided holds for bookings made
 * by hand as it does for plans. Availability and familiarity do not: whoever books by hand knows more than the calendar.
 */
export function refuseMismatch(match: Match): void {
  const reason = mismatch(match);
  if (reason !== null) throw new Refusal('invalid', { message: `therapist: ${reason} Nothing was saved.` });
}

/** Why the therapist must not serve the client, as a sentence; null when they may. */
function mismatch({ client, therapist, ...match }: Match): string | null {
  if (therapist.deleted_at !== null) return `${therapist.display_name} is no longer with the clinic.`;
  if (match.excludesTherapist.includes(therapist.id)) {
    return `${client} is never with ${therapist.display_name} (client restriction).`;
  }
  if (match.requiresGender.length > 0 && !match.requiresGender.includes(therapist.gender)) {
    const wanted = match.requiresGender[0] === 'Female' ? 'female' : 'male';
    return `${client} is only with ${wanted} therapists (client restriction); ${therapist.display_name} is not.`;
  }
  if (match.rbtOrAbove && therapist.specialization === 'BT') {
    return `${client} needs an RBT or above; ${therapist.display_name} is a BT.`;
  }
  return null;
}
