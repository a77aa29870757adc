import type { Gender, Specialization } from '@clinic/domain';

/** What it takes to decide whether a therapist may serve a client. Names are those shown. */
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
    /** Set: no longer with the clinic. */
    readonly deleted_at: unknown;
  };
}

/** Why the therapist must not serve the client, as a sentence; null when they may. */
export function mismatch({ client, therapist, ...match }: Match): string | null {
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
