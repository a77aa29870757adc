import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadWeek, refusalWords, type GetToken, type Loaded } from './load.ts';

const asked = vi.fn<typeof fetch>();
beforeEach(() => vi.stubGlobal('fetch', asked.mockReset()));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
const WANTED = { clientName: 'Bo Lee', location: 'tampa', monday: '2026-11-16' };
const load = (getToken: GetToken = () => 'a.b.c'): Promise<Loaded> =>
  loadWeek('https://scheduler.example', getToken, WANTED, new AbortController().signal);
const week = (day: object) => JSON.stringify({ data: [day] });

test.each([
  ['', 'The reply was not JSON, so it could not be read.'],
  ['<!doctype html>', 'The reply was not JSON, so it could not be read.'],
  ['{"data":[{"slots":["2026', 'The reply was not JSON, so it could not be read.'],
  ...['null', '{}', '[]', '"ok"', '{"data":null}', '{"data":{}}', '{"data":[null]}', '{"data":[[]]}'].map((body) => [
    body,
    'The reply could not be read.',
  ]),
  [week({ slots: null }), 'The reply could not be read.'],
  [week({ slots: [null] }), 'The reply could not be read.'],
  [week({ slots: ['soon'] }), 'The reply could not be read.'],
  [week({ slots: ['2026-11-16T09:00:00'], ends: 'noon' }), 'The reply could not be read.'],
  [week({ slots: ['2026-11-16T09:00:00'], ends: [12] }), 'The reply could not be read.'],
])('[SLOT-05] the reply %s is an error and never an empty week', async (body, detail) => {
  asked.mockResolvedValue(new Response(body));
  expect(await load()).toEqual({ ok: false, detail });
});

test.each([{}, { ends: null }, { ends: [] }, { ends: [null] }, { ends: ['2026-11-16T10:00:00'] }])(
  '[SLOT-02] a day with %j beside its slots is accepted',
  async (more) => {
    const day = { slots: ['2026-11-16T09:00:00'], ...more };
    asked.mockResolvedValue(new Response(week(day)));
    expect(await load()).toEqual({ ok: true, data: [day] });
  },
);

test('[SLOT-05] a page whose getToken throws, rejects or never answers gets the error, and nothing is requested', async () => {
  vi.useFakeTimers();
  const tokens: GetToken[] = [
    () => {
      throw new Error('no store');
    },
    () => Promise.reject(new Error('refused')),
    () => new Promise(() => undefined),
  ];
  for (const getToken of tokens) {
    const loaded = load(getToken);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await loaded).toEqual({ ok: false, detail: 'This page did not say who is logged in. Log in again.' });
  }
  expect(asked).not.toHaveBeenCalled();
});

test('[SLOT-05] a network that fails, and a token that no header can hold, end in the error', async () => {
  asked.mockRejectedValue(new TypeError('Failed to fetch'));
  expect(await load()).toEqual({ ok: false, detail: 'The scheduler could not be reached.' });
});

test('a refusal is shown with the names that users know', () => {
  expect(refusalWords({ detail: 'client_name: must not be empty; start_date: not a date' })).toBe(
    'Client: must not be empty; Week: not a date',
  );
  expect(refusalWords({ detail: "location: no such location 'miami'" })).toBe("Location: no such location 'miami'");
  expect(refusalWords({ detail: 'No client named Bo: check.' })).toBe('No client named Bo: check.');
  for (const body of [null, {}, { detail: 3 }, 'no']) expect(refusalWords(body)).toBe('');
});
