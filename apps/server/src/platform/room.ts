import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { codeOf } from '../start-error.ts';
import { amongReads, type Db } from '../db/connection.ts';

/** Whether the database has disk space for writes. */
export interface Room {
  readonly isFull: () => boolean;
  /** Checks an error: *disk full* begins the state, which lasts until a write succeeds. */
  note(error: unknown): void;
  /** Adds work to be done first when there may be space again; it throws while there is not. */
  before(work: () => Promise<void>): void;
  close(): void;
}

const LOOK_MS = 5000;

/** Whether an error is PostgreSQL's *disk full*. */
export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === '53100';
}

export function makeRoom(db: Db, lookMs = LOOK_MS): Room {
  const ending = new AbortController();
  const first: (() => Promise<void>)[] = [];
  let full = false;

  async function look(): Promise<void> {
    while (full && !ending.signal.aborted) {
      await delay(lookMs, undefined, { signal: ending.signal, ref: false }).catch(() => {});
      if (ending.signal.aborted) return;
      try {
        for (const work of first) await work();
        await tryToWrite(db);
        full = false;
      } catch {
        // still full, or the database is away: tried again later
      }
    }
  }

  return {
    isFull: () => full,
    note(error) {
      if (full || !isDiskFull(error)) return;
      full = true;
      void look();
    },
    before: (work) => void first.push(work),
    close: () => ending.abort(),
  };
}

/** Writes a megabyte and rolls it back. */
function tryToWrite(db: Db): Promise<unknown> {
  return amongReads(db)
    .transaction()
    .execute((trx) =>
      sql`create temporary table room_probe on commit drop as
        select md5(random()::text) as filling from generate_series(1, 16000)`.execute(trx),
    );
}
