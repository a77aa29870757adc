import { expect, test } from 'vitest';
import type { ActionsReply, ProposalReply } from '@clinic/contract';
import { findFaults, type MixChoices, type MixFault } from '@clinic/domain';
import { randomFrom } from '@clinic/testkit';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { commitEveryone, detailOf, saveAbsences, submit, submitBody, takersOf, undo } from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { buildRandomClinic, randomAbsences } from '../../testing/random-clinic.ts';
import { useApp } from '../../testing/use-app.ts';
import { doseOf, keepFigures } from '../../reliability/testing/doses.ts';

/** How many random weeks to try. To try others, set `SEED` to another first seed. */
const WEEKS = doseOf('week-mixes');
const FIRST = Number(process.env['SEED'] ?? 48);
const MIXES = 8;

const app = useApp(buildCoverApp);

const faultsOf = ({ metadata }: ProposalReply, choices: MixChoices): MixFault[] =>
  findFaults({ claims: metadata.claims, hours: metadata.hours ?? {} }, choices);

/** Gives every client on every date the option that `pick` returns. */
const choicesOf = ({ data }: ProposalReply, pick: (options: string[], date: string) => string | undefined) =>
  Object.fromEntries(
    Object.entries(data).map(([date, clients]) => [
      date,
      Object.fromEntries(
        Object.entries(clients).map(([client, options]) => [client, pick(Object.keys(options), date) ?? 'Option 1']),
      ),
    ]),
  );

test(
  'given random mixes over two dates of a week with few hours left, then the page calls a mix possible exactly when the commit accepts it',
  async () => {
    const began = performance.now();
    const seen: Record<MixFault['kind'] | 'written' | 'sum', number> = {
      written: 0,
      clash: 0,
      hours: 0,
      unknown: 0,
      sum: 0,
    };
    for (let seed = FIRST; seed < FIRST + WEEKS; seed++) {
      const clinic = await buildRandomClinic(app.database.db, 1000 + seed, { tightWeek: true });
      const saved = await saveAbsences(app.staff, randomAbsences(seed, clinic));
      expect(saved.statusCode, `seed ${seed}: ${saved.body}`).toBe(200);
      const proposal = saved.json<ProposalReply>();
      const random = randomFrom(seed + 2_000_000);
      for (let mix = 0; mix < MIXES; mix++) {
        // The first mixes have one option for everyone on each date.
        const fixed = new Map(clinic.dates.map((date) => [date, mix === 0 ? 0 : random.int(0, 4)]));
        const choices = choicesOf(proposal, (options, date) =>
          mix < 4 ? (options[fixed.get(date) ?? 0] ?? options.at(-1)) : random.pick(options),
        );
        const faults = faultsOf(proposal, choices);
        const reply = await submit(app.staff, submitBody(proposal, choices));
        const told = `seed ${seed} mix ${mix}: ${JSON.stringify(faults)} ${reply.body}`;
        if (mix === 0) expect(faults, told).toEqual([]);
        expect(reply.statusCode, told).toBe(faults.length === 0 ? 200 : 409);
        if (faults.length === 0) {
          seen.written++;
          expect((await undo(app.staff, reply.json<ActionsReply>().commit)).statusCode, told).toBe(200);
          continue;
        }
        const refused = new Set(detailOf(reply).conflicts.map((c) => `${c['date']} ${c['therapist']}`));
        // The commit stops at the first date that does not fit.
        for (const { kind, date, therapist, choices: causing } of faults.filter((f) => f.date === faults[0]?.date)) {
          expect([...refused], told).toContain(`${date} ${therapist}`);
          seen[kind]++;
          if (causing.some((each) => each.date !== date)) seen.sum++;
        }
      }
    }
    if (WEEKS >= 4 && process.env['SEED'] === undefined)
      for (const [kind, n] of Object.entries(seen)) if (kind !== 'unknown') expect(n, kind).toBeGreaterThan(0);
    keepFigures('week-mixes', WEEKS, began, { ...seen, differences: 0 });
  },
  WEEKS * 30_000,
);

test('given a therapist whom a client would know only from Monday’s session in one option, then Wednesday’s session with that therapist is possible only together with that option', async () => {
  const { db } = app.deps;
  const [monday, wednesday] = ['2027-01-04', '2027-01-06'];
  const person = (first: string, specialization: 'BCBA' | 'RBT') =>
    buildTherapist(db, {
      first,
      last: 'Meets',
      specialization,
      windows: [
        [1, '09:00', '17:00'],
        [3, '09:00', '17:00'],
      ],
    });
  const [ana, eve, ida] = [await person('Ana', 'BCBA'), await person('Eve', 'RBT'), await person('Ida', 'RBT')];
  await person('Kai', 'BCBA');
  await person('Lou', 'RBT');
  const strangers = await db.selectFrom('therapist').select('id').where('last_name', '<>', 'Meets').execute();
  const excludes = strangers.map(({ id }) => id);
  for (const [first, therapist, hour] of [
    ['Bo', eve, 9],
    ['Mo', ida, 11],
  ] as const) {
    const client = await buildClient(db, { first, last: 'Meets', excludes });
    await buildAppointment(db, { therapist, client, date: monday, start: '09:00', end: '11:00' });
    const at = { date: wednesday, start: `${hour}:00`.padStart(5, '0'), end: `${hour + 1}:00` };
    await buildAppointment(db, { therapist: ana, client, ...at, service: 'parent-training' });
  }
  const away = [
    { therapist: 'Eve Meets', date: monday },
    { therapist: 'Ida Meets', date: monday },
    { therapist: 'Ana Meets', date: monday },
    { therapist: 'Ana Meets', date: wednesday },
    { therapist: 'Eve Meets', date: wednesday },
    { therapist: 'Ida Meets', date: wednesday },
  ];
  const proposal = (await saveAbsences(app.staff, away)).json<ProposalReply>();
  const taker = (date: string, client: string, option: string) => takersOf(proposal, date, client, option).join();
  const met = ['Bo Meets', 'Mo Meets'].find((client) => taker(monday, client, 'Option 1') === 'Kai Meets') ?? '';
  expect(taker(wednesday, met, 'Option 1')).toBe('Kai Meets');
  const other =
    Object.keys(proposal.data[monday]?.[met] ?? {}).find((o) => taker(monday, met, o) !== 'Kai Meets') ?? '';
  const mixed = choicesOf(proposal, (_, date) => (date === monday ? other : 'Option 1'));
  expect(faultsOf(proposal, mixed)).toMatchObject([
    {
      kind: 'unknown',
      date: wednesday,
      therapist: 'Kai Meets',
      choices: [{ client: met }],
      others: [{ date: monday }],
    },
  ]);
  const refused = await submit(app.staff, submitBody(proposal, mixed));
  expect(refused.statusCode, refused.body).toBe(409);
  await commitEveryone(app.staff, proposal);
});

test('given a client who knows a therapist only from a session that Monday’s options take from that therapist, then Wednesday’s session with the therapist can still be submitted', async () => {
  const { db } = app.deps;
  const [monday, wednesday] = ['2027-02-01', '2027-02-03'];
  const [ana, kai] = [
    await buildTherapist(db, { first: 'Ana', last: 'Known', specialization: 'BCBA' }),
    await buildTherapist(db, { first: 'Kai', last: 'Known', specialization: 'BCBA' }),
  ];
  const strangers = await db.selectFrom('therapist').select('id').where('last_name', '<>', 'Known').execute();
  const bo = await buildClient(db, { first: 'Bo', last: 'Known', excludes: strangers.map(({ id }) => id) });
  await buildAppointment(db, { therapist: kai, client: bo, date: monday, start: '09:00', end: '11:00' });
  const at = { therapist: ana, client: bo, date: wednesday, start: '09:00', end: '10:00' };
  await buildAppointment(db, { ...at, service: 'supervision', subject: 'Supervision' });
  const away = [
    // Kai keeps a quarter hour, so the session counts as theirs until Monday's options take it from them.
    { therapist: 'Kai Known', date: monday, begin: '09:00', end: '10:45' },
    { therapist: 'Ana Known', date: wednesday },
  ];
  const proposal = (await saveAbsences(app.staff, away)).json<ProposalReply>();
  expect(takersOf(proposal, wednesday, 'Bo Known')).toEqual(['Kai Known']);
  await commitEveryone(app.staff, proposal);
});

test('given a therapist with no hours left whose own client is away, then the page lets them use the freed hours to cover', async () => {
  const { db } = app.deps;
  const date = '2027-03-01';
  const ana = await buildTherapist(db, { first: 'Ana', last: 'Freed' });
  const kai = await buildTherapist(db, { first: 'Kai', last: 'Freed', hours: { week: 2 } });
  const strangers = await db.selectFrom('therapist').select('id').where('last_name', '<>', 'Freed').execute();
  const excludes = strangers.map(({ id }) => id);
  const bo = await buildClient(db, { first: 'Bo', last: 'Freed', excludes });
  const mo = await buildClient(db, { first: 'Mo', last: 'Freed', excludes });
  await buildAppointment(db, { therapist: ana, client: bo, date, start: '09:00', end: '11:00' });
  await buildAppointment(db, { therapist: kai, client: mo, date, start: '09:00', end: '11:00' });
  const away = [
    { therapist: 'Ana Freed', date },
    { client: 'Mo Freed', date },
  ];
  const proposal = (await saveAbsences(app.staff, away)).json<ProposalReply>();
  expect(takersOf(proposal, date, 'Bo Freed')).toEqual(['Kai Freed']);
  expect(
    faultsOf(
      proposal,
      choicesOf(proposal, () => 'Option 1'),
    ),
  ).toEqual([]);
  await commitEveryone(app.staff, proposal);
});
