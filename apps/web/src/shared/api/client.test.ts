import { expect, test } from 'vitest';
import { ERRORS } from '@clinic/contract';
import { ApiError, NoReplyError, errorOfReply } from './client.ts';
import { failureWords } from './failure-words.ts';

test('given a gateway’s reply instead of the server’s, then the message says that the change may have been saved', () => {
  for (const [status, body] of [
    [502, '<html>'],
    [503, ''],
    [504, '{"message":"upstream timed out"}'],
  ] as const) {
    const error = errorOfReply(status, body);
    expect(error).toBeInstanceOf(NoReplyError);
    expect(failureWords(error, 'the list')).toBe(
      `Server error: ${status}. It may have been saved. Check the list before trying again.`,
    );
  }
});

test('given a refusal by the server, then the message is the server’s own', () => {
  for (const { status, text } of [ERRORS.busy, ERRORS.internal, ERRORS.forbidden]) {
    const error = errorOfReply(status, JSON.stringify({ detail: text }));
    expect(error).toBeInstanceOf(ApiError);
    expect(failureWords(error, 'the list')).toBe(text);
  }
  expect(errorOfReply(404, '').message).toBe('Server error: 404');
});
