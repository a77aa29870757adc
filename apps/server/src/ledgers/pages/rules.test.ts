import { expect, test } from 'vitest';
import { DEFAULT_RULES, type HoursReply, type Rules, type SupervisionReply } from '@clinic/contract';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { useApp } from '../../testing/use-app.ts';

const t = useApp();

test('given changed limits, the hours and the supervision ledger use them, and a therapist’s own limit stays', async () => {
  const ana = await buildTherapist(t.db, { first: 'Ana', last: 'Ruiz' });
  await buildTherapist(t.db, { first: 'Lou', last: 'Vance', hours: { week: 20 } });
  const sue = await buildTherapist(t.db, { first: 'Sue', last: 'Fox', specialization: 'BCBA' });
  const bo = await buildClient(t.db, { first: 'Bo', last: 'Lee' });
  const at = (therapist: string, date: string, end: string, more: object = {}) =>
    buildAppointment(t.db, { therapist, client: bo, date, start: '09:00', end, ...more });
  // Ten hours of direct time in November, one of them supervised.
  await at(ana, '2026-11-18', '14:00');
  await at(ana, '2026-11-19', '14:00');
  await at(sue, '2026-11-18', '10:00', { service: 'supervision', subject: 'Supervision' });

  const admin = await t.signIn({ role: 'admin' });
  const read = async <T>(ledger: string) =>
    (await t.staff.call({ url: `/api/ledgers/${ledger}?location=altamonte&date=2026-11-20` })).json<T>();
  const counted = async (rules: Rules) => {
    const saved = await admin.call({ method: 'PUT', url: '/api/rules', payload: rules });
    expect(saved.statusCode, saved.body).toBe(200);
    const { rows } = await read<HoursReply>('hours');
    const most = Object.fromEntries(rows.map((row) => [row.name, row.most]));
    const left = rows.find((row) => row.name === 'Ana Ruiz')?.left;
    const [rbt] = (await read<SupervisionReply>('supervision')).rows;
    return { most, left, needed: rbt?.needed, contacts: rbt?.contacts_needed, atRisk: rbt?.at_risk };
  };
  const own = { 'Lou Vance': 20 * 60 };
  expect(await counted(DEFAULT_RULES)).toEqual({
    most: { 'Ana Ruiz': 40 * 60, 'Sue Fox': 40 * 60, ...own },
    left: 30 * 60,
    needed: 30,
    contacts: 2,
    atRisk: true,
  });
  const others = { ...DEFAULT_RULES, week_hours: 15, supervision_percent: 10, supervision_contacts: 1 };
  expect(await counted(others)).toEqual({
    most: { 'Ana Ruiz': 15 * 60, 'Sue Fox': 15 * 60, ...own },
    left: 5 * 60,
    needed: 60,
    contacts: 1,
    atRisk: false,
  });
});

test('given a limit in quarters of an hour, then it is kept, and a server of an older release reads whole hours', async () => {
  const admin = await t.signIn({ role: 'admin' });
  const save = (week_hours: number) =>
    admin.call({ method: 'PUT', url: '/api/rules', payload: { ...DEFAULT_RULES, week_hours } });
  expect((await save(37.5)).json<Rules>().week_hours).toBe(37.5);
  expect((await save(37.3)).json<{ detail: string }>().detail).toBe('week_hours: is not a multiple of 0.25');
  const mostHours = async () => {
    const { rows } = (
      await t.staff.call({ url: '/api/ledgers/hours?location=altamonte&date=2026-11-20' })
    ).json<HoursReply>();
    return rows.find(({ name }) => name === 'Ana Ruiz')?.most;
  };
  expect(await mostHours()).toBe(37.5 * 60);
  const { value } = await t.db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', 'rules')
    .executeTakeFirstOrThrow();
  expect(value).toMatchObject({ week_hours: 37 });
  // The older server stores only what it knows.
  const theirs = JSON.stringify({ ...DEFAULT_RULES, week_hours: 36 });
  await t.db.updateTable('setting').set({ value: theirs }).where('key', '=', 'rules').execute();
  expect(await mostHours()).toBe(36 * 60);
});
