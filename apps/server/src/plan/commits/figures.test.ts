/** A commit's figures, wherever they are shown, compared with the calendar before and after the commit. */
import { expect, test } from 'vitest';
import readXlsxFile from 'read-excel-file/node';
import type { ActionsReply, ClientFigures, CommitSummary, ProposalReply, TodayReply } from '@clinic/contract';
import { duration, findClashes } from '@clinic/domain';
import { randomFrom } from '@clinic/testkit';
import { buildAppointment } from '../../testing/builders.ts';
import { everyone, propose, saveAbsences, submit, submitBody, undo } from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { buildRandomClinic, randomAbsences, type RandomClinic } from '../../testing/random-clinic.ts';
import { buildSmallClinic, DATE } from '../../testing/small-clinic.ts';
import { useApp } from '../../testing/use-app.ts';

const app = useApp(buildCoverApp);

type Choice = Record<string, Record<string, string>>;
type Figures = Pick<ClientFigures, 'sessions' | 'changes' | 'minutes_needed' | 'minutes_kept' | 'minutes_uncovered'>;

const figuresOf = (f: Figures): Figures => ({
  sessions: f.sessions,
  changes: f.changes,
  minutes_needed: f.minutes_needed,
  minutes_kept: f.minutes_kept,
  minutes_uncovered: f.minutes_uncovered,
});

/** A choice's figures as the page shows them before Submit: the sums of the chosen clients' figures. */
function proposedFigures({ metadata }: ProposalReply, choice: Choice): Figures {
  const chosen = Object.entries(choice).flatMap(([date, clients]) =>
    Object.entries(clients).flatMap(([client, option]) => metadata.client_figures[date]?.[client]?.[option] ?? []),
  );
  const sum = (of: (f: Figures) => number): number => chosen.reduce((n, f) => n + of(f), 0);
  return {
    sessions: sum((f) => f.sessions),
    changes: sum((f) => f.changes),
    minutes_needed: sum((f) => f.minutes_needed),
    minutes_kept: sum((f) => f.minutes_kept),
    minutes_uncovered: sum((f) => f.minutes_uncovered),
  };
}

/** For each client's session, the therapist in each minute, read directly from the appointment table. */
async function minutesOfDay(date: string): Promise<Map<string, string>> {
  const rows = await app.db
    .selectFrom('appointment')
    .select(['id', 'parent_id', 'starts', 'ends', 'therapist_id', 'status'])
    .where('client_id', 'is not', null)
    .where('starts', '>=', `${date} 00:00:00`)
    .where('starts', '<', `${date} 24:00:00`)
    .where('status', '<>', 'entered-in-error')
    .execute();
  const of = new Map<string, string[]>();
  for (const row of rows) {
    const minutes = of.get(row.parent_id ?? row.id) ?? [];
    for (let at = Date.parse(`${row.starts}Z`); at < Date.parse(`${row.ends}Z`); at += 60_000)
      minutes.push(`${at} ${row.status === 'cancelled' ? 'cancelled' : (row.therapist_id ?? 'nobody')}`);
    of.set(row.parent_id ?? row.id, minutes);
  }
  return new Map([...of].map(([session, minutes]) => [session, minutes.sort().join()]));
}

/**
 * Submits a choice and reads its figures from every place that shows them: all must be equal and match the calendar.
 */
async function submitAndCount(proposal: ProposalReply, choice: Choice, date: string): Promise<Figures> {
  const before = await minutesOfDay(date);
  const done = await submit(app.staff, submitBody(proposal, choice));
  expect(done.statusCode, done.body).toBe(200);
  const reply = done.json<ActionsReply>();
  const after = await minutesOfDay(date);
  const proposed = proposedFigures(proposal, choice);
  const changed = [...before].filter(([session, minutes]) => after.get(session) !== minutes);
  expect(proposed.changes).toBe(changed.length);
  expect(proposed.minutes_kept + proposed.minutes_uncovered).toBe(proposed.minutes_needed);
  expect(reply.figures).toEqual({ ...proposed, people: new Set(reply.calls.map((c) => c.who)).size });

  const url = `date=${date}&location=altamonte`;
  const history = (await app.staff.call({ url: `/api/commits?${url}` })).json<CommitSummary[]>();
  const today = (await app.staff.call({ url: `/api/today?${url}` })).json<TodayReply>();
  for (const commits of [history, today.commits]) {
    const commit = commits.find((c) => c.id === reply.commit);
    expect(commit).toMatchObject({ ...reply.figures });
    expect(commit?.clients).toHaveLength(proposal.metadata.clients?.[date] ?? 0);
  }

  const workbook = await app.staff.call({ url: `/api/commits/${reply.commit}/workbook` });
  const sheets = await readXlsxFile(workbook.rawPayload);
  expect(sheets.find((s) => s.sheet === 'Figures')?.data).toEqual([
    ['Figure', 'Value'],
    ['Sessions affected', proposed.sessions],
    ['Changes', proposed.changes],
    ['Care in these sessions', duration(proposed.minutes_needed)],
    ['Care kept', duration(proposed.minutes_kept)],
    ['Care without a therapist', duration(proposed.minutes_uncovered)],
    ['People to notify', reply.figures?.people],
  ]);
  expect((await undo(app.staff, reply.commit)).statusCode).toBe(200);
  return proposed;
}

test('given an ordinary day, then the options, the reply, the Today page, the list of commits and the workbook agree', async () => {
  const clinic = await buildSmallClinic(app.db);
  const group = { date: DATE, start: '12:00', end: '13:00', therapist: clinic.ana, group: 'social-skills' };
  for (const client of [clinic.ida, clinic.mo]) await buildAppointment(app.db, { ...group, client });
  const proposal = await propose(app.staff, { therapist: 'Ana Ruiz' }, { client: 'Mo Diaz', begin: '12:30' });
  // The rows of the options are Bo, Mo, and the group of Ida and Mo: three children.
  expect(proposal.metadata.clients).toEqual({ [DATE]: 3 });
  const figures = await submitAndCount(proposal, everyone(proposal), DATE);
  // Four sessions: Bo's three hours, Mo's cancelled afternoon, and the group once for each of its two children.
  expect(figures.sessions).toBe(4);
  expect(figures.changes).toBe(4);
  const option = proposal.metadata.options[DATE]?.['Option 1'];
  expect(option && figuresOf(option)).toEqual(figures);
  await app.db.deleteFrom('absence').execute();
});

test('given a session that an earlier commit has split, then it counts as one in the options, in the commit and on the Today page', async () => {
  const first = await propose(app.staff, { therapist: 'Ana Ruiz', begin: '09:30', end: '10:30' });
  const split = await submit(app.staff, submitBody(first, everyone(first)));
  expect(split.statusCode, split.body).toBe(200);
  const pieces = await app.db.selectFrom('appointment').select('id').where('parent_id', 'is not', null).execute();
  expect(pieces.length).toBeGreaterThan(0);
  const proposal = await propose(
    app.staff,
    ...['Ana Ruiz', 'Kai Wood', 'Lin Park', 'Max Dean'].map((therapist) => ({ therapist })),
  );
  const { needs_cover } = (
    await app.staff.call({ url: `/api/today?date=${DATE}&location=altamonte` })
  ).json<TodayReply>();
  expect(needs_cover.length).toBeGreaterThan(2);
  const figures = await submitAndCount(proposal, everyone(proposal), DATE);
  // Bo's morning, in three pieces; Mo's afternoon; and the group once for each of its two children.
  expect([figures.sessions, figures.changes]).toEqual([4, 4]);
  expect(new Set(needs_cover.map(({ session }) => session)).size).toBe(figures.sessions);
  await app.db.deleteFrom('absence').execute();
});

/** Seeds of random days that together have every cell status; the test checks this. */
const SEEDS = process.env['FIGURE_SEEDS']?.split(',').map(Number) ?? [2, 49, 51, 53];

test(
  'given random days with every cell status, then the options, the reply, the Today page, the list of commits and the workbook agree, even for a mix of options',
  async () => {
    const seen = new Set<string>();
    for (const seed of SEEDS) {
      const clinic = await buildRandomClinic(app.db, seed);
      const proposal = (await saveAbsences(app.staff, randomAbsences(seed, clinic))).json<ProposalReply>();
      for (const choice of consistentChoices(proposal, clinic, seed)) {
        await submitAndCount(proposal, choice, clinic.date);
        for (const status of statusesOf(proposal, choice)) seen.add(status);
      }
    }
    expect([...seen].sort()).toEqual(['Cancel', 'Cover', 'Scheduled', 'Swap', 'Unassigned']);
  },
  SEEDS.length * 60_000,
);

/** Options 1 and 2 for everyone, and a random mix if its options do not clash. */
function consistentChoices(proposal: ProposalReply, { date }: RandomClinic, seed: number): Choice[] {
  const random = randomFrom(seed + 3_000_000);
  const options = Object.keys(proposal.metadata.options[date] ?? {});
  const clients = Object.keys(proposal.data[date] ?? {});
  const mix = Object.fromEntries(clients.map((client) => [client, random.pick(options)]));
  const clashes = findClashes(proposal.metadata.claims[date] ?? {}, mix);
  return [
    ...options.slice(0, 2).map((option) => everyone(proposal, option)),
    ...(clashes.length > 0 ? [] : [{ [date]: mix }]),
  ];
}

const statusesOf = (proposal: ProposalReply, choice: Choice): string[] =>
  Object.entries(choice).flatMap(([date, clients]) =>
    Object.entries(clients).flatMap(([client, option]) =>
      Object.values(proposal.data[date]?.[client]?.[option] ?? {}).map((cell) => cell.status),
    ),
  );

test('given a day with every therapist away, then all care is lost and every session that had a therapist changes', async () => {
  const clinic = await buildRandomClinic(app.db, 499);
  const saved = await saveAbsences(
    app.staff,
    clinic.therapists.map((therapist) => ({ therapist, date: clinic.date })),
  );
  const proposal = saved.json<ProposalReply>();
  const booked = await app.db
    .selectFrom('appointment')
    .select(['therapist_id'])
    .where('client_id', 'is not', null)
    .where('starts', '>=', `${clinic.date} 00:00:00`)
    .where('starts', '<', `${clinic.date} 24:00:00`)
    .execute();
  const figures = await submitAndCount(proposal, everyone(proposal), clinic.date);
  expect(figures).toMatchObject({
    sessions: booked.length,
    changes: booked.filter((row) => row.therapist_id !== null).length,
    minutes_kept: 0,
  });
  expect(figures.changes).toBeGreaterThan(5);
});
