import type { SpecifiedDay } from './model.ts';

/** The result of loading a week; `detail` is a message for the user. */
export type Loaded = { ok: true; data: SpecifiedDay[] } | { ok: false; detail: string };

const isDay = (value: unknown): value is SpecifiedDay =>
  typeof value === 'object' &&
  value !== null &&
  'slots' in value &&
  Array.isArray(value.slots) &&
  value.slots.every((slot) => typeof slot === 'string');

/**
 * Loads a client's booked sessions in the week from `monday`. Never throws: a refusal, an unreadable reply and no reply
 * each have their own message.
 */
export async function loadWeek(
  base: string,
  token: string | null,
  wanted: { clientName: string; location: string; monday: string },
  signal: AbortSignal,
): Promise<Loaded> {
  const query = new URLSearchParams({
    client_name: wanted.clientName,
    location: wanted.location,
    start_date: wanted.monday,
  });
  let response: Response;
  try {
    response = await fetch(`${base}/api/timeslots?${query.toString()}`, {
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      signal,
    });
  } catch {
    return { ok: false, detail: 'The scheduler could not be reached.' };
  }
  let body: unknown;
  try {
    body = await response.json();
  } catch {
    return { ok: false, detail: 'The reply was not JSON, so it could not be read.' };
  }
  if (response.status === 401) return { ok: false, detail: 'You are not logged in, or your session has ended.' };
  if (!response.ok) {
    const detail =
      typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string'
        ? body.detail
        : '';
    return { ok: false, detail };
  }
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : null;
  return Array.isArray(data) && data.every(isDay)
    ? { ok: true, data }
    : { ok: false, detail: 'The reply could not be read.' };
}
