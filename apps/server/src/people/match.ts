import type { Gender, Service, Specialization } from '@clinic/domain';

/** Everything that decides whether a therapist may serve a client. Names are display names. */
export interface Match {
  readonly client: string;
  readonly rbtOrAbove: boolean;
  readonly requiresGender: readonly Gender[];
  readonly excludesTherapist: readonly string[];
  readonly therapist: {
    readonly id: string;
    readonly display_name: string;
    readonly gender: Gender;
    readonly specialization: Specialization;
    /** The credential that the therapist has on the date; without a date, the credential in the profile. */
    readonly counts?: Specialization;
    /** When the therapist left the clinic, as a timestamp; null while they work there. */
    readonly deleted_at: unknown;
  };
}

/** Says in a sentence why the therapist may not serve the client; null when they may. */
export function mismatch({ client, therapist, ...match }: Match): string | null {
  if (therapist.deleted_at !== null) return `${therapist.display_name} is no longer with the clinic.`;
  if (match.excludesTherapist.includes(therapist.id)) {
    return `${client} cannot be booked with ${therapist.display_name} (client restriction).`;
  }
  if (match.requiresGender.length > 0 && !match.requiresGender.includes(therapist.gender)) {
    const wanted = match.requiresGender[0] === 'Female' ? 'female' : 'male';
    return `${client} can be booked only with ${wanted} therapists (client restriction).`;
  }
  return match.rbtOrAbove ? tooLow(client, therapist) : null;
}

/**
 * Returns a sentence if the session may be taken over only by a BCBA and the therapist does not count as one; otherwise
 * null. Every session with a client, except direct therapy, needs a BCBA when someone takes it over.
 */
export function needsBcba(
  { service, subject }: { readonly service: Service; readonly subject: string },
  {
    display_name,
    specialization,
    counts,
  }: Pick<Required<Match['therapist']>, 'display_name' | 'specialization' | 'counts'>,
): string | null {
  if (service === 'direct' || service === 'admin' || counts === 'BCBA') return null;
  const lack = specialization === 'BCBA' ? 'has no valid BCBA credential on that date' : 'is not a BCBA';
  return `${subject} needs a BCBA; ${display_name} ${lack}.`;
}

/** Returns a sentence if the therapist's credential is below RBT, in general or on that date; otherwise null. */
function tooLow(
  client: string,
  { display_name, specialization, counts = specialization }: Omit<Match['therapist'], 'id' | 'gender' | 'deleted_at'>,
): string | null {
  if (counts !== 'BT') return null;
  return specialization === 'BT'
    ? `${client} needs an RBT or above; ${display_name} is a BT.`
    : `${client} needs an RBT or above; ${display_name} has no valid ${specialization} credential on that date.`;
}
