import { expect, test } from 'vitest';
import type { ProposalReply, RefreshReply } from '@clinic/contract';
import { addDays, isoDate } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import {
  commitEveryone,
  detailOf,
  everyone,
  refresh,
  saveAbsences,
  takersOf,
  submit,
  submitBody,
  undo,
  asProposal,
} from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { buildNo } from '../../testing/declines.ts';
import { useApp } from '../../testing/use-app.ts';

const MONDAY = isoDate('2026-12-07');
const t = useApp(fridayCoverApp);

/** Books two hours on each of two days; the only therapist who can cover them has three hours left that week. */
async function twoDays(dates: readonly string[], name: string) {
  const { db } = t.deps;
  const ana = await buildTherapist(db, { first: 'Ana', last: name });
  await buildTherapist(db, { first: 'Kai', last: name, hours: { week: 3 } });
  const strangers = await db.selectFrom('therapist').select('id').where('last_name', '<>', name).execute();
  const bo = await buildClient(db, { first: 'Bo', last: name, excludes: strangers.map(({ id }) => id) });
  for (const date of dates)
    await buildAppointment(db, { therapist: ana, client: bo, date, start: '09:00', end: '11:00' });
  const options: ProposalReply[] = [];
  for (const date of dates)
    options.push((await saveAbsences(t.staff, [{ therapist: `Ana ${name}`, date }])).json<ProposalReply>());
  return options;
}

test('given two simultaneous commits that together exceed a therapist’s weekly hours, then one is written and the other is refused', async () => {
  for (const week of [0, 1, 2, 3]) {
    const monday = addDays(MONDAY, 7 * week);
    const options = await twoDays([monday, addDays(monday, 2)], `Week${week}`);
    const replies = await Promise.all(options.map((each) => submit(t.staff, submitBody(each, everyone(each)))));
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const refused = replies.find(({ statusCode }) => statusCode === 409);
    expect(refused && detailOf(refused).conflicts.map(({ why }) => why)).toEqual([
      `Kai Week${week} would take 2 h of others’ sessions, but may take at most 1 h.`,
    ]);
  }
});

test('given two simultaneous commits in different weeks, then both are written', async () => {
  const monday = addDays(MONDAY, 70);
  const options = await twoDays([monday, addDays(monday, 7)], 'Apart');
  const replies = await Promise.all(options.map((each) => submit(t.staff, submitBody(each, everyone(each)))));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
});

test('given absences on several days of one week, then each option keeps to the weekly hour limits across all of these days', async () => {
  const { db } = t.deps;
  const dates = [98, 100, 102].map((days) => addDays(MONDAY, days));
  const names = ['Ana', 'Eve', 'Kai', 'Lou'].map((first) => ({ first, last: 'Leave' }));
  const [ana, eve] = [await buildTherapist(db, names[0]), await buildTherapist(db, names[1])];
  const kai = await buildTherapist(db, { ...names[2], hours: { week: 6 } });
  await buildTherapist(db, { ...names[3], hours: { week: 5 }, specialization: 'BCBA' });
  const strangers = await db.selectFrom('therapist').select('id').where('last_name', '<>', 'Leave').execute();
  const [bo, mo] = [
    await buildClient(db, { first: 'Bo', last: 'Leave', excludes: strangers.map(({ id }) => id) }),
    await buildClient(db, { first: 'Mo', last: 'Leave', excludes: strangers.map(({ id }) => id) }),
  ];
  await buildAppointment(db, { therapist: kai, client: mo, date: addDays(MONDAY, 91), start: '09:00', end: '11:00' });
  for (const date of dates) {
    await buildAppointment(db, { therapist: ana, client: bo, date, start: '09:00', end: '11:00' });
    await buildAppointment(db, { therapist: eve, client: mo, date, start: '10:00', end: '12:00' });
  }
  const away = dates.flatMap((date) => ['Ana Leave', 'Eve Leave'].map((therapist) => ({ therapist, date })));
  const options = (await saveAbsences(t.staff, away)).json<ProposalReply>();
  const named = new Set(
    Object.values(options.data)
      .flatMap((clients) => Object.values(clients).map(Object.keys))
      .flat(),
  );
  expect(named.size).toBeGreaterThan(1);
  const common = [...named].filter((name) =>
    Object.values(options.data).every((clients) => Object.values(clients).every((cells) => name in cells)),
  );
  for (const name of common) {
    const { commit } = await commitEveryone(t.staff, options, name);
    expect((await undo(t.staff, commit)).statusCode).toBe(200);
  }
});

test('given a therapist who declined a session, then whatever they take instead counts in full toward their weekly hours', async () => {
  const { db } = t.deps;
  const dates = [126, 128].map((days) => addDays(MONDAY, days));
  const [ana, eve, kai] = [
    await buildTherapist(db, { first: 'Ana', last: 'Declined' }),
    await buildTherapist(db, { first: 'Eve', last: 'Declined' }),
    await buildTherapist(db, { first: 'Kai', last: 'Declined', hours: { week: 3 } }),
  ];
  const strangers = await db.selectFrom('therapist').select('id').where('last_name', '<>', 'Declined').execute();
  const [bo, mo] = [
    await buildClient(db, { first: 'Bo', last: 'Declined', excludes: [eve, ...strangers.map(({ id }) => id)] }),
    await buildClient(db, { first: 'Mo', last: 'Declined' }),
  ];
  const [date = MONDAY] = dates;
  const key = await buildAppointment(db, { therapist: kai, client: mo, date, start: '13:00', end: '15:00' });
  await buildNo(db, 'no', { key, therapist: kai, date, other: eve });
  for (const on of dates)
    await buildAppointment(db, { therapist: ana, client: bo, date: on, start: '09:00', end: '11:00' });
  const away = dates.map((on) => ({ therapist: 'Ana Declined', date: on }));
  const options = (await saveAbsences(t.staff, away)).json<ProposalReply>();
  const given = dates.flatMap((on) => takersOf(options, on, 'Bo Declined'));
  expect(given.sort()).toEqual(['Kai Declined', 'Kai Declined', 'Unassigned']);
  await commitEveryone(t.staff, options);
});

test('given a therapist chosen for a later day of the week, then plans for an earlier day leave the therapist enough hours for the later day', async () => {
  const { db } = t.deps;
  const dates = [112, 114].map((days) => addDays(MONDAY, days));
  const ana = await buildTherapist(db, { first: 'Ana', last: 'Chosen' });
  await buildTherapist(db, { first: 'Kai', last: 'Chosen', hours: { week: 3 } });
  const strangers = await db.selectFrom('therapist').select('id').where('last_name', '<>', 'Chosen').execute();
  const bo = await buildClient(db, { first: 'Bo', last: 'Chosen', excludes: strangers.map(({ id }) => id) });
  for (const date of dates)
    await buildAppointment(db, { therapist: ana, client: bo, date, start: '09:00', end: '11:00' });
  const away = dates.map((date) => ({ therapist: 'Ana Chosen', date }));
  const offered = (await saveAbsences(t.staff, away)).json<ProposalReply>();
  const [first = '', last = ''] = dates;
  const open = Object.entries(offered.data[last]?.['Bo Chosen']?.['Option 1'] ?? {});
  const gap = open.find(([, cell]) => cell.therapist === 'Unassigned')?.[0];
  const choose = { date: last, client: 'Bo Chosen', option: 'Option 1', time_slot: gap, therapist: 'Kai Chosen' };
  const reply = await refresh(t.staff, offered, [], { choose });
  expect(reply.statusCode, reply.body).toBe(200);
  const options = asProposal(reply.json<RefreshReply>());
  expect(takersOf(options, last, 'Bo Chosen')).toEqual(['Kai Chosen']);
  expect(takersOf(options, first, 'Bo Chosen').sort()).toEqual(['Kai Chosen', 'Unassigned']);
  await commitEveryone(t.staff, options);
});
