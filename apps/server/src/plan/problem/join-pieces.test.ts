import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { commitEveryone, propose, slotsOf, solveDay, undo } from '../../testing/calls.ts';
import { dayAppointment } from '../../testing/day-appointment.ts';
import { openForEachTest } from '../../testing/small-app.ts';
import { DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import { dayOf } from '../../testing/state.ts';
import type { Db } from '../../db/connection.ts';
import type { DayAppointment } from '../../day/facts/day.ts';
import type { SignedIn } from '../../testing/test-app.ts';
import { runsToJoin } from './join-pieces.ts';

let db: Db;
let who: SignedIn;
let clinic: SmallClinic;
openForEachTest((small) => ({ db, who, clinic } = small));

const backAtWork = () =>
  who.call({
    method: 'POST',
    url: '/api/absences/withdraw',
    payload: { location: 'altamonte', date: DATE, type: 'therapist', name: 'Ana Ruiz', take_back: true },
  });

test('given a session covered in part, when its own therapist gets that part back, then it is one session again until an undo', async () => {
  await commitEveryone(who, await propose(who, { therapist: 'Ana Ruiz', end: '10:00' }));
  const split = ['08:30-10:00 Kai Wood/Ana Ruiz booked', '10:00-11:30 Ana Ruiz booked'];
  expect(await dayOf(db, DATE, clinic.bo)).toEqual(split);
  const marked = (await slotsOf(who, DATE)).appointments.filter((a) => a['Client Name'] === 'Bo Lee');
  expect(marked.map((a) => [a.Preferred_Provider_Name, a.booked_with])).toEqual([
    ['Kai Wood', 'Ana Ruiz'],
    ['Ana Ruiz', undefined],
  ]);

  expect((await backAtWork()).statusCode).toBe(200);
  const apart = ['08:30-10:00 nobody/Ana Ruiz booked', '10:00-11:30 Ana Ruiz booked'];
  expect(await dayOf(db, DATE, clinic.bo)).toEqual(apart);
  const [unassigned] = (await slotsOf(who, DATE)).appointments;
  expect([unassigned?.Preferred_Provider_Name, unassigned?.Appointment_Status]).toEqual(['Unassigned', 'Scheduled']);

  const done = await commitEveryone(who, await solveDay(who));
  expect(await dayOf(db, DATE, clinic.bo)).toEqual(['08:30-11:30 Ana Ruiz booked']);
  const [row] = await db.selectFrom('appointment').select('wire_id').where('id', '=', clinic.boMorning).execute();
  expect(done.actions.map((a) => [a.time, a.to_therapist, a.appointment_id])).toEqual([
    ['8:30 AM - 10:00 AM', 'Ana Ruiz', row?.wire_id],
  ]);
  expect(done.by_therapist).toContainEqual(
    expect.objectContaining({ therapist: 'Ana Ruiz', time: '8:30 AM - 11:30 AM', status: 'Cover' }),
  );

  expect((await undo(who, done.commit)).statusCode).toBe(200);
  expect(await dayOf(db, DATE, clinic.bo)).toEqual(apart);
});

const pieceOf = ([length, therapistId]: [number, string], start: number, i: number): DayAppointment =>
  dayAppointment({ key: String(i), parentId: 'root', clientId: 'bo', therapistId, start, end: start + length });

test('adjacent pieces of a session with the same therapist are joined if one of them changed, and no time is lost', () => {
  const cuts = fc.array(fc.tuple(fc.integer({ min: 15, max: 90 }), fc.constantFrom('ana', 'kai', 'lin')), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(cuts, fc.array(fc.nat(7)), (list, touched) => {
      let start = 480;
      const pieces = list.map((cut, i) => {
        const piece = pieceOf(cut, start, i);
        start = piece.end;
        return piece;
      });
      const changed = new Set(touched.map(String));
      const runs = runsToJoin(pieces.toReversed(), changed);
      const together = new Map(runs.flatMap((run, r) => run.map((piece) => [piece.key, r] as const)));
      pieces.forEach((piece, i) => {
        const next = pieces[i + 1];
        if (!next) return;
        const joined = together.has(piece.key) && together.get(piece.key) === together.get(next.key);
        if (piece.therapistId !== next.therapistId) expect(joined).toBe(false);
        else if (changed.has(piece.key) || changed.has(next.key)) expect(joined).toBe(true);
      });
      for (const run of runs) {
        expect(run.some((piece) => changed.has(piece.key))).toBe(true);
        run.slice(1).forEach((piece, i) => expect(piece.start).toBe(run[i]?.end));
      }
    }),
  );
});
