import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Explanation, ProposalReply, RefreshReply } from '@clinic/contract';
import { asProposal, detailOf, everyone, pin, propose, refresh, submit, submitBody } from '../../testing/calls.ts';
import { openSmallClinic } from '../../testing/small-app.ts';
import { DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import { dayOf } from '../../testing/state.ts';
import { buildAbsence, buildAppointment } from '../../testing/builders.ts';
import type { Db } from '../../db/connection.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { makeClock } from '../../platform/clock.ts';

let app: TestApp | undefined;
let db: Db;
let who: SignedIn;
let clinic: SmallClinic;
async function open(options: Parameters<typeof openSmallClinic>[1] = {}): Promise<void> {
  ({ app, db, who, clinic } = await openSmallClinic(app, options));
}
beforeEach(() => open());
afterAll(() => app?.close());

const again = async (dates = [DATE]) =>
  (
    await who.call({ method: 'POST', url: '/api/proposals', payload: { location: 'altamonte', dates } })
  ).json<ProposalReply>();

test('[DATA-05] a proposal has options by date, client, option and time slot, with figures, claims, versions and the reserve', async () => {
  const { data, metadata, backed_up_therapists } = await propose(who, { therapist: 'Ana Ruiz' });
  expect(Object.keys(data)).toEqual([DATE]);
  expect(metadata.options[DATE]).toMatchObject({
    'Option 1': {
      label: 'Balanced',
      strategy: 'balanced',
      sessions: 1,
      minutes_needed: 180,
      minutes_kept: 180,
      minutes_uncovered: 0,
      changes: 1,
      new_faces: 0,
      calls: 1,
      cuts: 0,
      bcba_minutes: 0,
      leads_in: null,
      proven: true,
    },
  });
  expect(metadata.options[DATE]?.['Option 2']?.label).toMatch(/^Or with (Lin|Max) /);
  expect(metadata.options[DATE]?.['Option 3']?.label).toMatch(/^Or with /);
  expect(metadata.options[DATE]?.['Option 1']).not.toHaveProperty('compared');
  expect(metadata.options[DATE]?.['Option 2']?.compared).toMatch(/less with the care team/);
  expect(metadata.claims[DATE]?.['Bo Lee']?.['Option 1']).toEqual([
    { therapist: 'Kai Wood', from: 510, to: 690, changed: true, other: true },
  ]);
  expect(metadata.hours?.[DATE]?.['Kai Wood']).toMatchObject({ week_limit: 2400, day_limit: null, freed: 0 });
  expect(metadata.hours?.[DATE]).not.toHaveProperty('Ana Ruiz');
  expect(metadata.versions).toEqual({ [DATE]: 1 });
  expect(backed_up_therapists[DATE]).toContainEqual({ therapist: 'Kai Wood', begin: '11:30', end: '17:00' });
  expect(backed_up_therapists[DATE]?.map((t) => t.therapist)).not.toContain('Ana Ruiz');
});

test('given stored absences and unassigned sessions, options can be made for them again', async () => {
  await propose(who, { therapist: 'Ana Ruiz' });
  await buildAppointment(db, { therapist: null, client: clinic.ida, date: DATE, start: '12:00', end: '13:00' });
  const { data } = await again();
  expect(Object.keys(data[DATE] ?? {})).toEqual(['Bo Lee', 'Ida Fox']);
  expect(data[DATE]?.['Ida Fox']?.['Option 1']?.['12:00 PM - 1:00 PM']).toMatchObject({ status: 'Cover', from: null });
  expect((await again(['2030-11-27'])).data).toEqual({});
});

test('given several sessions of a client in the same slot, each after the first is shown with its subject in parentheses', async () => {
  for (const second of [clinic.lin, clinic.max])
    await buildAppointment(db, {
      therapist: second,
      client: clinic.bo,
      date: DATE,
      start: '08:30',
      end: '11:30',
      service: 'supervision',
      subject: 'Supervision',
    });
  const { data } = await propose(who, { client: 'Bo Lee' });
  expect(Object.keys(data[DATE]?.['Bo Lee']?.['Option 1'] ?? {})).toEqual([
    '8:30 AM - 11:30 AM',
    '8:30 AM - 11:30 AM (Supervision)',
    '8:30 AM - 11:30 AM (Supervision) 2',
  ]);
});

test('[SOL-09] a refresh keeps the selected option exactly and increases the revision; without a selection it solves again', async () => {
  await buildAppointment(db, { therapist: clinic.ana, client: clinic.ida, date: DATE, start: '13:00', end: '15:00' });
  const first = await propose(who, { therapist: 'Ana Ruiz' });
  const option = Object.keys(first.data[DATE]?.['Bo Lee'] ?? {}).at(-1) ?? '';
  const held = JSON.stringify(
    Object.entries(first.data[DATE]?.['Bo Lee']?.[option] ?? {}).map(([s, c]) => [s, c.therapist, c.status]),
  );
  const reply = await refresh(who, first, [pin('Bo Lee', option)]);
  expect(reply.statusCode, reply.body).toBe(200);
  const second = reply.json<RefreshReply>();
  expect(second.metadata).toMatchObject({ proposal: first.metadata.proposal, revision: 2 });
  expect(second.message).toMatch(/^Kept as chosen: Bo Lee\./);
  for (const cells of Object.values(second.output.possible_solutions[DATE]?.['Bo Lee'] ?? {}))
    expect(JSON.stringify(Object.entries(cells).map(([s, c]) => [s, c.therapist, c.status]))).toBe(held);
  const third = (await refresh(who, asProposal(second), [])).json<RefreshReply>();
  expect(third.metadata.revision).toBe(3);
  expect(third.message).toMatch(/^These are new options for all sessions\./);
  expect(Object.keys(third.output.possible_solutions[DATE]?.['Bo Lee'] ?? {})).toHaveLength(3);
});

test('[SOL-12] given a refresh whose reply was lost, the account can refresh or submit the options that it still shows', async () => {
  const first = await propose(who, { therapist: 'Ana Ruiz' });
  const lost = (await refresh(who, first, [pin('Bo Lee', 'Option 1')])).json<RefreshReply>();
  const second = await refresh(who, first, [pin('Bo Lee', 'Option 2')]);
  expect(second.statusCode, second.body).toBe(200);
  expect(second.json<RefreshReply>().metadata.revision).toBe(lost.metadata.revision + 1);
  const old = await submit(who, submitBody(first, everyone(first)));
  expect(old.statusCode, old.body).toBe(200);
});

test('given options that another account has refreshed since, neither a refresh nor a submit of the old ones is taken', async () => {
  const first = await propose(who, { therapist: 'Ana Ruiz' });
  const other = await app?.signIn();
  if (!other) throw new Error('no server');
  expect((await refresh(other, first, [])).statusCode).toBe(200);
  for (const old of [await refresh(who, first, []), await submit(who, submitBody(first, everyone(first)))]) {
    expect(old.statusCode).toBe(409);
    expect(detailOf(old).message).toMatch(/replaced by a later refresh/);
  }
});

test('[SOL-11] pins that clash with each other or with the calendar are refused with 410 and the exact conflicts', async () => {
  const other = await buildAppointment(db, {
    therapist: null,
    client: clinic.ida,
    date: DATE,
    start: '09:00',
    end: '11:00',
  });
  await buildAbsence(db, { therapist: clinic.max, date: DATE });
  const first = await propose(who, { therapist: 'Ana Ruiz' });
  // Some options give Bo to Kai or Lin, and others give the same therapist to Ida.
  const takes = (client: string, name: string) =>
    Object.entries(first.data[DATE]?.[client] ?? {}).find(([, cells]) =>
      Object.values(cells).some((c) => c.therapist === name),
    )?.[0];
  const name = ['Kai Wood', 'Lin Park'].find((n) => takes('Bo Lee', n) && takes('Ida Fox', n)) ?? '';
  const pins = [pin('Bo Lee', takes('Bo Lee', name) ?? ''), pin('Ida Fox', takes('Ida Fox', name) ?? '')];
  const clash = await refresh(who, first, pins);
  expect(clash.statusCode, clash.body).toBe(410);
  const { message, conflicts } = detailOf(clash);
  expect(message).toMatch(/cannot be kept together/);
  expect(conflicts).toContainEqual(
    expect.objectContaining({
      date: DATE,
      therapist: name,
      time: expect.stringMatching(/^\d+:\d\d AM - \d+:\d\d AM$/) as string,
    }) as unknown,
  );
  expect(new Set(conflicts.map((c) => c['client']))).toEqual(new Set(['Bo Lee', 'Ida Fox']));
  // Moves Bo's session on the calendar.
  await db
    .updateTable('appointment')
    .set({ starts: `${DATE} 10:00:00` })
    .where('id', '=', other)
    .execute();
  const moved = await refresh(who, first, [pin('Ida Fox', 'Option 1')]);
  expect(moved.statusCode).toBe(410);
  expect(detailOf(moved).conflicts[0]).toMatchObject({
    client: 'Ida Fox',
    why: 'Ida Fox’s session was moved to 10:00 AM - 11:00 AM.',
  });
  // The first options have not changed.
  expect((await refresh(who, first, [])).statusCode).toBe(200);
});

test('a refresh has no options when no session is affected anymore, and is refused after a commit', async () => {
  const first = await propose(who, { therapist: 'Ana Ruiz' });
  await who.call({
    method: 'POST',
    url: '/api/absences/withdraw',
    payload: { location: 'altamonte', date: DATE, type: 'therapist', name: 'Ana Ruiz' },
  });
  const empty = (await refresh(who, first, [])).json<RefreshReply>();
  expect(empty.output.possible_solutions).toEqual({});
  expect(empty.message).toBe('No changes to the schedule needed');
  const second = await propose(who, { therapist: 'Ana Ruiz' });
  expect((await submit(who, submitBody(second, everyone(second)))).statusCode).toBe(200);
  expect((await refresh(who, second, [])).statusCode).toBe(409);
});

test('today is planned only from the current time on, and time that has passed is neither shown nor changed', async () => {
  // Options are made at 9:50 AM at the clinic.
  await open({ deps: { clock: makeClock(`${DATE}T14:50:00Z`) } });
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  const cells = proposal.data[DATE]?.['Bo Lee']?.['Option 1'] ?? {};
  expect(Object.keys(cells)[0]).toMatch(/^10:00 AM - /);
  expect((await submit(who, submitBody(proposal, everyone(proposal)))).statusCode).toBe(200);
  expect((await dayOf(db, DATE, clinic.bo))[0]).toBe('08:30-10:00 Ana Ruiz booked');
});

test('in the demo clinic, no part of today counts as past', async () => {
  await open({ deps: { clock: makeClock(`${DATE}T14:50:00Z`) } });
  await db.updateTable('account').set({ demo: true }).execute();
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  expect(Object.keys(proposal.data[DATE]?.['Bo Lee']?.['Option 1'] ?? {})).toEqual(['8:30 AM - 11:30 AM']);
});

test('every cell can be explained', async () => {
  await buildAbsence(db, { therapist: clinic.max, date: DATE });
  await buildAbsence(db, { therapist: clinic.kai, date: DATE });
  await buildAppointment(db, { therapist: clinic.lin, client: clinic.ida, date: DATE, start: '10:00', end: '12:00' });
  const proposal = await propose(who, { therapist: 'Ana Ruiz' }, { client: 'Mo Diaz' });
  const { proposal: id, revision } = proposal.metadata;
  const explain = (client: string, time_slot: string, option = 'Option 1') =>
    who.call({
      method: 'POST',
      url: '/api/proposals/explain',
      payload: { proposal: id, revision, date: DATE, client, option, time_slot },
    });
  for (const [client, options] of Object.entries(proposal.data[DATE] ?? {}))
    for (const [option, cells] of Object.entries(options))
      for (const [slot, cell] of Object.entries(cells)) {
        const reply = await explain(client, slot, option);
        expect(reply.statusCode, `${client} ${option} ${slot}: ${reply.body}`).toBe(200);
        const why = reply.json<Explanation>();
        expect(why.therapists).toBe(4);
        if (cell.status === 'Unassigned') {
          expect(why.excluded.reduce((n, e) => n + e.count, 0)).toBe(4);
          const takes = why.what_it_would_take;
          expect(typeof takes?.certain).toBe('boolean');
          expect(takes?.words.startsWith('Whatever else changes, ')).toBe(takes?.certain && !takes.possible);
        } else expect(why.speaks_for.length).toBeGreaterThan(0);
      }
  expect((await explain('Bo Lee', '1:00 AM - 2:00 AM')).statusCode).toBe(404);
  expect((await explain('Nobody', '8:30 AM - 10:00 AM')).statusCode).toBe(404);
});
