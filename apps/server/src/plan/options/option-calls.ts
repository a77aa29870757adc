import type { IsoDate } from '@clinic/domain';
import type { DayAppointment } from '../../day/facts/day.ts';
import type { WallOf } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import { onSnapshot } from '../../db/retry.ts';
import { requireLocation } from '../../access/caller.ts';
import type { Caller } from '../../access/sessions.ts';
import { refusal } from '../../platform/refusal.ts';
import type { BeforeRow } from '../../tell/memory/call-day.ts';
import type { CallData } from '../../tell/lines/line.ts';
import { callList } from '../../tell/lines/lines.ts';
import { loadCallData } from '../../tell/lines/load-calls.ts';
import { loadServes, selectUnmet } from '../../tell/lines/who-may-serve.ts';
import { bookedHere } from '../../tell/memory/told-people.ts';
import { chosenSegments, rowPlans } from '../commits/targets.ts';
import { offeredOn } from '../problem/selection.ts';
import type { RowPlan } from '../problem/session-writes.ts';
import { optionOf, type StoredDay, type StoredOption } from '../problem/stored-proposal.ts';
import { openForReading } from './proposals.service.ts';

/** A date of a proposal. */
export interface DateAsked {
  readonly proposal: string;
  readonly revision: number;
  readonly date: IsoDate;
}

/**
 * Returns the date's call list as it would be if one option were committed for every client. Writes nothing; the lines
 * come from the same code as those of the real call list.
 */
export async function optionCalls(db: Db, wallOf: WallOf, asked: DateAsked & { option: string }, caller: Caller) {
  const { location, offered } = await openDate(db, asked, caller);
  const option = optionOf(offered, asked.option);
  if (!option) throw refusal('no-such-option', asked.option, asked.date);
  return onSnapshot(db, async (trx) => {
    const wall = wallOf(location);
    const data = await loadCallData(trx, location, asked.date, wall);
    const planned = asPlanned(data, plansOf(data, offered, option));
    const unmet = await selectUnmet(trx, planned.day.appointments, asked.date);
    return { location, lines: callList({ ...planned, unmet, serves: await loadServes(trx, data.day, wall) }).lines };
  });
}

/** Counts how many lines `optionCalls` would return for each of the date's options, by name. */
export async function countCalls(db: Db, wallOf: WallOf, asked: DateAsked, caller: Caller) {
  const { location, offered } = await openDate(db, asked, caller);
  return onSnapshot(db, async (trx) => {
    const data = await loadCallData(trx, location, asked.date, wallOf(location));
    return Object.fromEntries(
      offered.options.map((option) => {
        // Who may serve whom, and who has met, changes the lines' words but not whose lines there are.
        const { lines } = callList(asPlanned({ ...data, serves: () => false }, plansOf(data, offered, option)));
        return [option.name, lines.length];
      }),
    );
  });
}

async function openDate(db: Db, { proposal, revision, date }: DateAsked, caller: Caller) {
  const stored = await openForReading(db, proposal, revision);
  requireLocation(caller, stored.location);
  return { location: stored.location, offered: offeredOn(stored, date) };
}

/** What an option would write if it were committed for every client. */
function plansOf({ day }: CallData, { listed, planned }: StoredDay, option: StoredOption): readonly RowPlan[] {
  const chosen = listed.map(({ name, sessions }) => ({ date: day.date, client: name, option, sessions }));
  return rowPlans(chosenSegments(day, planned, chosen));
}

/** Returns the call data of a day as the plans would change it, with the earlier states of the changed appointments. */
function asPlanned(data: CallData, plans: readonly RowPlan[]): CallData {
  const { day } = data;
  const byKey = new Map(plans.map((plan) => [plan.row.key, plan]));
  const appointments = day.appointments.flatMap((row) => {
    const plan = byKey.get(row.key);
    return plan ? piecesOf(plan) : [row];
  });
  const known = new Set(data.before.map((row) => row.key));
  const here = new Map(bookedHere(day).map((row) => [row.key, row]));
  const written = plans.filter(({ row }) => row.location === day.location).flatMap(piecesOf);
  const before = written
    .filter(({ key }) => !known.has(key))
    .map(({ key }): BeforeRow => ({ key, state: stateOf(here.get(key)) }));
  return { ...data, day: { ...day, appointments }, before: [...data.before, ...before] };
}

function stateOf(row: DayAppointment | undefined): BeforeRow['state'] {
  if (!row) return null;
  const { clientId, therapistId, service, start, end } = row;
  return { clientId, therapistId, service, start, end };
}

/** Converts an appointment's planned parts to appointments. */
const piecesOf = ({ row, segments }: RowPlan): DayAppointment[] =>
  segments.map(({ start, end, therapistId, cancelled }, i): DayAppointment => {
    const status = cancelled ? 'cancelled' : row.status === 'cancelled' ? 'pending' : row.status;
    const declined = therapistId === row.therapistId ? row.declined : undefined;
    const key = i === 0 ? row.key : `${row.key} ${i}`;
    return { ...row, key, start, end, therapistId, status, declined, occupies: !cancelled };
  });
