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
