import type { LeaveOutcome } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import type { Act } from '../../access/act.ts';
import { leaveDates, selectLeave, type Leave } from '../../day/facts/leaves.ts';
import type { WallOf } from '../../day/facts/present.ts';
import type { LocationDay } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll, personDay } from '../../db/locks.ts';
import { inTransaction } from '../../db/retry.ts';
import { exactly } from '../../plan/absences/absence-windows.ts';
import { selectStored, type AbsentPerson } from '../../plan/absences/absences.queries.ts';
import { auditLeave } from '../../plan/absences/leave.ts';
import { storeDates, tellDays, type PersonDate } from '../../plan/absences/store.ts';
import type { StoredChange } from '../../plan/absences/taking-back.ts';
import { undoWithdrawal } from '../../plan/absences/undo-withdrawal.ts';
import { isoAt } from '../../platform/clock.ts';
import { refusal } from '../../platform/refusal.ts';
import { datesOfAct, lockLeavesOf, restoreFact, update } from './leave.queries.ts';
import { asideAgain, sayLoss } from './leave.service.ts';
import { outcomeOf } from './outcome.ts';

interface Undone {
  readonly location: Location;
  /** When the act was made that is to be undone (ISO 8601). */
  readonly which: string;
}

/**
 * Undoes the newest change to a leave, or its end: the fact, its dates and its sessions are as before. Refuses when the
 * leave has changed again, or when something later depends on the change. The record of a leave is undone by its end.
 */
export async function undoLeave(
  db: Db,
  wallOf: WallOf,
  id: string,
  { location, which }: Undone,
  act: Act,
): Promise<LeaveOutcome> {
  return inTransaction(db, async (trx) => {
    const person = await lockLeavesOf(trx, id);
    const rows = await leavesOfAct(trx, person, which);
    const [old] = rows.filter(({ before }) => before !== null);
    const [made] = rows.filter(({ before }) => before === null);
    if (!old || !rows.some((row) => row.id === id)) throw refusal('leave-changed-since', person.displayName);
    const changed = await selectLeave(trx, made?.id ?? old.id);
    await restoreFact(trx, old.id);
    if (made) await joinAgain(trx, made.id, old.id, act);
    const leave = await selectLeave(trx, old.id);
    if (!leave) throw refusal('no-such-leave');
    const done = await undoDates(trx, wallOf, { person, location, which }, new Set(rows.map((row) => row.id)), act);
    if (changed) await sayLoss(trx, { leave: changed, next: leave, dates: allDates(leave), location, person }, act);
    const on = { leave, next: leave, person, dates: new Set(allDates(leave)), kept: false };
    if (made) await asideAgain(trx, wallOf, { ...on, leave: { ...leave, id: made.id }, next: null }, act);
    const aside = await asideAgain(trx, wallOf, on, act);
    await update(trx, old.id, { changed_at: isoAt(act.at), changed_by: act.caller.id, before: null });
    await auditLeave(trx, leave, 'leave.undone', done, act);
    return outcomeOf(trx, { leave: old.id, person, at: isoAt(act.at), done, aside });
  });
}

/** The leaves that an act changed or made; `before` is null for one that it made. */
const leavesOfAct = (trx: Db, { kind, id }: AbsentPerson, which: string) =>
  trx
    .selectFrom('leave')
    .select(['id', 'before'])
    .where('changed_at', '=', which)
    .where(kind === 'therapist' ? 'therapist_id' : 'client_id', '=', id)
    .execute();

const allDates = (leave: Leave): IsoDate[] => leaveDates(leave, leave.first, leave.madeUntil);

/** Ends the leave that a change had split off, and gives its dates back to the one from which it came. */
async function joinAgain(trx: Db, made: string, old: string, act: Act): Promise<void> {
  await trx.deleteFrom('leave_exception').where('leave_id', '=', made).execute();
  await trx.updateTable('absence').set({ leave_id: old }).where('leave_id', '=', made).execute();
  const set = { ended_at: isoAt(act.at), changed_at: isoAt(act.at), changed_by: act.caller.id };
  await update(trx, made, set);
}

/** Restores what the act took away, and takes away what it added. */
async function undoDates(
  trx: Db,
  wallOf: WallOf,
  { person, location, which }: Undone & { readonly person: AbsentPerson },
  leaves: ReadonlySet<string>,
  act: Act,
): Promise<StoredChange[]> {
  const dates = await datesOfAct(trx, person, which);
  await lockAll(
    trx,
    dates.map(({ date }) => personDay(person.kind, person.id, date)),
  );
  const added = dates.filter(({ took }) => !took).map(({ date }) => ({ person, date }));
  const touched: LocationDay[] = [];
  for (const { date } of dates.filter(({ took }) => took)) {
    const undone = await undoWithdrawal(trx, wallOf, { person, date, location, ofLeave: true }, which, act);
    if (!undone) throw refusal('leave-changed-since', person.displayName);
    touched.push(...undone.locations.map((at) => ({ location: at, date })));
  }
  const stored = await selectStored(trx, added);
  const all = added.map(({ date }, i): PersonDate => {
    const others = (stored[i] ?? []).filter((each) => !leaves.has(each.leave?.id ?? '')).map(exactly);
    return { person, date, location, wanted: { windows: others, replaces: true } };
  });
  const done = await storeDates(trx, wallOf, all, act, { leaves });
  await tellDays(trx, touched, act);
  return done;
}
