import { useEffect } from 'react';
import { calendarEndpoints, type ClinicEvent } from '@clinic/contract';
import { getSession, onSession } from '../session/session-store.ts';
import { afterFrame } from '../after-frame.ts';
import { whileVisible } from '../while-visible.ts';
import type { QueryFilters } from '@tanstack/react-query';
import { queryClient, queryKeys, reload } from './query-client.ts';
import { ApiError, NoReplyError, send } from './client.ts';

type Listener = (event: ClinicEvent) => void;
const listeners = new Set<Listener>();

/**
 * Calls the listener for each clinic event, and with `resync` when the stream opens. Returns a function that removes
 * the listener.
 */
export function onClinicEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Calls the listener for each clinic event while the component is mounted. */
export function useClinicEvents(listener: Listener): void {
  useEffect(() => onClinicEvent(listener), [listener]);
}

/** This tab's id. The server forgets what the tab is working on when the tab's event stream ends. */
export const TAB = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

const openings = new Set<() => void>();
/** Calls the listener each time the stream opens. Returns a function that removes the listener. */
export function onStreamOpen(listener: () => void): () => void {
  openings.add(listener);
  return () => void openings.delete(listener);
}

const CALLS = ['calls', 'call-count'];
const REPORTED = 'reported-absences';
const WEEK = 'week';

/** Events may have been missed, so everything is loaded again. */
export const RESYNC: ClinicEvent = { kind: 'resync', dates: [] };

/**
 * Reloads what an event has changed, in the background. Requests under way are restarted if `restart` is true, since
 * their replies may be out of date.
 */
export function applyEvent({ kind, location, dates }: ClinicEvent, restart = true): void {
  const all = kind === 'resync';
  const load = restart
    ? reload
    : (filters: QueryFilters) => void queryClient.invalidateQueries(filters, { cancelRefetch: false });
  if (kind === 'presence' || all) load({ queryKey: queryKeys.presence });
  if (kind === 'presence') return;
  if (kind === 'locations' || all) load({ queryKey: queryKeys.session });
  if (kind === 'profiles' || kind === 'import' || all) {
    load({ queryKey: queryKeys.therapists });
    load({ queryKey: queryKeys.clients });
  }
  // The week is about every location.
  load({ queryKey: kind === 'calls' ? [WEEK, 'calls'] : [WEEK] });
  // An event about calls does not change the day itself.
  const concerned = new Set(kind === 'calls' ? CALLS : ['slots', 'today', 'commits', REPORTED, ...CALLS]);
  load({
    predicate: ({ queryKey: [name, at, date] }) =>
      concerned.has(String(name)) &&
      (location === undefined || at === location) &&
      // The Today page shows the whole week, so an event on any date may change it.
      (name === 'today' || name === REPORTED || dates.length === 0 || dates.includes(String(date))),
  });
}

/** Events wait at most this long, in milliseconds. */
const LONGEST_HOLD_MS = 500;
/** The events held back; null while no events are held back. */
let held: ClinicEvent[] | null = null;

/**
 * Holds events back while the page waits for `work` and draws its result, but for half a second at most. Otherwise, the
 * reloads that the work itself causes would delay the result.
 */
export async function holdEvents<T>(work: Promise<T>): Promise<T> {
  const mine = (held ??= []);
  const release = (): void => {
    if (held !== mine) return;
    held = null;
    for (const event of mine) applyEvent(event);
  };
  setTimeout(release, LONGEST_HOLD_MS);
  try {
    return await work;
  } finally {
    afterFrame(release);
  }
}

/** Reloads what an event has changed, now or when events are no longer held back. */
export function hearEvent(event: ClinicEvent): void {
  if (held) held.push(event);
  else applyEvent(event);
}

/** Splits a stream of server-sent events into the JSON of its `data:` lines; skips anything else. */
export function createEventParser(onData: (value: unknown) => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    rest += chunk;
    // A line ending may arrive in two chunks, so a CR at the end waits for its LF.
    const whole = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
    const blocks = whole.replace(/\r\n?/g, '\n').split('\n\n');
    rest = (blocks.pop() ?? '') + rest.slice(whole.length);
    for (const block of blocks) {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n');
      if (data === '') continue;
      try {
        onData(JSON.parse(data));
      } catch {
        // Skips a comment or an incomplete event.
      }
    }
  };
}

/** The server writes to the stream every 20 seconds. A longer silence means that the connection is lost. */
const SILENCE_MS = 60_000;

async function listen(signal: AbortSignal): Promise<void> {
  // When a network goes silent (a laptop that slept, a changed address), its connections are not closed, and the read
  // would wait forever.
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    heard();
    const response = await send(calendarEndpoints.events, {
      signal: AbortSignal.any([signal, silence.signal]),
      query: { tab: TAB },
      background: true,
      headers: { Accept: 'text/event-stream' },
    });
    if (!response.headers.get('Content-Type')?.startsWith('text/event-stream'))
      throw new NoReplyError('unreadable', calendarEndpoints.events, response.status);
    // Data loaded before the stream opened may be out of date, so it is loaded again. Requests under way are not
    // repeated.
    if (!signal.aborted) {
      applyEvent(RESYNC, false);
      for (const listener of listeners) listener(RESYNC);
    }
    for (const opened of openings) opened();
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!reader) return;
    const feed = createEventParser((value) => {
      const event = value as ClinicEvent;
      hearEvent(event);
      for (const listener of listeners) listener(event);
    });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      feed(value);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Keeps the event stream open until `signal` is aborted or the login session ends; see `useLiveEvents`. */
export async function keepListening(signal: AbortSignal): Promise<void> {
  let wait = 1000;
  while (!signal.aborted && getSession().signedIn) {
    const began = Date.now();
    try {
      await listen(signal);
    } catch (error) {
      // A refusal without a reason comes from something on the way, and may pass.
      if (error instanceof ApiError && error.detail !== null && error.status < 500 && error.status !== 429) return;
    }
    if (signal.aborted) return;
    wait = Date.now() - began > 10_000 ? 1000 : Math.min(30_000, wait * 2);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
}

/**
 * Keeps the event stream open while someone is logged in and the page is visible. A hidden page closes it: with
 * HTTP/1.1, a browser has only six connections for all tabs of a site. A lost stream is reopened after 1 to 30 seconds.
 * Then everything is reloaded, since events may have been missed.
 */
export function useLiveEvents(): void {
  useEffect(() => {
    const begin = () => whileVisible((signal) => void keepListening(signal));
    let end = getSession().signedIn ? begin() : null;
    const off = onSession(() => {
      const { signedIn } = getSession();
      if (signedIn === (end !== null)) return;
      end?.();
      end = signedIn ? begin() : null;
    });
    return () => {
      off();
      end?.();
    };
  }, []);
}
