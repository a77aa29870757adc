import type { FastifyRequest } from 'fastify';
import { amongReads, type Db } from '../db/connection.ts';
import { Refusal } from '../platform/refusal.ts';
import { makeRoom, noRoomIn, type Room } from '../platform/room.ts';
import { callerOf } from './caller.ts';
import { audit, auditAfter, auditToEnd, type AuditEntry, type ChainEnd } from './audit.ts';
import type { Clock } from '../platform/clock.ts';

/** Records in the audit trail who read what. */
export interface AuditReads {
  /**
   * Records what the caller has read. Resolves when the entry is safely stored; the reply waits until then. While the
   * database refuses writes, the entry is stored in the log and added to the trail later.
   */
  record(
    request: Pick<FastifyRequest, 'id' | 'account'> & Partial<Pick<FastifyRequest, 'log'>>,
    entry: Omit<AuditEntry, 'accountId' | 'requestId'>,
  ): Promise<void>;
}

interface LateEntry extends AuditEntry {
  readonly at: number;
}

/** The maximum number of reads that are recorded only in the log. Further reads are refused. */
const MOST_LATE = 20_000;
const LATE_AT_ONCE = 200;

/**
 * Makes the function that records reads. A read has no transaction that could include its audit entry, so entries are
 * written in batches: while one batch is committed, entries gather for the next. Many reads thus share one commit.
 */
export function makeAuditReads(db: Db, clock: Clock, room: Room = makeRoom(db)): AuditReads {
  let waiting: AuditEntry[] = [];
  let next: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const late: LateEntry[] = [];
  // Where the chain ended after the last batch. Another process or a transaction may have continued the chain since, so
  // a batch is added there only if the database still has this end.
  let end: ChainEnd | undefined;

  /**
   * Adds a batch with one statement if the chain still ends where it did after the last batch, otherwise in a
   * transaction that reads its end.
   */
  async function add(batch: readonly AuditEntry[]): Promise<void> {
    const known = end;
    end = undefined; // the chain's end is unknown while a batch is written, and after a failure
    end =
      (known && (await auditAfter(db, known, clock.now(), batch))) ??
      (await amongReads(db)
        .transaction()
        .execute((trx) => auditToEnd(trx, clock.now(), batch)));
  }

  function flush(): Promise<void> {
    const batch = waiting;
    waiting = [];
    next = undefined;
    return add(batch);
  }

  function write(entry: AuditEntry): Promise<void> {
    waiting.push(entry);
    if (!next) {
      next = last.then(flush, flush);
      last = next.catch(() => {});
    }
    return next;
  }

  room.before(async () => {
    while (late.length > 0) {
      const batch = late.slice(0, LATE_AT_ONCE);
      await amongReads(db)
        .transaction()
        .execute(async (trx) => {
          for (const { at, ...entry } of batch) await audit(trx, at, entry);
        });
      late.splice(0, batch.length);
    }
  });

  return {
    async record(request, entry) {
      const whole = { ...entry, accountId: callerOf(request).id, requestId: request.id };
      if (!room.none()) {
        try {
          return await write(whole);
        } catch (error) {
          room.note(error);
          if (!noRoomIn(error)) throw error;
        }
      }
      if (late.length >= MOST_LATE) throw new Refusal(room.none() === 'read-only' ? 'read-only' : 'disk-full');
      late.push({ ...whole, at: clock.now() });
      request.log?.warn(
        { access: whole },
        'the audit trail takes no entries now: this read is recorded here, and will be added to the trail',
      );
    },
  };
}
