import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { environmentManager, QueryObserver } from '@tanstack/react-query';
import { isoDate } from '@clinic/domain';
import { endSession, keepToken } from '../session/session-store.ts';
import { learnServerNow } from '../server-clock.ts';
import { callCountQuery, untilRing } from './call-count.ts';
import { queryClient } from './query-client.ts';

const TODAY = isoDate('2026-11-20');
const at = (time: string): void => {
  vi.setSystemTime(`2026-11-20T${time}-05:00`);
  // A difference of less than two seconds, which another file may have left, would be kept.
  learnServerNow(Date.now() + 3_600_000);
  learnServerNow(Date.now());
};
beforeEach(() => {
  vi.useFakeTimers();
  at('09:14:30');
});
afterEach(() => {
  queryClient.clear();
  endSession('signed-out');
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
const until = (next_ring: string | null, date = TODAY) => untilRing('altamonte', date, { next_ring });

test('the count is loaded again at the minute when a promise falls due, also on a later date', () => {
  expect(until('09:15')).toBe(30_000);
  expect(until('10:15')).toBe(61 * 60_000 - 30_000);
  expect([
    until(null),
    untilRing('altamonte', null, { next_ring: '09:15' }),
    untilRing('altamonte', TODAY, undefined),
  ]).toEqual([false, false, false]);
  // No timer of a browser runs for a month.
  expect(until('09:15', isoDate('2026-12-24'))).toBe(12 * 3_600_000);
  at('23:59:00');
  expect(until('09:15', isoDate('2026-11-21'))).toBe((9 * 60 + 16) * 60_000);
  // The server’s clock is a moment behind, and names the same minute again.
  at('09:15:01');
  expect(until('09:15')).toBe(1000);
});

test('given an open page and no event, the count rises when the promise falls due, and is asked for only then', async () => {
  const [head, claims] = [{ alg: 'HS256' }, { sub: 'Dana', iat: 0, exp: 36_000 }].map((part) =>
    btoa(JSON.stringify(part)),
  );
  keepToken(`${head}.${claims}.signature`.replaceAll('=', ''), 36_000);
  at('09:14:30'); // the token tells the server’s time too
  const none = { urgent: 0, next: null, calling: [] };
  const replies = [
    { ...none, to_tell: 0, next_ring: '09:15' },
    { ...none, to_tell: 1, next_ring: null },
  ];
  let asked = 0;
  // Besides the count, the page may ask for a new token.
  vi.stubGlobal('fetch', (url: string) =>
    Promise.resolve(
      url.includes('/calls/count') ? Response.json(replies[asked++]) : new Response(null, { status: 503 }),
    ),
  );
  // Without a window, TanStack Query takes the runtime for a server, and sets no timers.
  environmentManager.setIsServer(() => false);
  onTestFinished(() => environmentManager.setIsServer(() => true));
  const observer = new QueryObserver(queryClient, callCountQuery('altamonte', TODAY));
  onTestFinished(observer.subscribe(() => undefined));
  await vi.advanceTimersByTimeAsync(29_000);
  expect([asked, observer.getCurrentResult().data?.to_tell]).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(1500);
  expect([asked, observer.getCurrentResult().data?.to_tell]).toEqual([2, 1]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(asked).toBe(2);
});
