import type { AuditAction } from '@clinic/contract';
import type { Db } from '../db/connection.ts';
import { inTransaction } from '../db/retry.ts';
import type { Act } from '../access/act.ts';
import { audit } from '../access/audit.ts';
import { isoAt } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import { publishEvent } from '../platform/events.ts';
import {
  endSessions,
  isSessionOpen,
  lockAccount,
  selectOpenSessions,
  updateAccount,
  type OpenSession,
} from './accounts.queries.ts';
import { hashChecked } from './accounts.service.ts';

/** Returns the open sessions of the caller's account, newest first. */
export function listOwnSessions(db: Db, { caller, at }: Act, idleMinutes: number): Promise<OpenSession[]> {
  return selectOpenSessions(db, caller.id, {
    now: isoAt(at),
    seenAfter: isoAt(at - idleMinutes * 60_000),
  });
}

/**
 * Gives the caller's account a new password, and ends its other sessions. The caller must have confirmed who they are.
 * Refuses (`invalid`) a password that is too short or easy to guess, and `not-signed-in` when this session has just
 * ended.
 */
export async function changeOwnPassword(db: Db, act: Act, password: string): Promise<void> {
  const { caller } = act;
  const passwordHash = await hashChecked(password, caller, 'new_password');
  await inTransaction(db, async (trx) => {
    await lockAccount(trx, { id: caller.id });
    // If an administrator has just set a new password, which ended this session, the administrator's password stays.
    if (!(await isSessionOpen(trx, caller.sessionId))) throw new Refusal('not-signed-in');
    await updateAccount(trx, caller.id, { passwordHash }, isoAt(act.at));
    const ended = await endOthers(trx, act, 'password');
    await record(trx, act, 'password.changed', ended);
  });
}

/** Ends all sessions of the caller's account except this one. The caller must have confirmed who they are. */
export async function endOwnOtherSessions(db: Db, act: Act): Promise<void> {
  await db
    .transaction()
    .execute(async (trx) => record(trx, act, 'sessions.ended', await endOthers(trx, act, 'signed-out')));
}

/**
 * Ends all sessions of the caller's account except this one, in the caller's transaction, and returns how many it
 * ended.
 */
export async function endOthers(trx: Db, { caller, at }: Act, why: 'password' | 'signed-out'): Promise<number> {
  const ended = await endSessions(trx, caller.id, why, isoAt(at), caller.sessionId);
  for (const session of ended) await publishEvent(trx, { kind: 'session-ended', session });
  return ended.length;
}

function record(trx: Db, { caller, at, requestId }: Act, action: AuditAction, sessions: number): Promise<void> {
  const entry = { action, subjectKind: 'account', subjectIds: [caller.id], accountId: caller.id, requestId };
  return audit(trx, at, { ...entry, detail: { sessions_ended: sessions } });
}
