import { expect, onTestFinished, test, vi } from 'vitest';
import { authEndpoints, ERRORS } from '@clinic/contract';
import { ApiError, call, NoReplyError, errorOfReply } from './client.ts';
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

test('given a connection on which no reply ever comes, then after three minutes the request counts as having no reply', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const limit = new AbortController();
  const asked = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new DOMException('timed out', 'TimeoutError')));
      }),
  );
  const reply = call(authEndpoints.token, { body: { username: 'a', password: 'b' }, form: true });
  expect(asked).toHaveBeenCalledWith(180_000);
  limit.abort();
  await expect(reply).rejects.toBeInstanceOf(NoReplyError);
});
