/** A caseload is handed over for good: docs/weeks.md. */
import { expect, test } from 'vitest';
import type { StandingCommit, StandingReply } from '@clinic/contract';
import { addDays, isoDate } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

const app = useApp(fridayCoverApp);
const LAST_DAY = isoDate('2026-12-11');
const WEEKS = [0, 1, 2, 3, 4, 5, 6, 7];

async function post<T>(url: string, body: object): Promise<T> {
  const reply = await app.staff.call({ method: 'POST', url: `/api${url}`, payload: body });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<T>();
}

/** Who has a client's sessions, by date. */
const holders = async (client: string): Promise<{ date: string; id: string | null }[]> =>
  (
    await app.db
      .selectFrom('appointment')
      .select(['therapist_id', 'starts'])
      .where('client_id', '=', client)
      .where('starts', '>=', '2026-12-01 00:00:00')
      .orderBy('starts')
      .orderBy('service')
      .execute()
  ).map(({ therapist_id: id, starts }) => ({ date: starts.slice(0, 10), id }));

/** Makes a client's sessions with a therapist a series without an end. */
async function goesOn(therapist: string, client: string): Promise<string> {
  const { id } = await app.db
    .insertInto('weekly_series')
    .values({
      location: 'altamonte',
      client_id: client,
      therapist_id: therapist,
      service: 'direct',
      subject: '97153',
      day_of_week: 3,
      start_minute: 780,
      end_minute: 900,
      from_date: '2026-12-09',
      until_date: null,
      made_until: '2027-01-27',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.db
    .updateTable('appointment')
    .set({ series_id: id })
    .where('client_id', '=', client)
    .where('therapist_id', '=', therapist)
    .execute();
  return id;
}

/** The therapist for whom later dates of a series are booked. */
const ownerOf = async (series: string): Promise<string | null> =>
  (await app.db.selectFrom('weekly_series').select('therapist_id').where('id', '=', series).executeTakeFirstOrThrow())
    .therapist_id;

test.each([
  { why: 'a last day', change: { end_date: LAST_DAY } },
  { why: 'another location', change: { location: 'tampa' as const } },
])(
  '[WKS-03] given $why, all later series go to others, supervision too, until the last date; one undo takes it back',
  async ({ why, change }) => {
    const first = why === 'a last day' ? 'Vera' : 'Wanda';
    const vera = await buildTherapist(app.db, { first, last: 'Goes', specialization: 'BCBA' });
    await buildTherapist(app.db, { first: `Uma${first}`, last: 'Stays', specialization: 'BCBA' });
    const rob = await buildTherapist(app.db, { first: `Rob${first}`, last: 'Stays', specialization: 'RBT' });
    const bo = await buildClient(app.db, { first: `Bo${first}`, last: 'Child' });
    const cy = await buildClient(app.db, { first: `Cy${first}`, last: 'Child' });
    const at = (therapist: string, client: string, date: string, more: object = {}) =>
      buildAppointment(app.db, { therapist, client, date, start: '10:00', end: '11:00', ...more });
    for (const week of WEEKS) {
      const monday = addDays(isoDate('2026-12-07'), 7 * week);
      await at(rob, bo, monday, { end: '12:00' });
      await at(vera, bo, monday, { service: 'supervision', subject: '97155' });
      await at(vera, cy, addDays(monday, 2), { start: '13:00', end: '15:00' });
    }
    const series = await goesOn(vera, cy);
    const before = [await holders(bo), await holders(cy)];
    await app.db.updateTable('therapist').set(change).where('id', '=', vera).execute();
    const reply = await post<StandingReply>('/standing', {
      location: 'altamonte',
      therapist: vera,
      from: addDays(LAST_DAY, 1),
    });
    expect(reply).toMatchObject({
      for_good: true,
      until: '2027-01-27',
      therapist: { name: `${first} Goes` },
      left_out: [],
    });
    expect(
      reply.children
        .flatMap((child) => child.series)
        .map(({ service, dates }) => [service, dates.length])
        .sort(),
    ).toEqual([
      ['direct', 7],
      ['supervision', 7],
    ]);
    const choice = Object.fromEntries(reply.children.map(({ id }) => [id, 'Option 1']));
    const done = await post<StandingCommit>('/standing/commit', { proposal: reply.proposal, choice });
    expect(done).toMatchObject({ sessions: 14, dates: 14 });
    const later = (await holders(cy)).filter(({ date }) => date > LAST_DAY);
    expect(later).toHaveLength(7);
    const [taker] = later.map(({ id }) => id);
    expect([vera, null]).not.toContain(taker);
    expect(new Set(later.map(({ id }) => id))).toEqual(new Set([taker]));
    expect(await ownerOf(series)).toBe(taker);
    const supervised = (await holders(bo)).filter(({ date, id }) => date > LAST_DAY && id !== rob);
    expect(supervised).toHaveLength(7);
    expect(supervised.map(({ id }) => id)).not.toContain(vera);
    // What lies before the last day stays.
    expect((await holders(cy))[0]).toEqual({ date: '2026-12-09', id: vera });
    await post(`/commits/${done.commit}/undo`, {});
    expect([await holders(bo), await holders(cy)]).toEqual(before);
    expect(await ownerOf(series)).toBe(vera);
  },
);
