// This file is over 250 lines because to change and to end a leave share how its dates and its sessions follow.
import { sql } from 'kysely';
import type { AbsenceLossBody, LeaveOutcome } from '@clinic/contract';
import { addDays, isoDate, type IsoDate, type Location } from '@clinic/domain';
import type { Act } from '../../access/act.ts';
import { requireTouched } from '../../access/caller.ts';
import type { AppointmentChange } from '../../day/appointment-states.ts';
import { leaveDates, leaveHorizon, type Leave, type LeaveTerms } from '../../day/facts/leaves.ts';
import { readLoss, writeAbsenceLoss } from '../../day/facts/losses.ts';
import { isDemoClinic, type WallOf } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll, personDay } from '../../db/locks.ts';
import { inTransaction, previewed } from '../../db/retry.ts';
import { exactly } from '../../plan/absences/absence-windows.ts';
import { selectStored, type AbsentPerson } from '../../plan/absences/absences.queries.ts';
import {
  addLeave,
  auditLeave,
  cancelOnLeave,
  checkTerms,
  columnsOf,
  datesToStore,
  insertLeave,
  isSame,
  tellAppointments,
  windowOf,
  type NewLeave,
} from '../../plan/absences/leave.ts';
import { storeDates, tellDays, type PersonDate } from '../../plan/absences/store.ts';
import { askBefore } from '../../plan/absences/taking-back.ts';
import { bringBackAside, firstMoment } from '../../plan/problem/set-aside.ts';
import { isoAt, isoOf } from '../../platform/clock.ts';
import { refusal } from '../../platform/refusal.ts';
import { lockLeave, remember, selectAside, update } from './leave.queries.ts';
import { outcomeOf, type Aside } from './outcome.ts';

/** What happens to the sessions that submitted changes gave to others; undefined asks. */
export type Cover = 'give-back' | 'keep-told' | 'keep' | undefined;
const KEPT = { keep: 'all', 'keep-told': 'told', 'give-back': 'none' } as const;

/** Records an absence over several dates. */
export async function recordLeave(db: Db, wallOf: WallOf, input: NewLeave, act: Act): Promise<LeaveOutcome> {
  return inTransaction(db, async (trx) => {
    const leave = await insertLeave(trx, wallOf, input, act);
    const { person, location } = input;
    const done = await storeDates(trx, wallOf, datesToStore(leave, person, location), act, own(leave));
    if (done.length > 0) await auditLeave(trx, leave, 'leave.recorded', done, act);
    await cancelOnLeave(trx, wallOf, leave, { name: person.displayName }, act);
    return outcomeOf(trx, { leave: leave.id, person, at: await changedAt(trx, leave.id), done, aside: NO_ASIDE });
  });
}

const NO_ASIDE: Aside = { back: [], stays: [] };
const own = (...leaves: readonly Pick<Leave, 'id'>[]) => ({ leaves: new Set(leaves.map(({ id }) => id)) });

async function changedAt(trx: Db, id: string): Promise<string> {
  const row = await trx.selectFrom('leave').select('changed_at').where('id', '=', id).executeTakeFirstOrThrow();
  return isoOf(row.changed_at);
}

/** What a change makes of a leave: its new dates and times, from one of its dates on or on all of them. */
export interface LeaveChange {
  readonly location: Location;
  readonly scope: 'from' | 'all';
  readonly date: IsoDate;
  readonly terms: LeaveTerms;
  readonly loss: AbsenceLossBody | undefined;
  readonly cover: Cover;
}

/**
 * Changes a leave on all its dates or, with `from`, on this date and later ones, which then are a leave of their own.
 * The dates that were changed by themselves stay as they are.
 */
export async function changeLeave(
  db: Db,
  wallOf: WallOf,
  id: string,
  change: LeaveChange,
  act: Act,
): Promise<LeaveOutcome> {
  return inTransaction(db, async (trx) => {
    const { leave, person } = await lockLeave(trx, id);
    const { location, scope, date, cover } = change;
    const today = wallOf(location).date;
    checkTerms(person.displayName, change.terms, today);
    const loss = await lossAfter(trx, wallOf, leave, change);
    const splits = scope === 'from' && date > leave.first;
    if (isSame(leave, change.terms) && JSON.stringify(loss) === JSON.stringify(leave.loss))
      return outcomeOf(trx, { leave: id, person, at: await changedAt(trx, id), done: [], aside: NO_ASIDE });
    if (splits && change.terms.first < date) change = { ...change, terms: { ...change.terms, first: date } };
    await remember(trx, leave, act);
    let next: Leave = { ...leave, ...change.terms, loss, madeUntil: leaveHorizon(today) };
    if (splits) {
      await update(trx, leave.id, { ...columnsOf({ ...leave, last: dayBefore(date) }) });
      next = await addLeave(trx, { person, location, terms: change.terms }, loss, today, act);
      next = { ...next, exceptions: await moveExceptions(trx, leave, next, date) };
    } else await update(trx, leave.id, { ...columnsOf(change.terms), ...loss, made_until: next.madeUntil });
    const from = splits ? date : '';
    const dates = datesOfBoth(leave, next).filter((each) => each >= from && !leave.exceptions.includes(each));
    const kept = cover === 'keep';
    const all = await wantedOn(trx, { person, location, dates }, [leave, next], (each) =>
      leaveDates(next, each, each).length > 0 ? windowOf(next) : null,
    );
    const keepCover = KEPT[cover ?? 'give-back'];
    const done = await storeDates(trx, wallOf, all, act, { ...own(leave, next), keepCover });
    if (cover === undefined) await askBefore(trx, done);
    await sayLoss(trx, { leave, next, dates, location, person }, act);
    const aside = await asideAgain(trx, wallOf, { leave, next, person, dates: new Set(dates), kept }, act);
    await auditLeave(trx, next, 'leave.changed', done, act);
    return outcomeOf(trx, { leave: next.id, person, at: isoAt(act.at), done, aside });
  });
}

/** The loss of a changed leave: what the change says, or else what is recorded. */
async function lossAfter(trx: Db, wallOf: WallOf, leave: Leave, { loss, location }: LeaveChange) {
  if (loss === undefined) return leave.loss;
  const values = await readLoss(trx, loss, wallOf(location), leave.loss.known_at);
  return { ...values, untold: loss.untold ?? leave.loss.untold };
}

const dayBefore = (date: IsoDate): IsoDate => addDays(date, -1);

/** The dates from a date on that were changed by themselves stay so in the leave that begins there. */
async function moveExceptions(trx: Db, leave: Leave, next: Leave, date: IsoDate): Promise<readonly IsoDate[]> {
  const later = leave.exceptions.filter((each) => each >= date);
  await sql`update leave_exception set leave_id = ${next.id} where leave_id = ${leave.id} and date >= ${date}::date`.execute(
    trx,
  );
  await sql`update absence set leave_id = ${next.id} where leave_id = ${leave.id} and withdrawn_at is null
    and date = any(${[...later]}::date[])`.execute(trx);
  return later;
}

const datesOfBoth = (leave: Leave, next: Leave): IsoDate[] =>
  [
    ...new Set([...leaveDates(leave, leave.first, leave.madeUntil), ...leaveDates(next, next.first, next.madeUntil)]),
  ].sort();

/** What these dates store: everything that is not of these leaves as it is, and then the window that the date gets. */
async function wantedOn(
  trx: Db,
  { person, location, dates }: { person: AbsentPerson; location: Location; dates: readonly IsoDate[] },
  leaves: readonly Leave[],
  windowFor: (date: IsoDate) => ReturnType<typeof windowOf> | null,
): Promise<PersonDate[]> {
  await lockAll(
    trx,
    dates.map((date) => personDay(person.kind, person.id, date)),
  );
  const stored = await selectStored(
    trx,
    dates.map((date) => ({ person, date })),
  );
  return dates.map((date, i) => {
    const others = (stored[i] ?? []).filter((each) => !leaves.some(({ id }) => id === each.leave?.id)).map(exactly);
    const window = windowFor(date);
    return { person, date, location, wanted: { windows: [...others, ...(window ? [window] : [])], replaces: true } };
  });
}

/** Gives the dates the changed cause, unless a date has one of its own. */
export async function sayLoss(
  trx: Db,
  on: { leave: Leave; next: Leave; dates: readonly IsoDate[]; location: Location; person: AbsentPerson },
  act: Act,
): Promise<void> {
  const { leave, next, dates } = on;
  if (JSON.stringify(leave.loss) === JSON.stringify(next.loss)) return;
  const { rows } = await sql<{ id: string; date: IsoDate; location: Location }>`
    select id, date::text, location from absence
    where leave_id in (${leave.id}::uuid, ${next.id}::uuid) and withdrawn_at is null and date = any(${[...dates]}::date[])
      and cause_id is not distinct from ${leave.loss.cause_id} and lost_by is not distinct from ${leave.loss.lost_by}`.execute(
    trx,
  );
  const ids = rows.map(({ id }) => id);
  if (leave.id !== next.id)
    await sql`update absence set leave_id = ${next.id} where id = any(${ids}::uuid[])`.execute(trx);
  await writeAbsenceLoss(trx, ids, next.loss, next.loss.untold);
  await tellDays(
    trx,
    rows.flatMap(({ date, location }) =>
      [location, on.location, on.person.location].map((at) => ({ location: at, date })),
    ),
    act,
  );
}

/** Brings a client's cancelled sessions back, and cancels those in the new times. */
export async function asideAgain(
  trx: Db,
  wallOf: WallOf,
  on: { leave: Leave; next: Leave | null; person: AbsentPerson; dates: ReadonlySet<IsoDate>; kept: boolean },
  act: Act,
): Promise<Aside> {
  const { leave, next, person, dates, kept } = on;
  if (leave.kind !== 'client') return NO_ASIDE;
  const all = await selectAside(trx, leave.id);
  const isMeant = ({ date }: AppointmentChange): boolean => dates.has(isoDate(date));
  let aside: Aside = NO_ASIDE;
  if (!kept) {
    const from = firstMoment(wallOf(leave.location), await isDemoClinic(trx));
    aside = await bringBackAside(trx, all.filter(isMeant), { from, reason: `${person.displayName} is back` }, act);
    requireTouched(
      act.caller,
      aside.back.map(({ location }) => location),
      (places) => refusal('absence-reaches-elsewhere', places, person.displayName, leave.first),
    );
    await tellAppointments(trx, aside.back, act);
  }
  await update(trx, leave.id, { set_aside: JSON.stringify(all.filter((each) => !isMeant(each))) });
  const again = next ? await cancelOnLeave(trx, wallOf, next, { name: person.displayName, dates }, act) : [];
  const gone = new Set(again.map(({ of }) => of));
  return { back: aside.back.filter(({ of }) => !gone.has(of)), stays: aside.stays };
}

/** How much of a leave ends: one date, a date and all later ones, or all of it. */
export interface LeaveEnd {
  readonly location: Location;
  readonly scope: 'date' | 'from' | 'all';
  readonly date: IsoDate;
  readonly cover: Cover;
}

/** Ends a leave, or takes one date out of it. Says what comes back, and what stays with others, moved or cancelled. */
export async function endLeave(db: Db, wallOf: WallOf, id: string, end: LeaveEnd, act: Act): Promise<LeaveOutcome> {
  return inTransaction(db, (trx) => endWithin(trx, wallOf, id, end, act));
}

/** Says what `endLeave` would do. */
export const previewEnd = (db: Db, wallOf: WallOf, id: string, end: LeaveEnd, act: Act): Promise<LeaveOutcome> =>
  previewed(db, (trx) => endWithin(trx, wallOf, id, { ...end, cover: end.cover ?? 'give-back' }, act));

async function endWithin(trx: Db, wallOf: WallOf, id: string, end: LeaveEnd, act: Act): Promise<LeaveOutcome> {
  const { leave, person } = await lockLeave(trx, id);
  const { location, scope, date, cover } = end;
  const dates = leaveDates(leave, leave.first, leave.madeUntil).filter(
    (each) => scope === 'all' || (scope === 'date' ? each === date : each >= date),
  );
  const exceptions = leave.exceptions.filter((each) => scope === 'all' || (scope === 'from' && each >= date));
  if (dates.length === 0) throw refusal('leave-not-on', person.displayName, date);
  const whole = scope === 'all' || (scope === 'from' && date <= leave.first);
  const at = isoAt(act.at);
  await remember(trx, leave, act);
  if (whole) await update(trx, leave.id, { ended_at: at });
  else if (scope === 'from') await update(trx, leave.id, columnsOf({ ...leave, last: dayBefore(date) }));
  else await sql`insert into leave_exception values (${leave.id}, ${date}::date) on conflict do nothing`.execute(trx);
  const meant = [...new Set([...dates, ...exceptions])].sort();
  const all = await wantedOn(trx, { person, location, dates: meant }, [leave], () => null);
  const kept = cover === 'keep';
  const done = await storeDates(trx, wallOf, all, act, { ...own(leave), keepCover: KEPT[cover ?? 'give-back'] });
  if (cover === undefined) await askBefore(trx, done);
  const aside = await asideAgain(trx, wallOf, { leave, next: null, person, dates: new Set(meant), kept }, act);
  await auditLeave(trx, leave, 'leave.ended', done, act);
  return outcomeOf(trx, { leave: whole ? null : leave.id, person, at, done, aside });
}
