import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ActionsReply } from '@clinic/contract';
import { detailOf, everyone, propose, submit, submitBody, undo } from '../../testing/calls.ts';
import { openForEachTest } from '../../testing/small-app.ts';
import { DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import { dayOf } from '../../testing/state.ts';
import { buildAppointment, dayVersion } from '../../testing/builders.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import type { Db } from '../../db/connection.ts';

let app: TestApp;
let db: Db;
let who: SignedIn;
let clinic: SmallClinic;
openForEachTest((small) => ({ app, db, who, clinic } = small));

test('the same commit sent twice returns the same bytes and changes nothing more, with or without a key', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  const body = submitBody(proposal, everyone(proposal));
  for (const headers of [{}, { 'idempotency-key': 'one' }]) {
    const first = await submit(who, body, headers);
    expect(first.statusCode).toBe(200);
    const version = await dayVersion(db, 'altamonte', DATE);
    const again = await submit(who, body, headers);
    expect(again.statusCode).toBe(200);
    expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
    expect(await dayVersion(db, 'altamonte', DATE)).toBe(version);
    expect(await db.selectFrom('schedule_commit').select('id').execute()).toHaveLength(1);
  }
});

test('a new key sent with a repeated commit belongs to that commit until the commit is undone', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  const body = submitBody(proposal, everyone(proposal));
  const other = submitBody(proposal, everyone(proposal, 'Option 2'));
  const json = { accept: 'application/json' };
  const first = await submit(who, body, json);
  for (const key of ['late', 'later']) {
    const headers = { ...json, 'idempotency-key': key };
    for (let n = 0; n < 2; n++) expect((await submit(who, body, headers)).body).toBe(first.body);
    expect((await submit(who, other, headers)).statusCode, key).toBe(422);
  }
  // Keys belong to accounts, so another person can use the same key.
  const colleague = await app.signIn();
  expect((await submit(colleague, other, { ...json, 'idempotency-key': 'late' })).statusCode).toBe(409);
  expect((await undo(who, first.json<ActionsReply>().commit)).statusCode).toBe(200);
  expect((await submit(who, other, { ...json, 'idempotency-key': 'late' })).statusCode).toBe(200);
});

test('a different request under the same key is refused with 422, and a different choice from a committed proposal with 409', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  const headers = { 'idempotency-key': 'morning', accept: 'application/json' };
  expect((await submit(who, submitBody(proposal, everyone(proposal)), headers)).statusCode).toBe(200);
  const other = submitBody(proposal, everyone(proposal, 'Option 2'));
  const reused = await submit(who, other, headers);
  expect(reused.statusCode).toBe(422);
  expect(reused.json()).toEqual({
    detail: 'This request key was used for another request. Nothing was changed. Send the request with a new key.',
  });
  const committed = await submit(who, other);
  expect(committed.statusCode).toBe(409);
  expect(detailOf(committed)).toEqual({
    message: expect.stringMatching(/^These options have already been submitted/) as string,
    conflicts: [],
  });
  expect((await submit(who, other, { 'idempotency-key': '' })).statusCode).toBeLessThan(500);
  expect((await submit(who, other, { 'idempotency-key': 'k'.repeat(201) })).statusCode).toBe(400);
  // PostgreSQL cannot store a NUL. No HTTP header can contain one, but a caller inside the process can send it.
  expect((await submit(who, other, { 'idempotency-key': 'k\0' })).statusCode).toBe(422);
});

test('after an undo, the same choice with the same key makes a new commit', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  const body = submitBody(proposal, everyone(proposal));
  const headers = { 'idempotency-key': 'k', accept: 'application/json' };
  const first = (await submit(who, body, headers)).json<ActionsReply>();
  expect((await undo(who, first.commit)).statusCode).toBe(200);
  expect((await undo(who, first.commit)).statusCode).toBe(200);
  const second = await submit(who, body, headers);
  expect(second.statusCode, second.body).toBe(200);
  expect(second.json<ActionsReply>().commit).not.toBe(first.commit);
  expect(await dayOf(db, DATE, clinic.bo)).toEqual(['08:30-11:30 Kai Wood/Ana Ruiz booked']);
});

test('choices that are edited, outdated, invented or from elsewhere are refused with the reason', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  const other = await propose(who, { therapist: 'Ana Ruiz' });
  const good = () => structuredClone(submitBody(proposal, everyone(proposal)));
  const refused = async (edit: (body: ReturnType<typeof good>) => void, words: RegExp) => {
    const body = good();
    edit(body);
    const reply = await submit(who, body);
    expect(reply.statusCode, reply.body).toBe(422);
    expect(String(reply.json<{ detail: string }>().detail)).toMatch(words);
  };
  const slot = '8:30 AM - 11:30 AM';
  const cells = (body: ReturnType<typeof good>) => body.solutions[DATE]?.['Bo Lee']?.['Option 1'] ?? {};
  const full = (body: ReturnType<typeof good>) =>
    body.selectedOptionsFullData[DATE]?.['Bo Lee'] as Record<string, unknown>;
  await refused(
    (b) => Object.assign(cells(b)[slot] ?? {}, { therapist: 'Max Dean' }),
    /not the options that were offered/,
  );
  await refused(
    (b) => Object.assign(cells(b)[slot] ?? {}, { branch_state: `${other.metadata.proposal}.1.1` }),
    /not the options that were offered/,
  );
  await refused(
    (b) => Object.assign(cells(b), { '1:00 PM - 2:00 PM': cells(b)[slot] }),
    /not the options that were offered/,
  );
  await refused(
    (b) => Object.assign(full(b), { branch_state: `${proposal.metadata.proposal}.1.2` }),
    /The details of Bo Lee/,
  );
  await refused(
    (b) => Object.assign(full(b), { timeSlots: { [slot]: { therapist: 'Max Dean', status: 'Cover' } } }),
    /The details of Bo Lee/,
  );
  await refused((b) => Object.assign(full(b), { optionName: 'Option 2' }), /The details of Bo Lee/);
  await refused(
    (b) => (b.selectedOptions = { [DATE]: { 'Bo Lee': 'Option 9' } }),
    /^There is no Option 9 on Fri, Nov 22\. /,
  );
  await refused((b) => (b.selectedOptions = { [DATE]: { 'Mo Diaz': 'Option 1' } }), /no options for Mo Diaz/);
  await refused(
    (b) => (b.selectedOptions = { '2030-11-23': { 'Bo Lee': 'Option 1' } }),
    /no options for Sat, Nov 23\. /,
  );
  await refused((b) => (b.selectedOptions = {}), /No option is selected/);
  await refused((b) => (b.metadata = { ...b.metadata, proposal: 'p_0000000000000000' }), /did not make these options/);
  await refused((b) => (b.metadata = { ...b.metadata, revision: 2 }), /did not make these options/);
  await refused((b) => (b.metadata = { ...b.metadata, revision: 1.5 }), /did not make these options/);
  await refused(
    (b) => (b.solutions = {}),
    /the options of Bo Lee were not sent with it.*Nothing was changed.*Open the/,
  );
  await refused((b) => (b.solutions = { [DATE]: {} }), /the options of Bo Lee were not sent with it/);
  await refused((b) => (b.selectedOptionsFullData = {}), /its details were not sent with it.*Nothing was changed/);
  await refused((b) => (b.selectedOptionsFullData = { [DATE]: {} }), /Option 1 is selected for Bo Lee/);
  expect(await dayOf(db, DATE, clinic.bo)).toEqual(['08:30-11:30 Ana Ruiz booked']);
  expect((await submit(who, good())).statusCode).toBe(200);
});

test('[SOL-13] a commit need not include the details of a client who is away, because no therapist gets that time', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' }, { client: 'Mo Diaz' });
  const body = submitBody(proposal, everyone(proposal));
  expect(Object.keys(body.selectedOptions[DATE] ?? {}).sort()).toEqual(['Bo Lee', 'Mo Diaz']);
  delete body.selectedOptionsFullData[DATE]?.['Mo Diaz'];
  const reply = await submit(who, body);
  expect(reply.statusCode, reply.body).toBe(200);
});

test('[SOL-15] a commit uses the proposal’s stored location; a different location in the request is only recorded', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  const body = submitBody(proposal, everyone(proposal));
  const stranger = await app.signIn({ locations: ['tampa'] });
  expect((await submit(stranger, body)).statusCode).toBe(403);
  const reply = await submit(who, { ...body, metadata: { ...body.metadata, location: 'tampa' } });
  expect(reply.statusCode, reply.body).toBe(200);
  const commit = await db.selectFrom('schedule_commit').select(['location', 'sent_location']).executeTakeFirstOrThrow();
  expect(commit).toEqual({ location: 'altamonte', sent_location: 'tampa' });
  const { commit: id } = reply.json<ActionsReply>();
  for (const [method, url] of [
    ['POST', `/api/commits/${id}/undo`],
    ['GET', `/api/commits/${id}/workbook`],
    ['GET', `/api/commits?date=${DATE}&location=altamonte`],
  ] as const)
    expect((await stranger.call({ method, url })).statusCode, url).toBe(403);
});

test('the undo and the workbook of an unknown commit are refused with 404', async () => {
  const id = randomUUID();
  const workbook = await who.call({ url: `/api/commits/${id}/workbook` });
  const undone = await undo(who, id);
  for (const reply of [workbook, undone]) {
    expect(reply.statusCode).toBe(404);
    expect(reply.json<{ detail: string }>().detail).toMatch(/^These submitted changes were not found/);
  }
});

test('given a client who no longer has two therapists at a time, then undo of a cancelled second session is refused with the reason', async () => {
  await db.updateTable('client').set({ two_to_one: true }).where('id', '=', clinic.mo).execute();
  const seat = { client: clinic.mo, date: DATE, start: '13:00', end: '16:00', seat: 2 };
  await buildAppointment(db, { ...seat, therapist: clinic.kai });
  const proposal = await propose(who, { client: 'Mo Diaz' });
  const done = await submit(who, submitBody(proposal, everyone(proposal)));
  expect(done.statusCode, done.body).toBe(200);
  const cancelled = await dayOf(db, DATE, clinic.mo);
  await db.updateTable('client').set({ two_to_one: false }).where('id', '=', clinic.mo).execute();
  const refused = await undo(who, done.json<ActionsReply>().commit);
  expect(refused.statusCode, refused.body).toBe(409);
  expect(detailOf(refused).message).toMatch(/^This client has one therapist at a time, and another is booked then/);
  expect(await dayOf(db, DATE, clinic.mo)).toEqual(cancelled);
});
