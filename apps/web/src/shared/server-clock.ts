import { readClockOffset, writeClockOffset } from './storage/keys.ts';

/**
 * An estimate of the server's clock. All times from the server follow that clock, while this computer's clock may be
 * wrong by minutes or days. The difference is stored, so that a reload need not wait for the server.
 */
let offset: number | null = readClockOffset();
const listeners = new Set<() => void>();

/** Differences below this are ignored, since replies take time and tokens count whole seconds. */
const TOLERANCE_MS = 2000;

/** @param instant the server's current time, in milliseconds since 1970 */
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
 * The server's current time in milliseconds since 1970, taken from this computer's clock until the server has sent its
 * time.
 */
export const serverNow = (): number => Date.now() + (offset ?? 0);

export function onServerClock(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

let skew = 0;
/**
 * Learns from a reply how wrong this computer's clock is. `date` is the reply's `Date` header. It always shows the
 * clock of the server's machine, even if the setting `CLOCK` gives the server another time.
 */
export function noteReplyDate(date: string | null): void {
  const at = Date.parse(date ?? '');
  if (!Number.isNaN(at)) skew = Date.now() - at;
}

/**
 * How many minutes this computer's clock is ahead of the server machine's clock (negative when behind); 0 for less
 * than five minutes.
 */
export function wrongMinutes(): number {
  const minutes = Math.round(skew / 60_000);
  return Math.abs(minutes) < 5 ? 0 : minutes;
}
