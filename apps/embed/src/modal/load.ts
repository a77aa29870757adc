import type { SpecifiedDay } from './model.ts';

/** The result of loading a week; `detail` is a message for the user. */
export type Loaded = { ok: true; data: SpecifiedDay[] } | { ok: false; detail: string };

export type GetToken = () => string | null | undefined | Promise<string | null | undefined>;

/** The page's `getToken`, and then the server, have this long to reply. */
const LONGEST_WAIT_MS = 30_000;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isList = <T>(value: unknown, isEntry: (entry: unknown) => entry is T): value is T[] =>
  Array.isArray(value) && value.every(isEntry);
const isTime = (value: unknown): value is string => typeof value === 'string' && /^[\d-]{10}[T ]\d\d:\d\d/.test(value);
const isTimeOrNull = (value: unknown): value is string | null => value === null || isTime(value);
const isDay = (value: unknown): value is SpecifiedDay =>
  isRecord(value) && isList(value['slots'], isTime) && isList(value['ends'] ?? [], isTimeOrNull);

/** A refusal's message, with the fields' names as users know them; empty when there is none. */
export function refusalWords(body: unknown): string {
  const text = isRecord(body) ? body['detail'] : null;
  if (typeof text !== 'string') return '';
  return text.replace('client_name:', 'Client:').replace('location:', 'Location:').replace('start_date:', 'Week:');
}

/**
 * Loads a client's booked sessions in the week from `monday`. Never throws: a page without a login, a refusal, an
 * unreadable reply and no reply each have their own message.
 */
export async function loadWeek(
  base: string,
  getToken: GetToken,
  wanted: { clientName: string; location: string; monday: string },
  signal: AbortSignal,
): Promise<Loaded> {
  const failed = (detail: string): Loaded => ({ ok: false, detail });
  let token: string | null | undefined;
  try {
    token = await Promise.race([
      getToken(),
      new Promise<never>((_, reject) => void setTimeout(() => reject(new Error('late')), LONGEST_WAIT_MS)),
    ]);
  } catch {
    return failed('This page did not say who is logged in. Log in again.');
  }
  const query = new URLSearchParams({
    client_name: wanted.clientName,
    location: wanted.location,
    start_date: wanted.monday,
  });
  let response: Response;
  try {
    response = await fetch(`${base}/api/timeslots?${query.toString()}`, {
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_WAIT_MS)]),
    });
  } catch {
    return failed('The scheduler could not be reached.');
  }
  let body: unknown;
  try {
    body = await response.json();
  } catch {
    return failed('The reply was not JSON, so it could not be read.');
  }
  if (response.status === 401) return failed('You are not logged in, or your session has ended.');
  if (!response.ok) return failed(refusalWords(body));
  const data = isRecord(body) ? body['data'] : null;
  return isList(data, isDay) ? { ok: true, data } : failed('The reply could not be read.');
}
