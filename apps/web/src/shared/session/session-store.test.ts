import { afterEach, expect, test, vi } from 'vitest';
import { lastForegroundCall } from './activity.ts';
import { endSession, keepToken } from './session-store.ts';

const MIN = 60_000;
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenNow = (): string => {
  const now = Date.now() / 1000;
  return `${base64({ alg: 'HS256' })}.${base64({ sub: 'a', iat: now, exp: now + 900 })}.x`;
};

afterEach(() => {
  vi.useRealTimers();
});

test('[AUTH-05] given a session that ended for idleness, a new login counts as activity, so no warning follows it', () => {
  vi.useFakeTimers();
  keepToken(tokenNow(), 900);
  vi.advanceTimersByTime(10 * MIN);
  // A token that is renewed in the background is not activity.
  keepToken(tokenNow(), 900);
  expect(Date.now() - lastForegroundCall()).toBe(10 * MIN);
  endSession('expired');
  vi.advanceTimersByTime(20 * MIN);
  keepToken(tokenNow(), 900);
  expect(Date.now() - lastForegroundCall()).toBe(0);
});
