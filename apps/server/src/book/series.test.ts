import { describe, expect, test } from 'vitest';
import type { SeriesReply, WireAppointment } from '@clinic/contract';
import { buildClient, dayVersion } from '../testing/builders.ts';
import { useDesk, type Refused } from '../testing/desk.ts';

const desk = useDesk();

describe('the later sessions of a weekly series', () => {
  const series = async (): Promise<WireAppointment[]> => {
    const reply = await desk.post(desk.session({ weekly_until: '2026-12-14' }));
    expect(reply.statusCode, reply.body).toBe(201);
    return reply.json<WireAppointment[]>();
  };
  const times = async (made: readonly WireAppointment[]) =>
    (await Promise.all(made.map((each) => desk.rowOf(each.key)))).map(
      (row) => `${row.starts.slice(5, 16)} ${row.status}`,
    );

  test('later sessions move by the same number of days as the session, even by a whole week, while earlier sessions stay', async () => {
    const made = await series();
    const reply = await desk.put(
      made[1]?.key,
      desk.session({ date: '2026-12-01', start: '09:00', end: '12:00', scope: 'following' }),
    );
    expect(reply.statusCode, reply.body).toBe(200);
    expect(await times(made)).toEqual([
      '11-23 08:30 pending',
      '12-01 09:00 pending',
      '12-08 09:00 pending',
      '12-15 09:00 pending',
    ]);
    const week = desk.session({ date: '2026-12-08', start: '09:00', end: '12:00', scope: 'following' });
    expect((await desk.put(made[1]?.key, week)).statusCode).toBe(200);
    expect(await times(made)).toEqual([
      '11-23 08:30 pending',
      '12-08 09:00 pending',
      '12-15 09:00 pending',
      '12-22 09:00 pending',
    ]);
    expect((await desk.put(made[1]?.key, { ...week, date: '2026-12-01' })).statusCode).toBe(200);
    const rows = await Promise.all(made.map((each) => desk.rowOf(each.key)));
    expect(new Set(rows.map((row) => row.series_id)).size).toBe(2);
    expect((await desk.historyOf(made[3]?.key)).map((event) => event.what)).toEqual([
      'booked',
      'moved',
      'moved',
      'moved',
    ]);
  });

  test('later sessions do not move if one week conflicts, and only that week is listed', async () => {
    const made = await series();
    await desk.booked({ date: '2026-12-07', start: '14:00', end: '15:00' });
    const reply = await desk.put(made[0]?.key, desk.session({ start: '14:00', end: '16:00', scope: 'following' }));
    expect(reply.statusCode).toBe(409);
    const { conflicts } = reply.json<Refused>().detail;
    expect([...new Set(conflicts.map((conflict) => conflict.date))]).toEqual(['2026-12-07']);
    expect((await times(made)).every((time) => time.includes('08:30'))).toBe(true);
  });

  test('later sessions can move by a week onto each other’s old times, but not onto other sessions', async () => {
    const made = await series();
    await desk.booked({ date: '2026-12-21', start: '11:00', end: '12:00' });
    const reply = await desk.put(made[0]?.key, desk.session({ date: '2026-11-30', scope: 'following' }));
    expect(reply.statusCode).toBe(409);
    const { conflicts } = reply.json<Refused>().detail;
    expect([...new Set(conflicts.map((conflict) => conflict.date))]).toEqual(['2026-12-21']);
  });

  test('sessions that were changed individually or cancelled do not count as later sessions', async () => {
    const made = await series();
    await desk.put(made[1]?.key, desk.session({ date: '2026-11-30', start: '10:00' }));
    await desk.cancel(made[2]?.key);
    await desk.put(made[0]?.key, desk.session({ start: '08:00', status: 'Completed', scope: 'following' }));
    expect(await times(made)).toEqual([
      '11-23 08:00 fulfilled',
      '11-30 10:00 pending',
      '12-07 08:30 cancelled',
      '12-14 08:00 pending',
    ]);
  });

  test('users can list the later sessions before a change: the dates that would change, and how many sessions would stay', async () => {
    const made = await series();
    const read = async (key: string | undefined) =>
      (await desk.staff.call({ url: `/api/appointments/${key}/series` })).json<SeriesReply>();
    expect(await read(made[0]?.key)).toMatchObject({ dates: ['2026-11-30', '2026-12-07', '2026-12-14'], apart: 0 });
    await desk.put(made[1]?.key, desk.session({ date: '2026-11-30', start: '10:00' }));
    await desk.cancel(made[2]?.key);
    expect(await read(made[0]?.key)).toMatchObject({ dates: ['2026-12-14'], apart: 1 });
    expect(await read(made[3]?.key)).toMatchObject({ dates: [], apart: 0 });
    const alone = await desk.booked({ date: '2026-11-24' });
    expect(await read(alone.key)).toMatchObject({ dates: [], apart: 0 });
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect((await desk.staff.call({ url: `/api/appointments/${unknown}/series` })).statusCode).toBe(404);
  });

  test('a session with a place, subject, therapist or client of its own does not count as a later session', async () => {
    const made = await series();
    const key = made[3]?.key ?? '';
    const { location, subject, therapist_id, client_id } = await desk.rowOf(key);
    const dates = async () =>
      (await desk.staff.call({ url: `/api/appointments/${made[0]?.key}/series` })).json<SeriesReply>().dates;
    const set = (changed: object) =>
      desk.db.updateTable('appointment').set(changed).where('id', '=', key).executeTakeFirstOrThrow();
    const other = { location: 'tampa', subject: 'Parent Training', client_id: await buildClient(desk.db) };
    for (const [field, value] of Object.entries({ ...other, therapist_id: null })) {
      await set({ [field]: value });
      expect(await dates(), field).toEqual(['2026-11-30', '2026-12-07']);
      await set({ location, subject, therapist_id, client_id });
    }
    expect(await dates()).toHaveLength(3);
  });

  test('later sessions are cancelled with the session; a session outside a series has no later sessions', async () => {
    const made = await series();
    const reply = await desk.cancel(made[1]?.key, { scope: 'following', reason: 'Moving away' });
    expect(reply.json()).toMatchObject({ Appointment_Status: 'Cancelled', Id: made[1]?.Id });
    expect((await times(made)).map((time) => time.slice(12))).toEqual([
      'pending',
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
    expect(await dayVersion(desk.db, 'altamonte', '2026-12-14')).toBeGreaterThan(1);
    const alone = await desk.booked({ date: '2026-11-24' });
    expect((await desk.cancel(alone.key, { scope: 'following' })).statusCode).toBe(422);
    expect(
      (await desk.put(alone.key, desk.session({ date: '2026-11-24', end: '11:00', scope: 'following' }))).statusCode,
    ).toBe(422);
  });
});
