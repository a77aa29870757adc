import { type AbsenceLossBody, type AuditAction, type Cause, type LossBody, MOST_CAUSES } from '@clinic/contract';
import { nameKey, type IsoDate, type Location, type LossSide } from '@clinic/domain';
import { readLoss, writeAbsenceLoss, writeSessionLoss } from '../../day/facts/losses.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll, personDay } from '../../db/locks.ts';
import { inTransaction } from '../../db/retry.ts';
import type { Act } from '../../access/act.ts';
import { auditBy, type ActEntry } from '../../access/audit.ts';
import { requireLocation } from '../../access/caller.ts';
import { isoAt } from '../../platform/clock.ts';
import { requireVersion } from '../../platform/content-version.ts';
import { publishEvent } from '../../platform/events.ts';
import { refusal } from '../../platform/refusal.ts';
import {
  editable,
  insertCause,
  removeCause,
  selectAbsenceToSay,
  selectCauses,
  selectSessionToSay,
  updateCause,
} from './causes.queries.ts';

const entry = (action: AuditAction, id: string, detail = {}): ActEntry => ({
  action,
  subjectKind: 'cause',
  subjectIds: [id],
  detail,
});

interface CauseFields {
  readonly label: string;
  readonly lost_by: LossSide | null;
}

/** Locks and returns the causes. Refuses with 409 a label that another cause has, retired or not. */
async function causesForLabel(trx: Db, label: string, id?: string): Promise<Cause[]> {
  await lockAll(trx, ['causes']);
  const causes = await selectCauses(trx);
  const taken = causes.some((cause) => cause.id !== id && nameKey(cause.label) === nameKey(label));
  if (taken) throw refusal('cause-exists', label);
  return causes;
}

/** Adds a cause and returns the list. */
export async function addCause(db: Db, act: Act, { label, lost_by }: CauseFields): Promise<Cause[]> {
  return inTransaction(db, async (trx) => {
    const others = await causesForLabel(trx, label);
    if (others.length >= MOST_CAUSES) throw refusal('too-many-causes', MOST_CAUSES);
    const id = await insertCause(trx, label, lost_by);
    await auditBy(trx, act, entry('cause.added', id, { label, lost_by }));
    return selectCauses(trx);
  });
}

/**
 * Changes a cause's label and `lost_by`, offers a retired cause again, and returns the list. Refuses (`stale-version`)
 * to save over what someone else has saved since.
 */
export async function changeCause(
  db: Db,
  act: Act,
  id: string,
  { version, label, lost_by }: CauseFields & { readonly version?: string | undefined },
): Promise<Cause[]> {
  return inTransaction(db, async (trx) => {
    const before = (await causesForLabel(trx, label, id)).find((cause) => cause.id === id);
    if (!before) throw refusal('cause-unknown');
    requireVersion(version, editable(before), editable({ label, lost_by, retired: false }));
    await updateCause(trx, id, label, lost_by);
    // Past records show the new label from now on, so only the audit trail tells what they said before.
    const { label: oldLabel, lost_by: oldSide } = before;
    const detail = { before: { label: oldLabel, lost_by: oldSide }, after: { label, lost_by } };
    await auditBy(trx, act, entry('cause.changed', id, detail));
    return selectCauses(trx);
  });
}

/** Deletes a cause, or retires it if it is used, and returns the list. */
export async function dropCause(db: Db, act: Act, id: string): Promise<Cause[]> {
  return inTransaction(db, async (trx) => {
    await lockAll(trx, ['causes']);
    const done = await removeCause(trx, id, isoAt(act.at));
    if (done === null) throw refusal('cause-unknown');
    await auditBy(trx, act, entry(`cause.${done}`, id));
    return selectCauses(trx);
  });
}

/** Records why a person is away in this window of their absence; their other windows have causes of their own. */
export async function sayOfAbsence(db: Db, act: Act, key: string, said: AbsenceLossBody): Promise<void> {
  await inTransaction(db, async (trx) => {
    const asked = await selectAbsenceToSay(trx, key);
    if (!asked) throw refusal('nothing-lost');
    const { kind, personId, location, date } = asked;
    requireLocation(act.caller, location);
    await lockAll(trx, [personDay(kind, personId, date)]);
    // A save that changes the window withdraws this row; one that ends first is seen after its lock.
    const found = await selectAbsenceToSay(trx, key);
    if (!found) throw refusal('nothing-lost');
    const values = await readLoss(trx, said, null, found.known);
    const changed = await writeAbsenceLoss(trx, [key], values, said.untold);
    if (changed > 0) await tell(trx, act, { kind, id: personId, location, date }, said);
  });
}

/** Records why a session was cancelled or was a no-show. */
export async function sayOfSession(db: Db, act: Act, key: string, said: LossBody): Promise<void> {
  await inTransaction(db, async (trx) => {
    const found = await selectSessionToSay(trx, key);
    if (!found) throw refusal('nothing-lost');
    const { location, date, known } = found;
    requireLocation(act.caller, location);
    const changed = await writeSessionLoss(trx, [key], await readLoss(trx, said, null, known));
    if (changed.length > 0) await tell(trx, act, { kind: 'appointment', id: key, location, date }, said);
  });
}

/** Tells open pages to reload the day, and audits who recorded the cause. */
async function tell(
  trx: Db,
  act: Act,
  of: { kind: string; id: string; location: Location; date: IsoDate },
  said: LossBody,
): Promise<void> {
  await publishEvent(trx, { kind: 'absences', location: of.location, dates: [of.date], by: act.caller.id });
  await auditBy(trx, act, {
    ...entry('cause.said', of.id, { date: of.date, cause: said.cause }),
    subjectKind: of.kind,
    location: of.location,
  });
}
