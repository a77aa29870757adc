import { expect, test } from 'vitest';
import type {
  AuthorizationsReply,
  AuthorizedSession,
  CareReply,
  HoursReply,
  LedgerSession,
  ReportReply,
  SupervisionReply,
  TodayReply,
} from '@clinic/contract';
import { sql } from 'kysely';
import { buildAppointment, buildAuthorization, buildClient, buildTherapist } from '../../testing/builders.ts';
import { buildNo } from '../../testing/declines.ts';
import { buildTestApp } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

const DATE = '2026-11-20';
const EARLIER = '2026-11-18';
const PLACE = 'location=altamonte';
let ana: string;
let bo: string;
const t = useApp(
  () => buildTestApp({ deps: { clock: { now: () => Date.parse('2026-11-20T13:05:00Z') } } }),
  async ({ db }) => {
    ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
    const sue = await buildTherapist(db, { first: 'Sue', last: 'Kent', specialization: 'BCBA' });
    bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
    await buildAuthorization(db, bo, { units: 100 });
    const at = (therapist: string, start: string, end: string, more = {}) =>
      buildAppointment(db, { client: bo, therapist, date: EARLIER, start, end, ...more });
    await at(ana, '08:00', '09:00');
    // Ana was asked to take three hours of Sue's, of which Sue supervises an hour, and said no.
    const key = await at(ana, '09:00', '12:00', { bookedTherapist: sue });
    await at(sue, '10:00', '11:00', { service: 'supervision', subject: 'Supervision' });
    await buildNo(db, 'no', { key, therapist: ana, date: EARLIER, other: sue });
  },
);

const get = async <T>(path: string): Promise<T> => {
  const reply = await t.staff.call({ url: `/api/${path}` });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<T>();
};
const ledger = <T>(name: string): Promise<T> => get<T>(`ledgers/${name}?${PLACE}&date=${DATE}`);

/** What every ledger and the report of those days say of Ana and Bo, in minutes. */
async function figures() {
  const hours = (await ledger<HoursReply>('hours')).rows.find(({ id }) => id === ana);
  const care = (await ledger<CareReply>('care')).rows.find(({ id }) => id === bo);
  const supervision = (await ledger<SupervisionReply>('supervision')).rows.find(({ id }) => id === ana);
  const [authorization] = (await ledger<AuthorizationsReply>('authorizations')).rows;
  const paid = await get<AuthorizedSession[]>(`ledgers/authorizations/${bo}?date=${DATE}`);
  const sessions = await get<LedgerSession[]>(`ledgers/hours/${ana}?date=${DATE}`);
  const report = await get<ReportReply>(`reports?${PLACE}&from=2026-11-01&to=${EARLIER}`);
  const own = report.groups.therapist.find(({ key }) => key === ana);
  return {
    hours: [hours?.booked, hours?.worked, hours?.cover_7, hours?.cover_28],
    care: [care?.delivered, care?.lost],
    supervision: [supervision?.direct, supervision?.done, supervision?.contacts],
    authorization: authorization?.delivered,
    sessions: [sessions.length, paid.length],
    report: [own?.kept, own?.lost, own?.covered],
  };
}

const WITHOUT = {
  hours: [60, 60, 0, 0],
  care: [120, 180],
  supervision: [60, 0, 0],
  authorization: 60,
  sessions: [1, 1],
  report: [60, 180, 0],
};
const WITH = {
  hours: [240, 240, 180, 180],
  care: [300, 0],
  supervision: [240, 60, 1],
  authorization: 240,
  sessions: [2, 2],
  report: [240, 0, 180],
};

/** The minutes lost on that day, by the party that lost them, as the report says; and those of Care and Today. */
async function lost() {
  const report = await get<ReportReply>(`reports?${PLACE}&from=${EARLIER}&to=${EARLIER}`);
  const care = (await ledger<CareReply>('care')).rows.find(({ id }) => id === bo);
  const today = await get<TodayReply>(`today?${PLACE}&date=${EARLIER}`);
  return {
    report: report.groups.side.filter((own) => own.lost > 0).map((own) => [own.key, own.lost]),
    care: care?.lost_by.map(({ label, minutes }) => [label, minutes]),
    today: today.week.map((day) => day.lost).filter((minutes) => minutes > 0),
  };
}

test('a declined session’s lost time counts as the therapist’s, as the family’s if the family refused the therapist, or as the clinic’s if another family of the group did', async () => {
  const of = (side: string) => ({ report: [[side, 180]], care: [[null, 180]], today: [180] });
  expect(await lost()).toEqual(of('therapist'));
  const other = await buildClient(t.db, { first: 'Mo', last: 'Diaz' });
  const refusedBy = (client_id: string | null) => t.db.updateTable('call_decline').set({ client_id }).execute();
  await refusedBy(bo);
  expect(await lost()).toEqual(of('family'));
  await refusedBy(other);
  expect(await lost()).toEqual(of('clinic'));
  await refusedBy(null);
});

test('given a session that its therapist declined, then no ledger and no report counts it, until the no is taken back', async () => {
  expect(await figures()).toEqual(WITHOUT);
  await sql`update call_decline set ended_at = now()`.execute(t.deps.db);
  expect(await figures()).toEqual(WITH);
});
