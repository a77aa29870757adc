import { expect, onTestFinished, test, vi } from 'vitest';
import { addGuard, getQuestion, mayLeave, type Guard } from './guards.ts';

function guarded({ edited = false, saving = false, about = 'this' }): Guard & { discarded: () => boolean } {
  const state = { edited, discarded: false };
  const guard = {
    edited: () => state.edited,
    saving: () => saving,
    about: () => about,
    discard: () => Object.assign(state, { edited: false, discarded: true }),
    discarded: () => state.discarded,
  };
  onTestFinished(addGuard(guard));
  return guard;
}

test('given no edits, leaving a page does not ask first', () => {
  guarded({});
  expect(mayLeave(() => undefined)).toBe(true);
  expect(getQuestion()).toBeNull();
});

test('given edits, leaving asks first; a user who discards the edits gets to the page they wanted', () => {
  const guard = guarded({ edited: true, about: 'Your note is not saved yet.' });
  const go = vi.fn();
  expect(mayLeave(go)).toBe(false);
  expect(getQuestion()?.about).toBe('Your note is not saved yet.');
  getQuestion()?.keep();
  expect(getQuestion()).toBeNull();
  expect(guard.discarded()).toBe(false);

  expect(mayLeave(go)).toBe(false);
  getQuestion()?.discard();
  expect([getQuestion(), guard.discarded(), go.mock.calls.length]).toEqual([null, true, 1]);
});

test('while a form is being saved, it cannot be left, and nothing is asked', () => {
  guarded({ edited: true, saving: true });
  expect(mayLeave(() => undefined)).toBe(false);
  expect(getQuestion()).toBeNull();
});

test('when a form closes by itself, its question closes too', () => {
  const guard = guarded({ edited: true });
  const remove = addGuard(guard);
  expect(mayLeave(() => undefined)).toBe(false);
  remove();
  expect(getQuestion()).toBeNull();
});

test('a dialog asks only about its own edits', () => {
  guarded({ edited: true });
  const own = guarded({});
  expect(mayLeave(() => undefined, [own])).toBe(true);
});
