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

test('given a family whose only session is cancelled, then the result says how many results the line showed', async () => {
  const answers = [{ answer: 'left-message' }] as const;
  const line = { kind: 'client', id: 'bo', version: 'now', say: ['Bo is with Kai.'], sessions: [], answers };
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string | URL | Request, init?: RequestInit) => {
    const request = new Request(new URL(url instanceof Request ? url.url : url, 'http://clinic.example'), init);
    if (request.url.endsWith('/calls/answer')) sent.push(await request.json());
    return Response.json({ lines: [line] });
  });
  queryClient.setQueryData(causesQuery.queryKey, []);
  await cancelForFamily(DAY, line as unknown as CallLine, [session('Kai Wood')]);
  expect(sent).toMatchObject([{ answer: 'told', version: 'now', results_shown: 1 }]);
});
