import { describe, expect, test } from 'vitest';
import { buildAppointment } from '../../testing/builders.ts';
import { DAY, useDesk, type Refused } from '../../testing/desk.ts';

const desk = useDesk();

describe('cancelling a session', () => {
  test('a cancelled session and its history are kept, and cancelling it again changes nothing', async () => {
    const made = await desk.booked();
    const reply = await desk.cancel(made.key, { reason: 'School trip', version: 1 });
    expect(reply.json()).toMatchObject({ Appointment_Status: 'Cancelled', needs_cover: false, version: 2 });
    expect((await desk.cancel(made.key)).json()).toMatchObject({ version: 2 });
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
