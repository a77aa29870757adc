/** A stand-in is away within the range, and the therapist comes back early: docs/weeks.md. */
import { expect, test } from 'vitest';
import type { CallsReply, LeaveOutcome, StandingReply } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

const app = useApp(fridayCoverApp);
const DATES = ['2026-12-08', '2026-12-15', '2026-12-22'] as const;
const RANGE = { from: isoDate('2026-12-07'), until: isoDate('2026-12-31') };

async function post<T>(url: string, body: object): Promise<T> {
  const reply = await app.staff.call({
    method: 'POST',
    url: `/api${url}`,
    payload: { location: 'altamonte', ...body },
  });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<T>();
}
const offer = (therapist: string, more: object = {}) =>
  post<StandingReply>('/standing', { ...RANGE, therapist, ...more });
/** The dates that an offer gives to each therapist, by name. */
const givenIn = ({ options, people }: StandingReply): unknown[] =>
  Object.values(options[0]?.series ?? {}).flatMap(({ runs }) => runs.map((r) => [people[r.therapist]?.name, r.dates]));
const submit = ({ proposal, children }: StandingReply) =>
  post('/standing/commit', { proposal, choice: Object.fromEntries(children.map(({ id }) => [id, 'Option 1'])) });
const holders = async (client: string): Promise<(string | null)[]> =>
  (
    await app.db
      .selectFrom('appointment')
      .select('therapist_id')
      .where('client_id', '=', client)
      .where('starts', '>=', '2026-12-01 00:00:00')
      .where('occupies', '=', true)
      .orderBy('starts')
      .execute()
  ).map((row) => row.therapist_id);

async function tell(date: string, client: string): Promise<void> {
  const calls = await app.staff.call({ url: `/api/calls?location=altamonte&date=${date}` });
  const line = calls.json<CallsReply>().lines.find(({ id }) => id === client);
  expect(line, calls.body).toBeDefined();
  const { kind, id, version } = line ?? { kind: '', id: '', version: '' };
  const said = { date, kind, id, version, answer: 'told', before_yes: true };
  await post('/calls/answer', said);
}

test('[WKS-03] a stand-in’s dates go to another; what was told stays unless chosen; an early return says what comes back, what stays and whom to tell', async () => {
  const ana = await buildTherapist(app.db, { first: 'Ana', last: 'Leaves' });
  const kai = await buildTherapist(app.db, { first: 'Kai', last: 'First' });
  const mia = await buildTherapist(app.db, { first: 'Mia', last: 'Second' });
  const bo = await buildClient(app.db, { first: 'Bo', last: 'Stays' });
  const at = (therapist: string, date: string) =>
    buildAppointment(app.db, { therapist, client: bo, date, start: '10:00', end: '12:00' });
  for (const date of DATES) await at(ana, date);
  for (const date of ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13', '2026-11-16']) await at(kai, date);
  for (const date of ['2026-11-17', '2026-11-18', '2026-11-19']) await at(mia, date);
  const dates = {
    first_date: RANGE.from,
    last_date: RANGE.until,
    weekdays: [1, 2, 3, 4, 5],
    begin: '00:00',
    end: '23:59',
  };
  const leave = await post<LeaveOutcome>('/leave', { type: 'therapist', name: 'Ana Leaves', ...dates });
  const first = await offer(ana);
  const [stand] = Object.values(first.options[0]?.series ?? {}).flatMap(({ runs }) => runs);
  expect(stand?.dates).toEqual([...DATES]);
  const [one, other] = stand?.therapist === kai ? [kai, mia] : [mia, kai];
  await submit(first);
  await tell(DATES[0], bo);

  // The stand-in is away: the dates that the replacement gave them are the problem's sessions.
  const second = await offer(one);
  const name = other === mia ? 'Mia Second' : 'Kai First';
  expect(givenIn(second)).toEqual([[name, DATES.slice(1)]]);
  expect(second.left_out).toMatchObject([{ date: DATES[0], child: 'Bo Stays', why_code: 'told' }]);
  expect(await holders(bo)).toEqual([one, one, one]);
  expect(givenIn(await offer(one, { replan: true }))).toEqual([[name, [...DATES]]]);
  await submit(second);
  expect(await holders(bo)).toEqual([one, other, other]);

  // Ana comes back early: asked first, nothing is written.
  const end = { scope: 'all', date: DATES[0] };
  const path = `/leave/${leave.id}/end`;
  const said = await post<LeaveOutcome>(`${path}-preview`, { ...end, cover: 'keep-told' });
  expect(said.back.map(({ date }) => date)).toEqual(DATES.slice(1));
  expect(said.stays).toMatchObject([
    { date: DATES[0], client: 'Bo Stays', why: expect.stringContaining('covered by') as string },
  ]);
  expect(said.to_tell).toEqual([name, 'Bo Stays’ family']);
  const all = await post<LeaveOutcome>(`${path}-preview`, { ...end, cover: 'give-back' });
  expect(all.back).toHaveLength(3);
  expect(await holders(bo)).toEqual([one, other, other]);
  await post(path, { ...end, cover: 'keep-told' });
  expect(await holders(bo)).toEqual([one, null, null]);
});
