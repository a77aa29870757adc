import { nameKey } from '@clinic/domain';

/** The statuses of an appointment: the words of the API, and the FHIR words used in the code and the database. */
const PAIRS = [
  ['Scheduled', 'pending'],
  ['Confirmed', 'booked'],
  ['Completed', 'fulfilled'],
  ['Cancelled', 'cancelled'],
  ['No Show', 'noshow'],
  ['deleted', 'entered-in-error'],
] as const;

export type WireStatus = (typeof PAIRS)[number][0];
export type InnerStatus = (typeof PAIRS)[number][1];

/** The status as the code uses it, for an API status in upper or lower case; null for an unknown status. */
export function parseStatus(wire: string): InnerStatus | null {
  const wanted = nameKey(wire);
  return PAIRS.find(([w]) => nameKey(w) === wanted)?.[1] ?? null;
}

export const isInnerStatus = (value: unknown): value is InnerStatus => PAIRS.some(([, inner]) => inner === value);

/** The API's word for a status. Throws RangeError when the status is unknown. */
export function wireStatus(inner: InnerStatus): WireStatus {
  const pair = PAIRS.find(([, i]) => i === inner);
  if (!pair) throw new RangeError(`no such status '${String(inner)}'`);
  return pair[0];
}

/** The status to show: an appointment without a therapist is never shown as confirmed. */
export const statusShown = (inner: InnerStatus, hasTherapist: boolean): WireStatus =>
  wireStatus(!hasTherapist && inner === 'booked' ? 'pending' : inner);

/** Shown instead of a therapist's name when a session has no therapist. */
export const UNASSIGNED = 'Unassigned';
