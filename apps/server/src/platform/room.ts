import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { codeOf } from '../start-error.ts';
import { amongReads, type Db } from '../db/connection.ts';

/** Why the database refuses writes: its disk is full, or it is a standby or was made read-only. */
export type NoRoom = 'full' | 'read-only';

/** Tracks whether the database accepts writes. */
export interface Room {
  /** Why the database refuses writes; undefined while it accepts them. */
  readonly none: () => NoRoom | undefined;
  /**
   * Examines an error: after *disk full* or *read-only transaction*, the database counts as refusing writes until a
   * write succeeds.
   */
  note(error: unknown): void;
  /**
   * Adds work to be done before the database counts as accepting writes again. The work must throw as long as it cannot
   * write.
   */
  before(work: () => Promise<void>): void;
  close(): void;
}

const LOOK_MS = 5000;

/** Whether an error is PostgreSQL's *disk full* or *read-only transaction*. */
export function noRoomIn(error: unknown): NoRoom | undefined {
  const code = codeOf(error);
  return code === '53100' ? 'full' : code === '25006' ? 'read-only' : undefined;
}

export function makeRoom(db: Db, lookMs = LOOK_MS): Room {
  const ending = new AbortController();
  const first: (() => Promise<void>)[] = [];
  let none: NoRoom | undefined;

  async function look(): Promise<void> {
    while (none && !ending.signal.aborted) {
      await delay(lookMs, undefined, { signal: ending.signal, ref: false }).catch(() => {});
      if (ending.signal.aborted) return;
      try {
        for (const work of first) await work();
        await tryToWrite(db);
        none = undefined;
      } catch {
        // The database still refuses writes or cannot be reached; the loop tries again later.
      }
    }
  }

  return {
    none: () => none,
    note(error) {
      const found = noRoomIn(error);
      if (none || !found) return;
      none = found;
      void look();
    },
    before: (work) => void first.push(work),
    close: () => ending.abort(),
  };
}

/** Writes a megabyte to a temporary table, which the commit drops. */
function tryToWrite(db: Db): Promise<unknown> {
  return amongReads(db)
    .transaction()
    .execute((trx) =>
      sql`create temporary table room_probe on commit drop as
        select md5(random()::text) as filling from generate_series(1, 16000)`.execute(trx),
    );
}
