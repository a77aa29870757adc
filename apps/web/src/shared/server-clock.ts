import { readClockOffset, writeClockOffset } from './storage/keys.ts';

/**
 * The server's clock, as far as this browser knows it. All instants from the server (a token's end, a session's end,
 * the clinic's current time) are on that clock; this computer's own may be wrong by minutes or days. The difference is
 * stored, so that a reload need not wait for the server.
 */
let offset: number | null = readClockOffset();
const listeners = new Set<() => void>();

/**
 * Replies take time to arrive and a token's time is in whole seconds: anything smaller does not count as a difference.
 */
const TOLERANCE_MS = 2000;

/** @param instant what the server's clock says now, milliseconds since the epoch */
export function learnServerNow(instant: number): void {
  const next = instant - Date.now();
  if (Number.isNaN(next) || (offset !== null && Math.abs(next - offset) < TOLERANCE_MS)) return;
  offset = next;
  writeClockOffset(next);
  for (const listener of listeners) listener();
}

/** How many milliseconds the server's clock is ahead of this computer's; null until the server has sent its time. */
export const clockOffset = (): number | null => offset;

/**
 * The current time on the server, in milliseconds since the epoch; this computer's until the server has sent its time.
 */
export const serverNow = (): number => Date.now() + (offset ?? 0);

export function onServerClock(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

let skew = 0;
/** `date`: the `Date` header of a reply, from the server machine's clock, which `CLOCK` does not change. */
export function noteReplyDate(date: string | null): void {
  const at = Date.parse(date ?? '');
  if (!Number.isNaN(at)) skew = Date.now() - at;
}

/** How many minutes this computer's clock is ahead of the server machine's (behind: negative); 0 while it is right. */
export function wrongMinutes(): number {
  const minutes = Math.round(skew / 60_000);
  return Math.abs(minutes) < 5 ? 0 : minutes;
}
