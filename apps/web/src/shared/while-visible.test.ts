import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whileVisible } from './while-visible.ts';

let page: EventTarget & { visibilityState: 'visible' | 'hidden' };
const show = (state: 'visible' | 'hidden'): void => {
  page.visibilityState = state;
  page.dispatchEvent(new Event('visibilitychange'));
};
/** The signals of the work begun so far, oldest first. */
let begun: AbortSignal[];
const running = (): boolean[] => begun.map((signal) => !signal.aborted);
const watch = (): (() => void) => whileVisible((signal) => void begun.push(signal));

beforeEach(() => {
  vi.useFakeTimers();
  begun = [];
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const });
  vi.stubGlobal('document', page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('when a page is hidden for a long time, its background work stops, and starts again when the page is visible again', () => {
  const end = watch();
  expect(running()).toEqual([true]);
  show('hidden');
  vi.advanceTimersByTime(60_000);
  expect(running()).toEqual([false]);
  show('visible');
  expect(running()).toEqual([false, true]);
  end();
  expect(running()).toEqual([false, false]);
  show('visible');
  expect(begun).toHaveLength(2);
});

test('a short switch to another tab does not interrupt the background work', () => {
  const end = watch();
  show('hidden');
  vi.advanceTimersByTime(1000);
  show('visible');
  vi.advanceTimersByTime(60_000);
  expect(running()).toEqual([true]);
  end();
});

test('given a page opened in a hidden tab, the background work begins when the tab is shown', () => {
  page.visibilityState = 'hidden';
  const end = watch();
  vi.advanceTimersByTime(60_000);
  expect(begun).toEqual([]);
  show('visible');
  expect(running()).toEqual([true]);
  end();
});
