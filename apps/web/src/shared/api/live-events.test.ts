import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { endSession, keepToken } from '../session/session-store.ts';
import { createEventParser, hearEvent, holdEvents, keepListening, onClinicEvent, onStreamOpen } from './live-events.ts';
import { queryClient, queryKeys } from './query-client.ts';

test('however the stream is split into chunks, whole events are read and broken events are skipped', () => {
  const stream = ': hello\n\nevent: change\ndata: {"kind":"commit"}\n\ndata: {"a":\r\ndata: 1}\r\n\r\ndata: broken\n\n';
  for (let size = 1; size < 20; size++) {
    const heard: unknown[] = [];
    const feed = createEventParser((value) => heard.push(value));
    for (let at = 0; at < stream.length; at += size) feed(stream.slice(at, at + size));
    expect(heard).toEqual([{ kind: 'commit' }, { a: 1 }]);
  }
});

describe('events that arrive while the page is saving', () => {
  const key = queryKeys.slots('altamonte', '2026-11-20');
  const event = { kind: 'absences' as const, location: 'altamonte' as const, dates: ['2026-11-20'] };
  const reloads = (): boolean => queryClient.getQueryState(key)?.isInvalidated ?? false;
  let frames: (() => void)[];
  beforeEach(() => {
    frames = [];
    vi.useFakeTimers();
    vi.stubGlobal('requestAnimationFrame', (work: () => void) => frames.push(work));
    queryClient.setQueryData(key, { version: 1 });
  });
  afterEach(() => {
    vi.runAllTimers();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    queryClient.clear();
  });

  test('given a save that succeeds, then an event reloads the day only after the reply has been drawn', async () => {
    let reply = (): void => {};
    const held = holdEvents(new Promise<void>((resolve) => (reply = resolve)));
    hearEvent(event);
    reply();
    await held;
    expect(reloads()).toBe(false);
    frames.forEach((draw) => draw());
    vi.advanceTimersByTime(1);
    expect(reloads()).toBe(true);
  });

  test('given a save that fails, then its error is passed on, and the event is not lost', async () => {
    const held = holdEvents(Promise.reject(new Error('refused')));
    hearEvent(event);
    await expect(held).rejects.toThrow('refused');
    frames.forEach((draw) => draw());
    vi.advanceTimersByTime(1);
    expect(reloads()).toBe(true);
  });

  test('given a slow save, then events wait at most half a second', () => {
    void holdEvents(new Promise(() => {}));
    hearEvent(event);
    vi.advanceTimersByTime(499);
    expect(reloads()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(reloads()).toBe(true);
    queryClient.setQueryData(key, { version: 2 });
    hearEvent(event);
    expect(reloads()).toBe(true);
  });
});

describe('an open stream', () => {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  let stop: AbortController;
  /** Writes to the newest stream. */
  let write: (text: string) => void;
  const asked = vi.fn<typeof fetch>();
  let type = 'text/event-stream';
  beforeEach(() => {
    vi.useFakeTimers();
    stop = new AbortController();
    vi.stubGlobal('fetch', asked);
    asked.mockImplementation((_, init) => {
      const body = new ReadableStream<Uint8Array>({
        start(stream) {
          write = (text) => stream.enqueue(new TextEncoder().encode(text));
          init?.signal?.addEventListener('abort', () => stream.error(new DOMException('', 'AbortError')));
        },
      });
      return Promise.resolve(new Response(body, { headers: { 'Content-Type': type } }));
    });
    keepToken(`x.${btoa(JSON.stringify({ exp }))}.x`, 3600);
  });
  afterEach(() => {
    stop.abort();
    endSession('signed-out');
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('given a network that goes silent, a new stream opens; a stream with heartbeats stays open', async () => {
    const openings = vi.fn();
    onTestFinished(onStreamOpen(openings));
    void keepListening(stop.signal);
    for (let heartbeat = 0; heartbeat < 10; heartbeat++) {
      await vi.advanceTimersByTimeAsync(20_000);
      write(': still here\n\n');
    }
    expect(openings).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(70_000);
    expect(openings).toHaveBeenCalledTimes(2);
  });

  test('given a login page instead of the stream, nothing is loaded again, and the stream is asked for later', async () => {
    const openings = vi.fn();
    onTestFinished(onStreamOpen(openings));
    type = 'text/html';
    void keepListening(stop.signal);
    await vi.advanceTimersByTimeAsync(0);
    expect(openings).not.toHaveBeenCalled();
    type = 'text/event-stream';
    await vi.advanceTimersByTimeAsync(2000);
    expect(openings).toHaveBeenCalledTimes(1);
  });

  test('given a stream that opens again, then listeners receive a resync, since they may have missed changes', async () => {
    const kinds: string[] = [];
    onTestFinished(onClinicEvent(({ kind }) => kinds.push(kind)));
    void keepListening(stop.signal);
    await vi.advanceTimersByTimeAsync(0);
    write('data: {"kind":"commit","location":"tampa","dates":["2026-07-15"]}\n\n');
    await vi.advanceTimersByTimeAsync(70_000);
    expect(kinds).toEqual(['resync', 'commit', 'resync']);
  });
});
