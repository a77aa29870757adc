import { expect, test } from 'vitest';
import { REFUSALS } from '@clinic/contract';
import { clinicLocations } from '@clinic/domain';
import {
  add,
  isClientList,
  isProposal,
  isSession,
  optionsLink,
  ownLocations,
  problemOf,
  requests,
  saveFailure,
  todayAt,
  type Chosen,
} from './model.ts';

const chosen = (start: string, end: string, location = 'altamonte'): Chosen => ({
  client: 'Bo Lee',
  location,
  start,
  end,
});

test('[LEG-03] a session that lasts until midnight is cancelled until 24:00', () => {
  const [request] = requests([chosen('2026-12-31T21:00:00', '2027-01-01T00:00:00')]);
  expect(request?.queries).toMatchObject([{ date: '2026-12-31', begin: '21:00', end: '24:00' }]);
});

test('[LEG-03] today is the date at the location, whatever the time zone of this computer', () => {
  const zones = ['America/New_York', 'Asia/Tokyo'];
  expect(zones.map((zone) => todayAt({ zone }, '2026-11-23T01:30:00Z'))).toEqual(['2026-11-22', '2026-11-23']);
});

test('[LEG-03] chosen slots become client_cancel queries that add to the stored absences', () => {
  const [request] = requests([chosen('2026-11-20T08:30:00', '2026-11-20T11:30:00')]);
  expect(request).toEqual({
    location: 'altamonte',
    date: '2026-11-20',
    queries: [
      {
        type: 'client_cancel',
        date: '2026-11-20',
        begin: '08:30',
        end: '11:30',
        location: 'altamonte',
        client: 'Bo Lee',
      },
    ],
  });
});

test('[LEG-03] each location gets one request, with the date of its first session', () => {
  const list = add(
    [chosen('2026-11-20T08:30:00', '2026-11-20T11:30:00')],
    [
      chosen('2026-11-18T08:30:00', '2026-11-18T09:30:00'),
      chosen('2026-11-19T08:30:00', '2026-11-19T09:30:00', 'tampa'),
    ],
  );
  expect(requests(list).map((r) => [r.location, r.date, r.queries.length])).toEqual([
    ['altamonte', '2026-11-18', 2],
    ['tampa', '2026-11-19', 1],
  ]);
});

test('choosing the same slot twice adds it once', () => {
  const one = chosen('2026-11-20T08:30:00', '2026-11-20T11:30:00');
  expect(add([one], [{ ...one }])).toHaveLength(1);
});

test('given a location with a space, the link to the options is encoded correctly', () => {
  const url = new URL(optionsLink('palm beach', '2026-11-20'), 'http://clinic.example');
  expect(url.searchParams.get('location')).toBe('palm beach');
  expect(url.searchParams.get('options')).toBe('open');
});

test('an account can choose only among its own locations', () => {
  expect(ownLocations(null).map(({ value }) => value)).toEqual(clinicLocations().map(({ value }) => value));
  expect(ownLocations(['tampa', 'orlando']).map(({ value }) => value)).toEqual(['orlando', 'tampa']);
});

test('a failed request shows the server’s reason; without a reason, the message says that the cancellation may have been saved', () => {
  const gateway = { ok: false, status: 502 };
  expect(problemOf({ ok: false, status: 422 }, { detail: 'Who?' }, true)).toBe('Who?');
  expect(problemOf({ ok: false, status: 409 }, { detail: { message: 'Sure?', conflicts: [] } }, true)).toBe('Sure?');
  expect(problemOf({ ok: false, status: 404 }, null, true)).toBe('Server error: 404.');
  for (const response of [null, gateway, { ok: true, status: 200 }])
    expect(problemOf(response, null, true)).toContain('may have been saved');
  expect(problemOf(null, undefined, false)).toBe('The server did not reply.');
  expect(problemOf(gateway, null, false)).toBe('Server error: 502.');
});

test('given a reply with success that is not what was asked for, it is not taken for one, and the message says what may have been saved', () => {
  for (const reply of [undefined, null, {}, { data: null }, { data: [] }, [], 'ok', { detail: 'x' }]) {
    expect(isProposal(reply)).toBe(false);
    expect(problemOf({ ok: true, status: 200 }, reply, true)).toMatch(
      /^The server’s reply could not be read\. .*may have been saved/,
    );
  }
  expect(isProposal({ data: {} })).toBe(true);
  for (const reply of [null, {}, [null], 'ok']) expect(isClientList(reply)).toBe(false);
  for (const reply of [null, {}, { account: {} }, []]) expect(isSession(reply)).toBe(false);
});

test('when only the options failed, the message does not say that the absences were not saved', () => {
  for (const why of ['busy', 'unsolved', 'rights-changed'] as const) {
    const words = REFUSALS[`absences-saved-but-${why}`].words();
    expect(saveFailure(words)).toBe(words);
  }
  expect(saveFailure('Who?')).toBe('Failed to save absences: Who?');
});
