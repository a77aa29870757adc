import { clinicLocations, pushTo, type ClinicLocation, type SentLocation } from '@clinic/domain';

/** A session chosen for cancelling. `start` and `end` are wall time, `YYYY-MM-DDTHH:MM:SS`. */
export interface Chosen {
  client: string;
  location: string;
  start: string;
  end: string;
}

export interface CancelQuery {
  type: 'client_cancel';
  date: string;
  begin: string;
  end: string;
  location: string;
  client: string;
}

/** The locations that an account may choose. `of` lists the account's own locations; null means all locations. */
export const ownLocations = (of: readonly string[] | null): readonly ClinicLocation[] =>
  clinicLocations().filter(({ value }) => of === null || of.includes(value));

/**
 * Today's date at a location, by the server's time: this computer's clock may be wrong, and its time zone another one.
 */
export const todayAt = ({ zone }: { readonly zone: string }, now: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(now),
  );

export const keyOf = (c: Chosen): string => `${c.location}/${c.client}/${c.start}/${c.end}`;

/** Adds sessions to a list, drops duplicates, and sorts the list by time. */
export function add(list: readonly Chosen[], more: readonly Chosen[]): Chosen[] {
  const all = new Map([...list, ...more].map((c) => [keyOf(c), c]));
  return [...all.values()].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
}

/**
 * Makes one request for each location. Without a `replaces` field, the server keeps the absences that it already has.
 */
export function requests(list: readonly Chosen[]): { location: string; date: string; queries: CancelQuery[] }[] {
  const byLocation = new Map<string, CancelQuery[]>();
  for (const c of list) {
    const query: CancelQuery = {
      type: 'client_cancel',
      date: c.start.slice(0, 10),
      begin: c.start.slice(11, 16),
      // A session that lasts until midnight ends on the next date, at 00:00.
      end: c.end.slice(0, 10) === c.start.slice(0, 10) ? c.end.slice(11, 16) : '24:00',
      location: c.location,
      client: c.client,
    };
    pushTo(byLocation, c.location, query);
  }
  return [...byLocation].map(([location, queries]) => ({ location, date: queries[0]?.date ?? '', queries }));
}

/** The link that opens a day's options in the calendar. */
export function optionsLink(location: string, date: string): string {
  return `/calendar?${new URLSearchParams({ location, date, view: 'client', options: 'open' }).toString()}`;
}

const MAYBE_SAVED = 'The cancellation may have been saved: check the calendar before trying again.';

/**
 * Says why a request failed. Every refusal of our server has a `detail`. If there is no `detail`, no reply came, or the
 * reply was unreadable or came from a gateway; the server may have carried out the request all the same.
 * @param response null when no reply came
 * @param reply the reply's JSON; null or undefined when there was none
 */
export function problemOf(
  response: { readonly ok: boolean; readonly status: number } | null,
  reply: unknown,
  writes: boolean,
): string {
  const detail = isRecord(reply) ? reply['detail'] : null;
  const why = isRecord(detail) ? detail['message'] : detail;
  if (typeof why === 'string' && !response?.ok) return why;
  const what =
    response === null
      ? 'The server did not reply'
      : response.ok
        ? 'The server’s reply could not be read'
        : `Server error: ${response.status}`;
  const unknown = writes && (response === null || response.ok || response.status >= 500);
  return unknown ? `${what}. ${MAYBE_SAVED}` : `${what}.`;
}

/** Checks of the replies: what they must be at least. Anything else may be the page of a proxy. */
export const isProposal = (reply: unknown): reply is { data: Record<string, unknown> } =>
  isRecord(reply) && isRecord(reply['data']);

export interface ListedClient {
  first_name: string;
  last_name: string;
  /** Sent only by our server. People with the same first and last name have different display names. */
  display_name?: string;
  location: string;
}
export const isClientList = (reply: unknown): reply is ListedClient[] => Array.isArray(reply) && reply.every(isRecord);

/** Who is logged in. A server of an earlier version does not send the clinic's locations. */
interface SessionOf {
  account: { locations: readonly string[] | null };
  locations?: readonly SentLocation[];
  now: string;
}
export const isSession = (reply: unknown): reply is SessionOf =>
  isRecord(reply) && isRecord(reply['account']) && typeof reply['now'] === 'string';

/**
 * The message when saving absences fails. If the absences are saved and only the options failed, the server's message
 * begins with that.
 */
export const saveFailure = (why: string): string =>
  why.startsWith('The absences are saved.') ? why : `Failed to save absences: ${why}`;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
