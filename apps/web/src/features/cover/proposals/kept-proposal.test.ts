import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endSession, keepToken } from '../../../shared/session/session-store.ts';
import { forgetMix, forgetProposal, keepMix, keepProposal, keptMix, keptProposal } from './kept-proposal.ts';
import { openProposal } from './model.ts';
import { proposal } from './testing/sample-proposal.ts';

function memoryStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

beforeEach(() => {
  vi.stubGlobal('sessionStorage', memoryStorage());
  const exp = Date.now() / 1000 + 900;
  expect(keepToken(`h.${btoa(JSON.stringify({ sub: 'a1', exp }))}.s`, 900)).toBe(true);
});
afterEach(() => {
  endSession('signed-out');
  vi.unstubAllGlobals();
});

const state = { ...openProposal(proposal()), refreshed: true };

test('kept options and choices are read only for their own location and one of their dates, until they are forgotten', () => {
  keepProposal('tampa', state);
  keepMix('tampa', state);
  for (const date of ['2026-11-20', '2026-11-23']) {
    expect(keptProposal('tampa', date)).toEqual(state);
    expect(keptMix('tampa', date)).toEqual({ ...state, refreshed: false });
  }
  for (const kept of [keptProposal, keptMix]) {
    expect(kept('orlando', '2026-11-20')).toBeNull();
    expect(kept('tampa', '2026-11-21')).toBeNull();
  }
  forgetProposal();
  expect(keptProposal('tampa', '2026-11-20')).toBeNull();
  expect(keptMix('tampa', '2026-11-20')).not.toBeNull();
  forgetMix();
  expect(keptMix('tampa', '2026-11-20')).toBeNull();
});

test('once the login session has ended, options are still read, but nothing more is kept', () => {
  keepProposal('tampa', state);
  endSession('expired');
  keepMix('tampa', state);
  expect(keptProposal('tampa', '2026-11-20')).toEqual(state);
  expect(keptMix('tampa', '2026-11-20')).toBeNull();
});
