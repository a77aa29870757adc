import type { FastifyRequest } from 'fastify';
import { amongReads, type Db } from '../../db/connection.ts';
import { callerOf } from './access.ts';
import { audit, type AuditEntry } from './audit.ts';
import type { Clock } from '../clock.ts';

/** Puts reads into the audit trail. */
export interface AuditReads {
  /** What the request's caller read. Resolves once the entry is durable; the reply waits for it. */
  record(
    request: Pick<FastifyRequest, 'id' | 'account'>,
    entry: Omit<AuditEntry, 'accountId' | 'requestId'>,
  ): Promise<void>;
}

/**
 * Reads have no transaction of their own to be audited in. They are written together: while one batch is committed the
 * next gathers, so that many readers cost one commit.
 */
export function makeAuditReads(db: Db, clock: Clock): AuditReads {
  let waiting: AuditEntry[] = [];
  let next: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function flush(): Promise<void> {
    const batch = waiting;
    waiting = [];
    next = undefined;
    return amongReads(db)
      .transaction()
      .execute((trx) => audit(trx, clock.now(), ...batch));
  }

  return {
    record(request, entry) {
      waiting.push({ ...entry, accountId: callerOf(request).id, requestId: request.id });
      if (!next) {
        next = last.then(flush, flush);
        last = next.catch(() => {});
      }
      return next;
    },
  };
}
