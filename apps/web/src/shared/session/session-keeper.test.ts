import { expect, test } from 'vitest';
import { decide, type KeeperFacts } from './session-keeper.ts';

const MIN = 60_000;
const now = 100 * MIN;
const facts = (over: Partial<KeeperFacts> = {}): KeeperFacts => ({
  now,
  life: 15 * MIN,
  tokenExpires: now + 14 * MIN,
  lastCall: now - MIN,
  lastActivity: now - MIN,
  idle: 30 * MIN,
  sessionEnds: now + 600 * MIN,
  ...over,
});

test('given a fresh token, the token is not renewed', () => {
  expect(decide(facts())).toMatchObject({ renew: null, warn: false });
});

test('[AUTH-05] while the user is active, the token is renewed in the second half of its life', () => {
  const working = facts({ tokenExpires: now + 7 * MIN, lastCall: now - 8 * MIN, lastActivity: now });
  expect(decide(working)).toMatchObject({ renew: 'work', warn: false });
});

test('while the user is idle, the token is renewed in the background as long as the session lasts', () => {
  const resting = facts({ tokenExpires: now + 5 * MIN, lastCall: now - 10 * MIN, lastActivity: now - 10 * MIN });
  expect(decide(resting)).toMatchObject({ renew: 'background', warn: false });
});

test('[AUTH-05] the warning comes at least a minute before idle time ends the session', () => {
  const idle = facts({ tokenExpires: now + 10 * MIN, lastCall: now - 28.5 * MIN, lastActivity: now - 28.5 * MIN });
  const decision = decide(idle);
  expect(decision).toMatchObject({ renew: null, warn: true, canStay: true });
  expect(decision.ends - now).toBeGreaterThanOrEqual(MIN);
});

test('[AUTH-05] given tokens that are valid for a minute, the warning does not come with every token', () => {
  const used = facts({ life: MIN, idle: 3 * MIN, tokenExpires: now + 0.9 * MIN, lastCall: now - 0.1 * MIN });
  expect(decide(used)).toMatchObject({ renew: null, warn: false, ends: now + 2.9 * MIN });
});

test('given a session near its maximum length, the warning says that it cannot be extended', () => {
  const last = facts({ sessionEnds: now + 2 * MIN, tokenExpires: now + 2 * MIN, lastActivity: now });
  expect(decide(last)).toMatchObject({ warn: true, canStay: false, renew: null });
});

test('given activity on the page without requests, a renewal reports that activity to the server', () => {
  const reading = facts({ lastCall: now - 8 * MIN, lastActivity: now, tokenExpires: now + 14 * MIN });
  expect(decide(reading).renew).toBe('work');
});
