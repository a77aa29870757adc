import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallLine } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { causesQuery } from '../../../../shared/causes/use-causes.ts';
import { queryClient, queryKeys } from '../../../../shared/api/query-client.ts';
import { endSession, keepToken } from '../../../../shared/session/session-store.ts';
import { cancelForFamily } from './use-calls.ts';

beforeEach(() => {
  const [head, claims] = [{ alg: 'HS256' }, { sub: 'Dana', iat: 0, exp: 600 }].map((part) =>
    btoa(JSON.stringify(part)),
  );
  keepToken(`${head}.${claims}.signature`.replaceAll('=', ''), 600);
});
afterEach(() => {
  queryClient.clear();
  endSession('signed-out');
  vi.unstubAllGlobals();
});

const DAY = { location: 'altamonte', date: isoDate('2026-11-20') } as const;
const session = (name: string): CallLine['sessions'][number] => {
  return { key: name, version: 1, start: '08:30', end: '11:30', has_therapist: true, with: { id: name, name } };
};
const both = [session('Ana Ruiz'), session('Kai Wood')];

test.each([
  [1, 'Cancelled: 8:30 to 11:30 with Ana Ruiz. Not cancelled: 8:30 to 11:30 with Kai Wood. It was moved.', true],
  [0, 'It was moved.', false],
])(
  'given two sessions, when the server refuses after %i, the message says which is cancelled',
  async (done, words, reloads) => {
    const refused = () => Response.json({ detail: { message: 'It was moved.', conflicts: [] } }, { status: 409 });
    let asked = 0;
    vi.stubGlobal('fetch', () => Promise.resolve(asked++ < done ? Response.json({}) : refused()));
    queryClient.setQueryData(causesQuery.queryKey, []);
    const queryKey = queryKeys.slots(DAY.location, DAY.date);
    queryClient.setQueryData(queryKey, {});
    const line = { kind: 'client', id: 'bo' } as CallLine;
    await expect(cancelForFamily(DAY, line, both)).rejects.toHaveProperty('message', words);
    expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(reloads);
  },
);

/** Cancels a family's only session and returns what is sent as the result of the call, if the server replies so. */
async function cancelOnly(reply: () => Response): Promise<{ sent: unknown[]; error: unknown }> {
  const before = { kind: 'client', id: 'bo', version: 'old', say: ['Bo is with Kai.'], sessions: [] };
  const answers = [{ result: '7' }, { result: '8', answer: 'said-no' }];
  const after = { ...before, version: 'now', answers, newest_result: '8' };
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string | URL | Request, init?: RequestInit) => {
    const request = new Request(new URL(url instanceof Request ? url.url : url, 'http://clinic.example'), init);
    if (!request.url.endsWith('/calls/answer')) return Response.json({ lines: [after] });
    sent.push(await request.json());
    return reply();
  });
  queryClient.setQueryData(causesQuery.queryKey, []);
  const line = { ...before, answers: [{ result: '7' }], newest_result: '7' } as unknown as CallLine;
  const error = await cancelForFamily(DAY, line, [session('Kai Wood')]).then(
    () => null,
    (failed: unknown) => failed,
  );
  return { sent, error };
}

test('given a family that said no while their only session is cancelled, then the result names what the line showed before', async () => {
  const { sent } = await cancelOnly(() => Response.json({ lines: [] }));
  expect(sent).toMatchObject([{ answer: 'told', version: 'now', results_shown: 1, last_shown: '7' }]);
});

test('given a cancellation after which the family cannot be recorded as told, then the message says that the session is cancelled', async () => {
  const detail = { message: 'Dana has recorded that they said no.', conflicts: [] };
  const { error } = await cancelOnly(() => Response.json({ detail }, { status: 409 }));
  expect(error).toHaveProperty(
    'message',
    'Cancelled: 8:30 to 11:30 with Kai Wood. The rest is still to be told: Dana has recorded that they said no.',
  );
});
