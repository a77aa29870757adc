import { expect, test } from 'vitest';
import { fit } from './commands.ts';
import { findCommands } from './find-commands.ts';

test('given several typed words, each word must match the label, ignoring accents and case', () => {
  expect(fit('Mark Óscar Núñez absent', 'osc nun')).toBeLessThan(Infinity);
  expect(fit('Mark Óscar Núñez absent', 'osc smith')).toBe(Infinity);
});

test('given several matches, the best match comes first and each command appears once', () => {
  const run = (): void => undefined;
  const list = [
    { id: 'b', kind: 'Action', label: 'Go to Today', run },
    { id: 'a', kind: 'Action', label: 'Today', run },
    { id: 'a', kind: 'Action', label: 'Today', run },
  ] as const;
  expect(findCommands('tod', 5, list).map((c) => c.id)).toEqual(['a', 'b']);
});

test('given the same action with and without a shortcut key, the action is found once, with its key', () => {
  const run = (): void => undefined;
  const list = [
    { id: 'key:g t', kind: 'Action', label: 'Go to Today', keys: 'g t', run },
    { id: 'page:/', kind: 'Action', label: 'Go to Today', run },
  ] as const;
  expect(findCommands('today', 5, list).map((c) => c.keys)).toEqual(['g t']);
});
