import { expect, test } from 'vitest';
import { sql } from 'kysely';
import type { ActionsReply, ProposalReply, TodayReply } from '@clinic/contract';
import { detailOf, everyone, propose, slotsOf, submit, submitBody, undo } from '../../testing/calls.ts';
import { openForEachTest } from '../../testing/small-app.ts';
import { DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import { dayOf, doubleBookings } from '../../testing/state.ts';
import { buildAbsence, buildAppointment, dayVersion } from '../../testing/builders.ts';
import type { SignedIn } from '../../testing/test-app.ts';
import type { Db } from '../../db/connection.ts';

let db: Db;
let who: SignedIn;
let clinic: SmallClinic;
openForEachTest((small) => ({ db, who, clinic } = small));

const eventsOf = async (key: string) =>
  db
    .selectFrom('appointment_event')
    .select(['what', 'reason', 'commit_id', 'account_id'])
    .where('appointment_id', '=', key)
    .orderBy('id')
    .execute();

test('[SOL-13] given a chosen option, then the session moves as chosen, its history is kept, and every page is notified', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  const version = await dayVersion(db, 'altamonte', DATE);
  const reply = await submit(who, submitBody(proposal, everyone(proposal)));
  expect(reply.statusCode, reply.body).toBe(200);
  const { commit } = reply.json<ActionsReply>();
  expect(await dayOf(db, DATE, clinic.bo)).toEqual(['08:30-11:30 Kai Wood/Ana Ruiz booked']);
  expect(await eventsOf(clinic.boMorning)).toEqual([
    { what: 'covered', reason: 'Ana Ruiz is away', commit_id: commit, account_id: who.accountId },
  ]);
  expect(await dayVersion(db, 'altamonte', DATE)).toBe(version + 1);
  const audited = await db
    .selectFrom('audit')
    .select(['subject_ids', 'account_id'])
    .where('action', '=', 'schedule.committed')
    .execute();
  expect(audited).toEqual([{ subject_ids: [commit], account_id: who.accountId }]);
});

test('given an option that splits a session, then its pieces have their own Ids and record where they came from', async () => {
  // Only Lin may cover Bo's morning, and Lin is booked from 10:00, so half of the morning is unassigned.
  await buildAbsence(db, { therapist: clinic.kai, date: DATE });
  await buildAbsence(db, { therapist: clinic.max, date: DATE });
  await buildAppointment(db, { therapist: clinic.lin, client: clinic.mo, date: DATE, start: '10:00', end: '12:00' });
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  expect(Object.keys(proposal.data[DATE]?.['Bo Lee']?.['Option 1'] ?? {})).toEqual([
    '8:30 AM - 10:00 AM',
    '10:00 AM - 11:30 AM',
  ]);
  const reply = await submit(who, submitBody(proposal, everyone(proposal)));
  expect(reply.statusCode, reply.body).toBe(200);
  expect(await dayOf(db, DATE, clinic.bo)).toEqual([
    '08:30-10:00 Lin Park/Ana Ruiz booked',
    '10:00-11:30 nobody/Ana Ruiz booked',
  ]);
  const rows = await db
    .selectFrom('appointment')
    .select(['id', 'wire_id', 'parent_id', 'place', 'client_place'])
    .where('client_id', '=', clinic.bo)
    .where(sql<boolean>`starts::date = ${DATE}`)
    .orderBy('starts')
    .execute();
  const [first, piece] = rows;
  expect(first).toMatchObject({ id: clinic.boMorning, parent_id: null, place: clinic.boMorning });
  expect(piece?.parent_id).toBe(clinic.boMorning);
  expect(piece?.wire_id).toMatch(/^APT-\d{7}$/);
  expect([piece?.place, piece?.client_place]).toEqual([piece?.id, piece?.id]);
  const { actions, uncovered, calls } = reply.json<ActionsReply>();
  expect(
    actions.map((a) => [a.time, a.from_therapist, a.to_therapist, a.status, a.appointment_id === piece?.wire_id]),
  ).toEqual([
    ['8:30 AM - 10:00 AM', 'Ana Ruiz', 'Lin Park', 'Cover', false],
    ['10:00 AM - 11:30 AM', 'Ana Ruiz', 'Unassigned', 'Unassigned', true],
  ]);
  expect(uncovered).toEqual([
    {
      date: DATE,
      client: 'Bo Lee',
      time: '10:00 AM - 11:30 AM',
      minutes: 90,
      subject: 'Direct Therapy',
      booked_therapist: 'Ana Ruiz',
    },
  ]);
  expect(calls).toEqual([
    // The family is told after Lin has agreed.
    {
      who: 'Lin Park',
      kind: 'therapist',
      date: DATE,
      say: 'Friday, November 22, 2030: Can you come in for Bo Lee from 8:30 to 10:00?',
    },
    {
      who: 'Family of Bo Lee',
      kind: 'family',
      date: DATE,
      say: 'After Lin says yes: Friday, November 22, 2030: Bo is with Lin from 8:30 to 10:00 instead of Ana. We have nobody for Bo from 10:00 to 11:30; shall we cancel it, or may we ring again by 9:00?',
    },
  ]);
  // The unassigned time needs cover in every later proposal.
  const later = (
    await who.call({ method: 'POST', url: '/api/proposals', payload: { location: 'altamonte', dates: [DATE] } })
  ).json<ProposalReply>();
  expect(Object.keys(later.data[DATE]?.['Bo Lee']?.['Option 1'] ?? {})).toEqual(['10:00 AM - 11:30 AM']);
  expect(await undo(who, reply.json<ActionsReply>().commit)).toMatchObject({ statusCode: 200 });
  expect(await dayOf(db, DATE, clinic.bo)).toEqual(['08:30-11:30 Ana Ruiz booked']);
  expect((await eventsOf(piece?.id ?? '')).map((e) => e.what)).toEqual(['uncovered', 'undone']);
});

test('a client’s cancellation cancels only the time when the client is away; the rest stays with the therapist', async () => {
  const proposal = await propose(who, { client: 'Mo Diaz', begin: '13:00', end: '14:00' });
  expect(proposal.data[DATE]?.['Mo Diaz']?.['Option 1']).toMatchObject({
    '1:00 PM - 2:00 PM': { therapist: 'Lin Park', status: 'Cancel' },
    '2:00 PM - 4:00 PM': { therapist: 'Lin Park', status: 'Scheduled' },
  });
  const reply = await submit(who, submitBody(proposal, everyone(proposal)));
  expect(reply.statusCode, reply.body).toBe(200);
  expect(await dayOf(db, DATE, clinic.mo)).toEqual(['13:00-14:00 Lin Park cancelled', '14:00-16:00 Lin Park booked']);
  const { calls } = reply.json<ActionsReply>();
  expect(calls.map((c) => [c.who, c.say])).toEqual([
    [
      'Lin Park',
      'Friday, November 22, 2030: Mo Diaz is from 2:00 to 4:00 instead of 1:00 to 4:00. You are released until 2:00.',
    ],
  ]);
});

test('clients who are not chosen keep their sessions', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' }, { client: 'Mo Diaz' });
  const reply = await submit(who, submitBody(proposal, { [DATE]: { 'Mo Diaz': 'Option 1' } }));
  expect(reply.statusCode, reply.body).toBe(200);
  expect(await dayOf(db, DATE)).toEqual(['08:30-11:30 Ana Ruiz booked', '13:00-16:00 Lin Park cancelled']);
});

test('given a commit whose session has changed, or whose therapist is booked elsewhere by now, then undo is refused, and the refusal names the people', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz', begin: '00:00', end: '12:00' });
  const { commit } = (await submit(who, submitBody(proposal, everyone(proposal)))).json<ActionsReply>();
  const other = await buildAppointment(db, {
    therapist: clinic.ana,
    client: clinic.mo,
    date: DATE,
    start: '09:00',
    end: '10:00',
  });
  const booked = await undo(who, commit);
  expect(booked.statusCode).toBe(409);
  expect(detailOf(booked).conflicts).toEqual([
    {
      date: DATE,
      time: '8:30 AM - 11:30 AM',
      therapist: 'Kai Wood',
      client: 'Bo Lee',
      why: "Ana Ruiz, who had Bo Lee's session before, is now booked elsewhere at that time.",
    },
  ]);
  await db.updateTable('appointment').set({ status: 'cancelled' }).where('id', '=', other).execute();
  await db
    .updateTable('appointment')
    .set({ subject: 'Parent training', version: sql`version + 1` })
    .where('id', '=', clinic.boMorning)
    .execute();
  const changed = await undo(who, commit);
  expect(changed.statusCode).toBe(409);
  expect(detailOf(changed).conflicts).toMatchObject([
    { client: 'Bo Lee', why: "Bo Lee's session has changed since these changes were submitted." },
  ]);
  // A name is inserted literally, even if it looks like a JavaScript replacement pattern.
  await db.updateTable('client').set({ display_name: 'Bo $&' }).where('id', '=', clinic.bo).execute();
  expect(detailOf(await undo(who, commit)).conflicts).toMatchObject([
    { why: "Bo $&'s session has changed since these changes were submitted." },
  ]);
  expect(await dayOf(db, DATE, clinic.bo)).toEqual(['08:30-11:30 Kai Wood/Ana Ruiz booked']);
  const row = await db.selectFrom('schedule_commit').select('undone_at').executeTakeFirstOrThrow();
  expect(row.undone_at).toBeNull();
});

test('[DATA-06] given a calendar that has changed, then the reply is 409 with the changes, and nothing is written', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' }, { client: 'Mo Diaz' });
  const body = submitBody(proposal, everyone(proposal));
  const before = await dayOf(db, DATE, clinic.mo);
  const expectConflict = async (why: string | RegExp, therapist = 'Lin Park') => {
    const reply = await submit(who, body);
    expect(reply.statusCode, reply.body).toBe(409);
    const { message, conflicts } = detailOf(reply);
    expect(message).toMatch(/Nothing was submitted/);
    expect(conflicts[0]).toMatchObject({ date: DATE, therapist, client: 'Bo Lee', option: 'Option 1' });
    expect(conflicts[0]?.['why']).toMatch(why);
    expect(await dayOf(db, DATE, clinic.mo)).toEqual(before);
  };
  // The chosen therapist has another session by now.
  const other = await buildAppointment(db, {
    therapist: clinic.lin,
    client: clinic.mo,
    date: DATE,
    start: '09:00',
    end: '10:00',
  });
  before.unshift('09:00-10:00 Lin Park booked');
  await expectConflict('Lin Park still has Mo Diaz’s session then; choose an option for Mo Diaz as well.');
  // The therapist has it at another location, whose clients are not named.
  await db.updateTable('appointment').set({ location: 'orlando' }).where('id', '=', other).execute();
  await expectConflict('Lin Park is not available all of this time.');
  await db
    .updateTable('appointment')
    .set({ location: 'altamonte', client_id: clinic.ida })
    .where('id', '=', other)
    .execute();
  before.shift();
  await expectConflict(/^Lin Park would be in two places/);
  await db.updateTable('appointment').set({ status: 'cancelled' }).where('id', '=', other).execute();
  // The chosen therapist is away now.
  const absence = await buildAbsence(db, { therapist: clinic.lin, date: DATE, start: '10:00', end: '12:00' });
  await expectConflict(/^Lin Park is away/);
  await db.updateTable('absence').set({ withdrawn_at: new Date().toISOString() }).where('id', '=', absence).execute();
  // Bo's family now refuses the chosen therapist.
  await db
    .insertInto('client_restriction')
    .values({ client_id: clinic.bo, requires_gender: null, excludes_therapist_id: clinic.lin })
    .execute();
  await expectConflict(/^Lin Park is excluded/);
  await db.deleteFrom('client_restriction').execute();
  // Bo's session was moved.
  await db
    .updateTable('appointment')
    .set({ starts: `${DATE} 09:00:00` })
    .where('id', '=', clinic.boMorning)
    .execute();
  await expectConflict('Bo Lee’s session was moved to 9:00 AM - 11:30 AM.');
  await db
    .updateTable('appointment')
    .set({ starts: `${DATE} 08:30:00`, therapist_id: clinic.lin })
    .where('id', '=', clinic.boMorning)
    .execute();
  await expectConflict('Bo Lee’s session is now with Lin Park.');
  await db.updateTable('appointment').set({ therapist_id: clinic.ana }).where('id', '=', clinic.boMorning).execute();
  // Ana is back.
  await db
    .updateTable('absence')
    .set({ withdrawn_at: new Date().toISOString() })
    .where('therapist_id', '=', clinic.ana)
    .execute();
  await expectConflict(/an absence was changed/);
});

test('an unrelated change to the day does not prevent a commit', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  await buildAppointment(db, { therapist: clinic.max, client: clinic.mo, date: DATE, start: '09:00', end: '10:00' });
  await db
    .updateTable('appointment')
    .set({ status: 'pending', version: 7 })
    .where('id', '=', clinic.boMorning)
    .execute();
  const reply = await submit(who, submitBody(proposal, everyone(proposal)));
  expect(reply.statusCode, reply.body).toBe(200);
  expect(await dayOf(db, DATE, clinic.bo)).toEqual(['08:30-11:30 Kai Wood/Ana Ruiz pending']);
});

test('given an absence withdrawn or shortened, then time that a commit gave away needs cover again, and the original therapist is offered first', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' }, { client: 'Mo Diaz' });
  await submit(who, submitBody(proposal, everyone(proposal)));
  // Ana comes at 10:00 after all; Mo's absence is then withdrawn.
  const again = await propose(who, { therapist: 'Ana Ruiz', begin: '00:00', end: '10:00' });
  expect(await dayOf(db, DATE, clinic.bo)).toEqual([
    '08:30-10:00 Lin Park/Ana Ruiz booked',
    '10:00-11:30 nobody/Ana Ruiz booked',
  ]);
  expect(again.data[DATE]?.['Bo Lee']?.['Option 1']).toMatchObject({
    '10:00 AM - 11:30 AM': { therapist: 'Ana Ruiz', status: 'Cover', from: null },
  });
  // Both pieces name the session that they are part of, so that every figure counts one session.
  const pieces = (await slotsOf(who, DATE)).appointments.filter((a) => a['Client Name'] === 'Bo Lee');
  expect(pieces.map((a) => a.part_of ?? a.key)).toEqual([clinic.boMorning, clinic.boMorning]);
  const today = (await who.call({ url: `/api/today?location=altamonte&date=${DATE}` })).json<TodayReply>();
  expect(today.needs_cover.filter((n) => n.client === 'Bo Lee').map((n) => n.session)).toEqual([clinic.boMorning]);
  const withdraw = (more: object) =>
    who.call({
      method: 'POST',
      url: '/api/absences/withdraw',
      payload: { location: 'altamonte', date: DATE, type: 'client', name: 'Mo Diaz', ...more },
    });
  // The server asks first; no one has been told yet.
  const before = await dayOf(db, DATE, clinic.mo);
  const asked = await withdraw({});
  expect(asked.statusCode).toBe(409);
  expect(asked.json<{ detail: object }>().detail).toMatchObject({
    returned: 1,
    message:
      '1 of Mo Diaz’s sessions was cancelled in submitted changes. If you continue, the session will need a therapist again, and new options will offer the usual therapist first. Nothing was changed.',
  });
  expect(await dayOf(db, DATE, clinic.mo)).toEqual(before);
  const withdrawn = await withdraw({ take_back: true });
  expect(withdrawn.statusCode, withdrawn.body).toBe(200);
  expect(await dayOf(db, DATE, clinic.mo)).toEqual(['13:00-16:00 nobody/Lin Park pending']);
  const last = (
    await who.call({ method: 'POST', url: '/api/proposals', payload: { location: 'altamonte', dates: [DATE] } })
  ).json<ProposalReply>();
  expect(last.data[DATE]?.['Mo Diaz']?.['Option 1']?.['1:00 PM - 4:00 PM']).toMatchObject({
    therapist: 'Lin Park',
    status: 'Cover',
  });
  const reply = await submit(who, submitBody(last, everyone(last)));
  expect(reply.statusCode, reply.body).toBe(200);
  // No one has been told yet, so Lin hears only the net difference; Mo's session is as it was.
  expect(reply.json<ActionsReply>().calls.find((c) => c.who === 'Lin Park')?.say).toBe(
    'Friday, November 22, 2030: Can you come in for Bo Lee from 8:30 to 10:00?',
  );
  expect(await dayOf(db, DATE)).toEqual([
    '08:30-10:00 Lin Park/Ana Ruiz booked',
    '10:00-11:30 Ana Ruiz booked',
    '13:00-16:00 Lin Park pending',
  ]);
  expect(await doubleBookings(db)).toBe(0);
});
