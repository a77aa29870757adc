import { describe, expect, test } from 'vitest';
import { lockAll, personDay } from '../db/locks.ts';
import { buildAppointment, buildTherapist } from '../testing/builders.ts';
import { DAY, useDesk, type Refused } from '../testing/desk.ts';
import { blocks, waitsOrReplied } from '../testing/waits.ts';

const desk = useDesk();

describe('cancelling a session', () => {
  test('a cancelled session and its history are kept, and cancelling it again changes nothing', async () => {
    const made = await desk.booked();
    const reply = await desk.cancel(made.key, { reason: 'School trip', version: 1 });
    expect(reply.json()).toMatchObject({ Appointment_Status: 'Cancelled', needs_cover: false, version: 2 });
    for (const body of [{}, { reason: 'School trip', version: 1 }])
      expect((await desk.cancel(made.key, body)).json()).toMatchObject({ version: 2 });
    expect((await desk.cancel(made.key, { family_told: true, version: 1 })).statusCode).toBe(409);
    expect((await desk.historyOf(made.key)).map((event) => [event.what, event.reason])).toEqual([
      ['booked', null],
      ['cancelled', 'School trip'],
    ]);
    await desk.booked(); // the cancelled session's time can be booked again
  });

  test('a cancellation can record that the family was told; a session without a therapist then no longer needs cover', async () => {
    const made = await desk.booked({ therapist: null });
    expect(made.needs_cover).toBe(true);
    const reply = await desk.cancel(made.key, { family_told: true });
    expect(reply.json()).toMatchObject({ Appointment_Status: 'Cancelled', needs_cover: false });
    const row = await desk.rowOf(made.key);
    expect(Date.parse(row.family_told_at ?? '')).toBeGreaterThan(0);
    await desk.cancel(made.key, { family_told: true });
    expect((await desk.historyOf(made.key)).map((event) => event.what)).toEqual(['booked', 'family told: cancelled']);
  });

  test('cancelling a completed session, an outdated version or an unknown key is refused', async () => {
    const done = await buildAppointment(desk.db, {
      therapist: desk.ana,
      client: desk.bo,
      date: '2026-11-19',
      start: '09:00',
      end: '10:00',
      status: 'fulfilled',
    });
    expect((await desk.cancel(done)).statusCode).toBe(422);
    const made = await desk.booked();
    expect((await desk.cancel(made.key, { version: 7 })).json<Refused>().detail).toMatchObject({ version: 1 });
    expect((await desk.cancel('00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
  });
});

test('a booking of one’s own is taken back: gone, no lost time, its time free again', async () => {
  const { key } = await desk.booked();
  expect((await desk.takeBack(key)).statusCode).toBe(204);
  const row = await desk.rowOf(key);
  expect([row.status, row.known_at]).toEqual(['entered-in-error', null]);
  expect((await desk.historyOf(key)).map((event) => event.what)).toEqual(['booked', 'undone']);
  const day = await desk.staff.call({ url: `/api/slots?date=${DAY}&location=altamonte` });
  expect(day.body).not.toContain(key);
  await desk.booked();
});

test('a booking that someone else made or has changed since is not taken back, and the refusal says so', async () => {
  const colleague = await desk.signIn({ name: 'Dana Cole' });
  const { key } = await desk.booked();
  await desk.put(key, desk.session({ end: '11:00' }), colleague);
  const theirs = await desk.post(desk.session({ date: '2026-11-24' }), colleague);
  for (const [each, why] of [
    [key, 'Dana Cole has changed it since it was booked. Nothing was changed.'],
    [theirs.json<{ key: string }[]>()[0]?.key, 'Someone else booked it. Nothing was changed.'],
  ] as const) {
    const refused = await desk.takeBack(each);
    expect([refused.statusCode, refused.json<Refused>().detail.message]).toEqual([409, why]);
    expect((await desk.rowOf(each)).status).toBe('pending');
  }
});

test('an account for one location can book, move and cancel sessions only at that location', async () => {
  const tampa = await desk.signIn({ locations: ['tampa'] });
  const made = await desk.booked();
  expect((await desk.post(desk.session(), tampa)).statusCode).toBe(403);
  expect((await desk.put(made.key, desk.session({ location: 'tampa' }), tampa)).statusCode).toBe(403);
  expect((await desk.cancel(made.key, {}, tampa)).statusCode).toBe(403);
  const altamonte = await desk.signIn({ locations: ['altamonte'] });
  expect((await desk.put(made.key, desk.session({ location: 'tampa' }), altamonte)).statusCode).toBe(403);
  expect((await desk.rowOf(made.key)).version).toBe(1);
});

test('every write is audited by id and announced to the location’s pages; no name reaches the log', async () => {
  const heard: object[] = [];
  const stop = desk.deps.events.subscribe((event) => heard.push(event));
  const made = await desk.booked();
  await desk.put(made.key, desk.session({ end: '11:00' }));
  await desk.cancel(made.key);
  const rows = await desk.db.selectFrom('audit').selectAll().where('subject_kind', '=', 'appointment').execute();
  const of = rows.filter((row) => row.subject_ids.includes(made.key ?? ''));
  expect(of.map((row) => row.action).sort()).toEqual([
    'appointment.booked',
    'appointment.cancelled',
    'appointment.changed',
  ]);
  expect(of.every((row) => row.account_id === desk.staff.accountId && row.location === 'altamonte')).toBe(true);
  expect(JSON.stringify(of)).toContain(desk.bo);
  expect(JSON.stringify(of)).not.toContain(desk.names.client);
  const event = { kind: 'appointments', location: 'altamonte', dates: [DAY], by: desk.staff.accountId };
  await expect.poll(() => heard).toEqual([event, event, event]);
  stop();
  expect(desk.logLines.join('\n')).not.toContain(desk.names.client);
});

describe('a session that changes while its cancellation waits', () => {
  /** Sends the cancellation while a transaction holds the client's day, changes the session, and ends. */
  const whileChanged = (key: string | undefined, changed: object, by = desk.staff) =>
    desk.db.transaction().execute(async (trx) => {
      await lockAll(trx, [personDay('client', desk.bo, DAY)]);
      const reply = by.call({ method: 'POST', url: `/api/appointments/${key}/cancel`, payload: {} });
      expect(await waitsOrReplied(desk.deps.pool, [reply])).toBe(true);
      await trx
        .updateTable('appointment')
        .set(changed)
        .where('id', '=', key ?? '')
        .execute();
      return { reply };
    });

  test('given another therapist, the cancellation also waits for the day of that therapist', async () => {
    const { key } = await desk.booked();
    const ida = await buildTherapist(desk.db);
    const { reply } = await desk.db.transaction().execute(async (holding) => {
      await lockAll(holding, [personDay('therapist', ida, DAY)]);
      const sent = await whileChanged(key, { therapist_id: ida });
      await expect.poll(() => blocks(holding)).toBe(true);
      return sent;
    });
    expect((await reply).statusCode).toBe(200);
  });

  test('given a location that the account may not use, the cancellation is refused', async () => {
    const { key } = await desk.booked();
    const some = await desk.signIn({ locations: ['altamonte'] });
    const { reply } = await whileChanged(key, { location: 'tampa' }, some);
    expect((await reply).statusCode).toBe(403);
    expect((await desk.rowOf(key)).status).toBe('pending');
  });
});
