import { expect, test } from 'vitest';
import { wordsOf, type RecordedEvent } from './history-words.ts';

test('a change says its import, or otherwise the new status, if there is one', () => {
  const changed = (more: Partial<RecordedEvent>) =>
    wordsOf(
      { what: 'changed', reason: null, before: { status: 'booked' }, after: { status: 'fulfilled' }, ...more },
      (id) => id,
    );
  expect(changed({ reason: 'import' })).toBe('Changed by an import');
  expect(changed({})).toBe('Marked Completed');
  expect(changed({ after: { status: 'booked' } })).toBe('Changed');
  expect(changed({ after: null })).toBe('Changed');
});
