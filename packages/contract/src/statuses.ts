import { nameKey } from '@clinic/domain';

/** Appointment statuses: the words used in the API, and the FHIR words used inside. */
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

/** From the API's word, in any case; null for an unknown word. */
export function parseStatus(wire: string): InnerStatus | null {
  const wanted = nameKey(wire);
  return PAIRS.find(([w]) => nameKey(w) === wanted)?.[1] ?? null;
}

export const isInnerStatus = (value: unknown): value is InnerStatus => PAIRS.some(([, inner]) => inner === value);

/** To the API's word. Throws RangeError for an unknown status. */
export function wireStatus(inner: InnerStatus): WireStatus {
  const pair = PAIRS.find(([, i]) => i === inner);
  if (!pair) throw new RangeError(`no such status '${String(inner)}'`);
  return pair[0];
}

/** The status that people read: without a therapist, nothing is confirmed yet. */
export const statusShown = (inner: InnerStatus, hasTherapist: boolean): WireStatus =>
  wireStatus(!hasTherapist && inner === 'booked' ? 'pending' : inner);

/** What a therapist column shows for a session without a therapist. */
export const UNASSIGNED = 'Unassigned';
