import { plainWindow, toldCancelled, union, withoutStretches, type IsoDate } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import type { Act } from '../access/act.ts';
import { isoAt } from '../platform/clock.ts';
import {
  dropClaim,
  insertAnswers,
  isOpen,
  lockOf,
  personKey,
  selectAnswers,
  selectBefore,
  recordCallChange,
} from '../tell/memory/call-day.ts';
import { selectAppointments } from '../day/facts/clinic-day.queries.ts';
import type { DayAppointment } from '../day/facts/day.ts';
import { knowledge } from '../tell/memory/knows.ts';
import { daysAtOpening, daysNow } from '../tell/memory/told-people.ts';

/** A session as it was when it was cancelled. */
type Cancelled = DayAppointment & { readonly date: IsoDate };

/** The locks to hold before `tellCancelled` records that the families of these sessions were told. */
export const toldLocks = (rows: readonly Cancelled[]): string[] =>
  rows.flatMap((row) => (row.clientId === null ? [] : [lockOf(row, personKey('client', row.clientId))]));

/**
 * Records on the call list that the families know of these cancellations. The families must still be told about other
 * changes to their day. Call this after the sessions are cancelled. Records nothing for a day whose list is not open,
 * or if the family never knew of the session.
 */
export async function tellCancelled(trx: Db, act: Act, rows: readonly Cancelled[]): Promise<void> {
  for (const row of rows) {
    const { location, date, clientId } = row;
    if (clientId === null || !(await isOpen(trx, row))) continue;
    const person = personKey('client', clientId);
    const day = { location, appointments: await selectAppointments(trx, location, date, []) };
    const last = knowledge(await selectAnswers(trx, location, date)).get(person)?.told;
    const told = last?.day ?? daysAtOpening(day, await selectBefore(trx, location, date)).get(person) ?? [];
    const therapists = [row.therapistId, row.bookedTherapistId];
    const cancelled = toldCancelled(told, daysNow(day).get(person) ?? [], { ...row, therapists });
    if (cancelled.length === 0) continue;
    const note = `${union(cancelled).map(plainWindow).join(' and ')} cancelled`;
    const knows = withoutStretches(told, cancelled);
    const answer = { person, answer: 'told' as const, note, version: '', day: knows, cancelled, byPage: false };
    await insertAnswers(trx, { location, date }, [answer], act.caller.id, isoAt(act.at));
    await dropClaim(trx, { location, date }, person);
    const done = { action: 'call.answered' as const, kind: 'client', ids: [clientId], answer: 'told' };
    await recordCallChange(trx, { location, date }, act, done);
  }
}
