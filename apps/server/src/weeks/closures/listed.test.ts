import { afterAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { Closure } from '@clinic/contract';
import { addDays, DEFAULT_LOCATIONS, isoDate, setLocations } from '@clinic/domain';
import { loadLocations } from '../../db/locations.ts';
import { openSmallClinic } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';

let now = Date.parse(`${addDays(isoDate(DATE), -1)}T22:00:00Z`);
const t = await openSmallClinic(undefined, { deps: { clock: { now: () => now } } });
afterAll(async () => {
  await t.app.close();
  setLocations(DEFAULT_LOCATIONS);
});

test('a closure is listed until its day is over at its own location', async () => {
  await sql`update location set zone = 'Pacific/Honolulu' where value = 'tampa'`.execute(t.db);
  await loadLocations(t.db);
  const whole = { from_date: DATE, from_time: '00:00', to_date: DATE, to_time: '24:00' };
  for (const location of ['altamonte', 'tampa']) {
    const payload = { ...whole, locations: [location], name: 'Storm', cause: 'weather' };
    const reply = await t.who.call({ method: 'POST', url: '/api/closures', payload });
    expect(reply.statusCode, reply.body).toBe(200);
  }
  const listed = async (): Promise<string[]> =>
    (await t.who.call({ url: '/api/closures' })).json<Closure[]>().map(({ location }) => location);
  expect(await listed()).toEqual(['altamonte', 'tampa']);
  now = Date.parse(`${addDays(isoDate(DATE), 1)}T06:00:00Z`); // 1 AM on the next day in New York, 8 PM on the day in Honolulu
  expect(await listed()).toEqual(['tampa']);
});
