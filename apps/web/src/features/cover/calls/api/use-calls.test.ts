import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallLine } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { queryClient, queryKeys } from '../../../../shared/api/query-client.ts';
import { endSession, keepToken } from '../../../../shared/session/session-store.ts';
import { cancelForFamily } from './use-calls.ts';

const asked = vi.fn<typeof fetch>();
beforeEach(() => {
  vi.stubGlobal('fetch', asked.mockReset());
  const exp = Math.floor(Date.now() / 1000) + 3600;
  keepToken(`x.${btoa(JSON.stringify({ exp }))}.x`, 3600);
  queryClient.setQueryData(queryKeys.causes, []);
});
afterEach(() => {
  endSession('signed-out');
  queryClient.clear();
  vi.unstubAllGlobals();
});

const session = { key: 'k', version: 1, has_therapist: true, start: '09:00', end: '10:00', with: null };
const line = { kind: 'client', id: 'C-1', say: [], sessions: [session] } as unknown as CallLine;
const day = { location: 'tampa', date: isoDate('2026-11-18') } as const;
const TEXTS = ['Id', 'StartDateTime', 'EndDateTime', 'Subject', 'Preferred_Provider_Name', 'Appointment_Status'];
const cancelled = Object.fromEntries(
  [...TEXTS, 'Client Name', 'Location', 'Location Group'].map((field) => [field, '']),
);

test('given sessions that were cancelled, a list that cannot be loaded afterwards does not say that nothing was saved', async () => {
  asked.mockImplementation((url) =>
    Promise.resolve(
      typeof url === 'string' && url.includes('/cancel') ? Response.json(cancelled) : new Response('<html>'),
    ),
  );
  await expect(cancelForFamily(day, line, line.sessions)).rejects.toThrow(/^Cancelled: 9:00 to 10:00/);
});

test('given a cancellation that gets another page as its reply, it may have been saved', async () => {
  asked.mockResolvedValue(new Response('<html>'));
  await expect(cancelForFamily(day, line, line.sessions)).rejects.toMatchObject({ maySave: true });
});
