import { parse } from 'csv-parse/sync';
import readXlsxFile from 'read-excel-file/node';
import { expect, test } from 'vitest';
import type { ReportFigure, ReportReply, ReportSessions, TodayReply } from '@clinic/contract';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { detailOf } from '../../testing/calls.ts';
import { buildTestApp, type SignedIn } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

const FRIDAY = '2026-11-20';
let ana: string;
let kai: string;
// It is 8:05 AM at the clinic in all tests.
const t = useApp(
  () => buildTestApp({ deps: { clock: { now: () => Date.parse('2026-11-20T13:05:00Z') } } }),
  async ({ db }) => {
    ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
    kai = await buildTherapist(db, { first: 'Kai', last: 'Wood', windows: [[5, '08:00', '10:00']] });
    const bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
    const mo = await buildClient(db, { first: 'Mo', last: 'Diaz' });
    const at = (client: string, therapist: string | null, date: string, start: string, end: string, more = {}) =>
      buildAppointment(db, { client, therapist, date, start, end, ...more });
    await at(bo, ana, '2026-11-16', '09:00', '11:00');
    await at(bo, kai, '2026-11-17', '09:00', '10:30', { bookedTherapist: ana });
    await at(mo, ana, '2026-11-18', '09:00', '10:00', { status: 'cancelled' });
    await at(mo, ana, FRIDAY, '07:00', '09:00');
    await at(mo, kai, FRIDAY, '10:00', '11:00', { subject: 'Make-up session' });
    await at(bo, null, '2026-11-19', '09:00', '09:45');
    await at(bo, ana, FRIDAY, '09:00', '10:00', { location: 'tampa' });
    await buildAbsence(db, { therapist: ana, date: FRIDAY, start: '07:00', end: '08:30' });
    await db.updateTable('absence').set({ cause_id: 'sick', known_at: '2026-11-20 06:50:00' }).execute();
  },
);

const WEEK = 'location=altamonte&from=2026-11-16&to=2026-11-22';
const get = async <T>(path: string, who = t.staff): Promise<T> => {
  const reply = await who.call({ method: 'GET', url: `/api/${path}` });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<T>();
};

test('the figures of a week equal those on the Today page, to the minute', async () => {
  const report = await get<ReportReply>(`reports?${WEEK}`);
  const { week } = await get<TodayReply>(`today?location=altamonte&date=${FRIDAY}`);
  for (const figure of ['booked', 'kept', 'lost', 'open'] as const) {
    expect(report.total[figure]).toBe(week.reduce((sum, day) => sum + day[figure], 0));
    for (const day of week)
      expect(report.groups.day.find((group) => group.key === day.date)?.[figure] ?? 0).toBe(day[figure]);
  }
  // At 8:05, time until 8:15 counts as over, so only the last quarter hour of Ana's absence from 7:00 to 8:30 needs
  // cover.
  expect(report.total).toMatchObject({
    booked: 495,
    kept: 300,
    lost: 180,
    open: 15,
    covered: 90,
    made_up: 60,
    late: 75,
  });
});

test('lost hours are broken down by cause, and by who caused the loss', async () => {
  const { groups } = await get<ReportReply>(`reports?${WEEK}`);
  const lost = (list: ReportReply['groups']['cause']) => list.map(({ label, lost: minutes }) => [label, minutes]);
  expect(lost(groups.cause)).toEqual([
    ['No reason yet', 105],
    ['Sick', 75],
  ]);
  expect(lost(groups.side)).toEqual([
    ['Therapist', 75],
    ['Family', 60],
    ['Clinic', 45],
  ]);
});

test('a report shows how much cover each therapist gave, and how long each was available', async () => {
  const { cover, groups } = await get<ReportReply>(`reports?${WEEK}`);
  expect(cover).toEqual({
    most: { therapist: 'Kai Wood', minutes: 90, others: 0 },
    median: 45,
    least: { therapist: 'Ana Ruiz', minutes: 0, others: 0 },
  });
  // No one gave any cover the week before, so each is one of two.
  const before = await get<ReportReply>('reports?location=altamonte&from=2026-11-09&to=2026-11-15');
  expect([before.cover.most, before.cover.least]).toEqual([
    { therapist: 'Ana Ruiz', minutes: 0, others: 1 },
    { therapist: 'Kai Wood', minutes: 0, others: 1 },
  ]);
  expect(groups.therapist.map(({ label, kept, available }) => [label, kept, available])).toEqual([
    ['Ana Ruiz', 150, 5 * 480],
    ['Kai Wood', 150, 120],
    ['Unassigned', 0, undefined],
  ]);
});

test('given a therapist who is deleted in the middle of a range, then their time until that day counts as available and as worked', async () => {
  const { db } = t;
  const location = 'deerfield';
  const windows = [3, 5, 6].map((weekday): [number, string, string] => [weekday, '07:00', '12:00']);
  const zed = await buildTherapist(db, { first: 'Zed', last: 'Gone', location, windows });
  const client = await buildClient(db, { first: 'Ivy', last: 'Deer', location });
  for (const [date, end] of [['2026-11-18', '09:00'] as const, [FRIDAY, '07:45'] as const])
    await buildAppointment(db, { client, therapist: zed, date, start: '07:00', end, location });
  const report = () => get<ReportReply>(`reports?location=${location}&from=2026-11-16&to=2026-11-22`);
  const timeOf = ({ groups, total }: ReportReply) => {
    const own = groups.therapist.find(({ key }) => key === zed);
    return [own?.worked, own?.available, total.worked, total.available];
  };
  expect(timeOf(await report())).toEqual([165, 900, 165, 900]);
  const reply = await t.staff.call({ method: 'DELETE', url: `/api/therapists/${zed}` });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  // The deletion's own time is the computer's; the clinic's day is Friday.
  await db.updateTable('therapist').set({ deleted_at: '2026-11-20T13:05:00Z' }).where('id', '=', zed).execute();
  // Saturday's five hours no longer count.
  expect(timeOf(await report())).toEqual([165, 600, 165, 600]);
  const later = await get<ReportReply>(`reports?location=${location}&from=2026-11-21&to=2026-11-22`);
  expect(timeOf(later)).toEqual([undefined, undefined, 0, 0]);
  await db.deleteFrom('appointment').where('client_id', '=', client).execute();
});

test('each figure of every group opens a list of sessions whose minutes add up to it', async () => {
  const report = await get<ReportReply>(`reports?${WEEK}`);
  const lists = { total: [report.total], ...report.groups };
  for (const [by, groups] of Object.entries(lists))
    for (const group of groups)
      for (const figure of ['booked', 'billable', 'lost', 'open', 'covered', 'late'] satisfies ReportFigure[]) {
        const key = encodeURIComponent(group.key);
        const found = await get<ReportSessions>(`reports/sessions?${WEEK}&by=${by}&key=${key}&figure=${figure}`);
        expect(
          found.sessions.reduce((sum, session) => sum + session.minutes, 0),
          `${by} ${group.label} ${figure}`,
        ).toBe(group[figure]);
      }
});

test('a report can be read as a CSV file with one row for each group, and as a workbook', async () => {
  const csv = await t.staff.call({ method: 'GET', url: `/api/reports/file?${WEEK}&format=csv` });
  expect(csv.body).toContain('By client,Bo Lee,3,4.25,3.5,3.5,0.75,0,0,1.5,0,,\r\n');
  const xlsx = await t.staff.call({ method: 'GET', url: `/api/reports/file?${WEEK}&format=xlsx` });
  expect(xlsx.headers['content-type']).toContain('spreadsheetml');
  expect(xlsx.headers['content-disposition']).toContain('"report altamonte 2026-11-16 to 2026-11-22.xlsx"');
  expect(xlsx.rawPayload.subarray(0, 2).toString()).toBe('PK');
});

test('given unlike names and figures, then the workbook and the CSV file of a report hold the same, cell by cell', async () => {
  const { db } = t;
  // Names that a spreadsheet or a CSV file could misread.
  const names = ['=SUM(1,2)', 'O’Brien, "Jo"', '-7', '007', 'Núñez Øß', '1e3'];
  const therapist = await buildTherapist(db, { first: '+1', last: 'Ruiz; Bea', location: 'orlando' });
  for (const [i, first] of names.entries()) {
    const client = await buildClient(db, { first, last: 'Lee', location: 'orlando' });
    const [start, end] = [`${String(8 + i).padStart(2, '0')}:00`, `${String(8 + i).padStart(2, '0')}:${10 + 7 * i}`];
    const status = i === 3 ? 'cancelled' : 'booked';
    await buildAppointment(db, { client, therapist, date: '2026-11-10', start, end, location: 'orlando', status });
  }
  const file = (format: string) =>
    t.staff.call({ url: `/api/reports/file?location=orlando&from=2026-11-09&to=2026-11-15&format=${format}` });
  // A leading apostrophe makes a spreadsheet show a formula as text.
  const csv: string[][] = parse((await file('csv')).body.replace('\uFEFF', ''), { relax_column_count: true });
  const cells = csv.map((row) => row.map((cell) => cell.replace(/^'(?=[=+\-@])/, '')));
  const sheets = await readXlsxFile((await file('xlsx')).rawPayload, { trim: false });
  const text = (cell: unknown): string => (typeof cell === 'string' ? cell : JSON.stringify(cell));
  const texts = (row: readonly unknown[]) => row.map((cell) => (cell === null ? '' : text(cell)));
  const rowsOf = (group: string, width: number) =>
    cells.filter(([of]) => of === group).map((row) => row.slice(1, 1 + width));
  expect(sheets.map(({ sheet }) => sheet)).toEqual(
    expect.arrayContaining([...new Set(cells.slice(1).map(([of]) => of))]),
  );
  expect(rowsOf('By client', 1).map(([name]) => name)).toEqual(
    expect.arrayContaining(names.map((first) => `${first} Lee`)),
  );
  for (const { sheet, data } of sheets) {
    const [titles = [], ...rows] = data;
    if (sheet !== 'Cover' && sheet !== 'Notes') expect(titles).toEqual(cells[0]?.slice(1));
    expect(rows.map(texts), sheet).toEqual(rowsOf(sheet, titles.length));
  }
});

test('given sessions of odd lengths, then the rows of each grouping in a file add up to its total, to the minute', async () => {
  const { db } = t;
  const location = 'deerfield' as const;
  for (let i = 0; i < 9; i++) {
    const therapist = await buildTherapist(db, { first: `T${i}`, last: 'Adds', location });
    const client = await buildClient(db, { first: `C${i}`, last: 'Adds', location });
    const at = { date: `2026-10-1${i}`, start: '09:00', end: `09:${20 + (i % 2)}`, location };
    await buildAppointment(db, { client, therapist, ...at });
  }
  const url = `/api/reports/file?location=${location}&from=2026-10-05&to=2026-10-25&format=csv`;
  const rows: string[][] = parse((await t.staff.call({ url })).body.replace('\uFEFF', ''), {
    relax_column_count: true,
  });
  const [titles = []] = rows;
  for (const title of ['Booked, h', 'Kept, h', 'Worked, h']) {
    const sum = (group: string): number =>
      rows.reduce((n, row) => n + (row[0] === group ? 60 * Number(row[titles.indexOf(title)]) : 0), 0);
    expect(Math.round(sum('By therapist')), title).toBe(184);
    expect(Math.round(sum('Total')), title).toBe(184);
  }
});

test('an account gets reports only for its own locations, and each report is audited at those locations', async () => {
  const tampa = await t.signIn({ locations: ['tampa'] });
  const refused = await tampa.call({ method: 'GET', url: `/api/reports?${WEEK}` });
  expect(refused.statusCode).toBe(403);
  const own = await get<ReportReply>('reports?from=2026-11-16&to=2026-11-22', tampa);
  expect([own.locations, own.total.booked]).toEqual([['tampa'], 60]);
  const all = await get<ReportReply>('reports?from=2026-11-16&to=2026-11-22');
  expect(all.total.booked).toBe(495 + 60);
  const trail = await t.db.selectFrom('audit').selectAll().where('action', '=', 'report.read').execute();
  expect(trail.filter((row) => row.account_id === tampa.accountId)).toMatchObject([
    { location: 'tampa', subject_ids: ['tampa/2026-11-16/2026-11-22'] },
  ]);
});

test('one account’s reports are made one after another, and another account does not have to wait', async () => {
  const other = await t.signIn();
  const done: string[] = [];
  const ask = async (name: string, who: SignedIn) => {
    const { statusCode } = await who.call({ method: 'GET', url: `/api/reports?${WEEK}` });
    if (statusCode === 200) done.push(name);
    return statusCode;
  };
  const many = Array.from({ length: 25 }, () => ask('many', t.staff));
  expect(await ask('other', other)).toBe(200);
  expect(done.indexOf('other')).toBeLessThan(5);
  expect(await Promise.all(many)).toEqual(many.map(() => 200));
});

test.each([
  ['that ends before it begins', '2026-11-22', '2026-11-16'],
  ['of more than a quarter', '2026-01-01', '2026-04-05'],
])('a range %s is refused', async (_, from, to) => {
  const reply = await t.staff.call({ method: 'GET', url: `/api/reports?location=altamonte&from=${from}&to=${to}` });
  expect(reply.statusCode).toBe(422);
  expect(detailOf(reply)).toMatch(/1 to 93 days/);
});
