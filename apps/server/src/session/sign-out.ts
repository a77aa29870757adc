import { amongReads, type Db } from '../db/connection.ts';
import { audit } from '../access/audit.ts';
import { endSession, type Caller } from '../access/sessions.ts';
import type { Clock } from '../platform/clock.ts';
import { publishEvent } from '../platform/events.ts';

/** Ends the session at once in every process; its tokens stop working. */
export async function signOut(db: Db, clock: Clock, caller: Caller, requestId: string): Promise<void> {
  await amongReads(db)
    .transaction()
    .execute(async (trx) => {
      await endSession(trx, caller.sessionId, 'signed-out', clock.now());
      await publishEvent(trx, { kind: 'session-ended', session: caller.sessionId });
      await audit(trx, clock.now(), {
        action: 'session.ended',
        subjectKind: 'session',
        subjectIds: [caller.sessionId],
        accountId: caller.id,
        requestId,
      });
    });
}
