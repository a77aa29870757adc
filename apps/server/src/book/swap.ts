import { overlaps, timeSlot, type Interval, type IsoDate } from '@clinic/domain';
import type { SwapBody, Swaps, WireAppointment } from '@clinic/contract';
import { loadClinicDay } from '../day/clinic-day.ts';
import { selectAppointment } from '../day/facts/clinic-day.queries.ts';
import type { DatedAppointment, DayAppointment } from '../day/facts/day.ts';
import { openCallDays } from '../tell/memory/call-day.ts';
import { selectNames } from '../people/people.ts';
import { lockAll, locksOf } from '../db/locks.ts';
import type { Db } from '../db/connection.ts';
import { onSnapshot, readAgain } from '../db/retry.ts';
import { requireLocation } from '../access/caller.ts';
import type { Act } from '../access/act.ts';
import type { Caller } from '../access/sessions.ts';
import { isoAt } from '../platform/clock.ts';
import { refusal, Refusal } from '../platform/refusal.ts';
import { updateAppointment } from './appointments.queries.ts';
import { changeTo, newBookings, refuseUnfit, writeChanges } from './change.ts';
import { brokenRulesOf, passRules, type Booking } from './match.ts';
import { showAppointments, type AppointmentContext } from './show.ts';
import { unknownAppointment } from './targets.ts';
import { booking, settleWrite } from './write.ts';

/** Whether a session has a therapist who can be exchanged. A child in a group shares theirs with the others. */
const hasTherapist = (session: DayAppointment): boolean =>
  session.occupies && session.therapistId !== null && session.clientId !== null && session.groupKey === null;

/** Whether two sessions can exchange their therapists, as far as what they are is concerned. */
const isPair = (a: DatedAppointment, b: DatedAppointment): boolean =>
  hasTherapist(a) &&
  hasTherapist(b) &&
  a.date === b.date &&
  a.location === b.location &&
  a.therapistId !== b.therapistId;

const withTherapist = ({ key, parentId, ...session }: DatedAppointment, therapistId: string | null): Booking => ({
  ...session,
  key,
  parentId,
  therapistId,
});

/**
 * The sessions of a session's day whose therapist it could get in exchange for its own, each with the reason why not.
 * Writes nothing.
 */
export function readSwaps(db: Db, caller: Caller, key: string, todayAt: (session: DatedAppointment) => IsoDate) {
  return onSnapshot(db, async (trx) => {
    const session = await selectAppointment(trx, key);
    if (!session) throw unknownAppointment();
    requireLocation(caller, session.location);
    const { date, location } = session;
    const day = await loadClinicDay(trx, location, date, { familiarity: false });
    const dated = day.appointments.map((each): DatedAppointment => ({ ...each, date }));
    const others = date < todayAt(session) ? [] : dated.filter((other) => isPair(session, other));
    const names = await selectNames(
      trx,
      dated.flatMap(({ clientId, therapistId }) => [clientId ?? '', therapistId ?? '']),
    );
    const nameOf = (id: string | null): string => names.get(id ?? '') ?? 'administrative time';
    const busy = (therapistId: string | null, at: Interval, pair: readonly string[]): string[] =>
      dated
        .filter((each) => each.occupies && each.therapistId === therapistId && !pair.includes(each.key))
        .filter((each) => overlaps(each, at))
        .slice(0, 1)
        .map((each) => `${nameOf(therapistId)} has ${nameOf(each.clientId)} ${timeSlot(each.start, each.end)}.`);
    const away = (therapistId: string | null, at: Interval): string[] =>
      day.absences.some((each) => each.therapistId === therapistId && overlaps(each, at))
        ? [`${nameOf(therapistId)} is away.`]
        : [];
    const broken = await rulesOf(trx, session, others);
    const swaps = others.map((other): Swaps['swaps'][number] => {
      const pair = [session.key, other.key];
      const why = [
        ...away(other.therapistId, session),
        ...away(session.therapistId, other),
        ...busy(other.therapistId, session, pair),
        ...busy(session.therapistId, other, pair),
        ...(broken.get(other.key) ?? []),
      ];
      const { key: own, version, start, end } = other;
      return {
        key: own,
        version,
        client: nameOf(other.clientId),
        therapist: nameOf(other.therapistId),
        time: timeSlot(start, end),
        why: why[0] ?? null,
      };
    });
    const clients = [...new Set([session, ...others].flatMap(({ clientId }) => clientId ?? []))];
    return { location, clients, reply: { version: session.version, swaps } };
  });
}

/** What would be wrong with either session of each exchange that is not wrong with it now, in sentences. */
async function rulesOf(trx: Db, session: DatedAppointment, others: readonly DatedAppointment[]) {
  const now = await brokenRulesOf(
    trx,
    [session, ...others].map((each) => withTherapist(each, each.therapistId)),
  );
  const known = new Set([...now.values()].flat().map(({ why }) => why));
  const theirs = await brokenRulesOf(
    trx,
    others.map((other) => withTherapist(other, session.therapistId)),
  );
  // The rules tell sessions apart by their key, and this one is asked about once for each therapist.
  const own = await brokenRulesOf(
    trx,
    others.map((other) => ({ ...withTherapist(session, other.therapistId), key: undefined })),
  );
  return new Map(
    others.map((other, i) => {
      const all = [...(own.get(i) ?? []), ...(theirs.get(i) ?? [])].map(({ why }) => why);
      return [other.key, all.filter((why) => !known.has(why))] as const;
    }),
  );
}

/**
 * Exchanges the therapists of two sessions of a day, both or neither, by the rules of any change: refuses a double
 * booking and a therapist who is away (409), whom a family excludes (422), and rules that may be overridden (409). Asked again with the versions
 * that it replies, it puts everything back.
 */
export async function swapSessions(
  db: Db,
  act: Act,
  key: string,
  body: SwapBody,
  context: (of: DatedAppointment) => AppointmentContext,
): Promise<WireAppointment[]> {
  return booking(db, act, async (trx) => {
    const [a, b] = await lockPair(trx, act, key, body);
    const { now } = context(a);
    const changes = [changeTo(a, b.therapistId), changeTo(b, a.therapistId)];
    await refuseAway(trx, [
      { therapistId: b.therapistId, at: a },
      { therapistId: a.therapistId, at: b },
    ]);
    for (const change of changes) await refuseUnfit(trx, [change], now.date);
    await openCallDays(trx, [...changes.map(({ wanted }) => wanted), a, b]);
    // Both may be at the same time, so both let go of their therapists before either gets the other’s.
    for (const each of [a, b]) await updateAppointment(trx, each.key, { therapist_id: null }, isoAt(act.at));
    const { settled, passed } = await writeChanges(trx, act, changes, {
      splits: false,
      pass: () => passRules(trx, newBookings(changes, now.date), { anyway: body.anyway === true, asks: false }, now),
    });
    await settleWrite(trx, act, {
      action: 'appointment.changed',
      keys: [a.key, b.key],
      touched: [a, b, ...changes.map(({ wanted }) => wanted), ...settled],
      detail: { changed: ['therapist'], ...(passed === null ? {} : { passed: passed.rules }) },
    });
    return showAppointments(trx, [a.key, b.key], context(a));
  });
}

/** Refuses (409) an exchange that would give a session to somebody who is away then: it would need cover at once. */
async function refuseAway(
  trx: Db,
  taken: readonly { therapistId: string | null; at: Pick<DatedAppointment, 'date'> & Interval }[],
): Promise<void> {
  for (const { therapistId, at } of taken) {
    const away = await trx
      .selectFrom('absence')
      .select('id')
      .where('withdrawn_at', 'is', null)
      .where('therapist_id', '=', therapistId)
      .where('date', '=', at.date)
      .where('start_minute', '<', at.end)
      .where('end_minute', '>', at.start)
      .executeTakeFirst();
    if (!away || therapistId === null) continue;
    throw refusal('swap-while-away', (await selectNames(trx, [therapistId])).get(therapistId) ?? 'The therapist');
  }
}

/** Locks both sessions and the days of their people. Refuses versions that the page did not show (409). */
async function lockPair(trx: Db, act: Act, key: string, body: SwapBody): Promise<[DatedAppointment, DatedAppointment]> {
  const read = async (lock: boolean): Promise<[DatedAppointment, DatedAppointment]> => {
    const [a, b] = [await selectAppointment(trx, key, lock), await selectAppointment(trx, body.with, lock)];
    if (!a || !b) throw unknownAppointment();
    return [a, b];
  };
  const seen = await read(false);
  for (const { location } of seen) requireLocation(act.caller, location);
  const [a, b] = seen;
  await lockAll(trx, locksOf([a, b, { ...a, therapistId: b.therapistId }, { ...b, therapistId: a.therapistId }]));
  const rows = await read(true);
  if (rows.some((row, i) => row.therapistId !== seen[i]?.therapistId || row.date !== seen[i]?.date)) throw readAgain();
  if (!isPair(...rows)) throw refusal('not-a-pair');
  const stale = rows.find(({ version }, i) => version !== [body.version, body.with_version][i]);
  if (stale) throw new Refusal('stale-version', { extra: { version: stale.version } });
  return rows;
}
