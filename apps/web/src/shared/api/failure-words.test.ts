import { expect, test } from 'vitest';
import { ApiError } from './client.ts';
import { failureWords } from './failure-words.ts';

test('given a gateway’s error, the words say that it may have been saved; given the server’s own refusal, they do not', () => {
  for (const status of [502, 504])
    expect(failureWords(new ApiError(status, null), 'the list')).toBe(
      'The server did not reply. It may have been saved. Check the list before trying again.',
    );
  expect(failureWords(new ApiError(503, null), 'the list')).toBe('Server error: 503');
  expect(failureWords(new ApiError(409, 'Ana has just changed.'), 'the list')).toBe('Ana has just changed.');
});
