import { randomUUID } from 'node:crypto';
import { sql, type ControlledTransaction } from 'kysely';
import { amongReads, type Db } from '../../db/connection.ts';
import { lockProfileNames } from '../../db/profile-names.ts';
import type { Database } from '../../db/schema.ts';
import { audit } from '../../access/audit.ts';
import { endDemo } from '../../access/demo.ts';
import { publishEvent } from '../../platform/events.ts';
import { read, type ReadName } from '../imports.queries.ts';
import { write, type WriteName } from './imports.writes.ts';

/**
 * What a transaction locks: nothing (it only reads, from one snapshot), people, the calendar, or both. With `answers` it
 * locks nothing either, and writes only what was answered.
 */
export type Hold = 'nothing' | 'answers' | 'people' | 'calendar' | 'both';

/** How much a transaction has imported. */
export interface Amount {
  readonly people: number;
  readonly sessions: number;
}

/**
 * The database as an import sees it, one transaction at a time. Rows go in and out as JSON text, so that another thread
 * can use the store. Its methods are called one after the other.
 */
export interface ImportStore {
  begin(hold: Hold): Promise<void>;
  /** Runs this read and returns its rows as JSON. */
  read(name: ReadName, wanted: string): Promise<string>;
  /** @param rows the rows to write, as JSON text */
  write(name: WriteName, rows: string): Promise<void>;
  /** Announces to open pages which dates this transaction changes; an empty list means any date. */
  tell(dates: readonly string[]): Promise<void>;
  /** Records the import and its figures in the audit trail. */
  record(detail: Readonly<Record<string, string | number | null>>): Promise<void>;
  /** @param amount how much this transaction has imported */
  commit(amount?: Amount): Promise<void>;
  /** Rolls back the transaction, if there is one. */
  rollback(): Promise<void>;
  /** Updates the query planner's statistics. Call this after writing many rows, because queries are slow until then. */
  settle(): Promise<void>;
}

export interface Importer {
  /** The account that imports; null for an import from the command line. */
  readonly accountId: string | null;
  readonly requestId?: string | null;
  /** Milliseconds since 1970, by the machine's clock. */
  readonly now: number;
}

/**
 * How long an import waits for its lock on the calendar, in milliseconds. Bookings wait behind the import, so it gives
 * up after this time, lets them go first, and tries again.
 */
const WAIT_MS = 1000;
/**
 * How many milliseconds a transaction may be idle before PostgreSQL ends it. The limit is for an import's thread that
 * hangs.
 */
const IDLE_MS = 10_000;

/** An import's store in PostgreSQL. */
export class DatabaseStore implements ImportStore {
  readonly #db: Db;
  #closed = false;
  readonly #importer: Importer;
  readonly #subject = randomUUID();
  #trx: ControlledTransaction<Database> | null = null;
  #hold: Hold = 'nothing';
  #wrote = false;
  #imported: Amount = { people: 0, sessions: 0 };

  constructor(db: Db, importer: Importer) {
    this.#db = db;
    this.#importer = importer;
  }

  /** Whether any transaction has been committed. */
  get wrote(): boolean {
    return this.#wrote;
  }

  /** How much has certainly been imported. A commit does not count if its reply was lost. */
  get imported(): Amount {
    return this.#imported;
  }

  async begin(hold: Hold): Promise<void> {
    this.#hold = hold;
    if (!this.#closed) await this.#begin(hold);
    if (!this.#closed) return;
    await this.rollback();
    throw new Error('the import has ended');
  }

  async #begin(hold: Hold): Promise<void> {
    this.#trx =
      hold === 'nothing'
        ? await amongReads(this.#db)
            .startTransaction()
            .setIsolationLevel('repeatable read')
            .setAccessMode('read only')
            .execute()
        : await this.#db.startTransaction().execute();
    if (hold === 'nothing') return;
    const trx = this.#now();
    await sql`select set_config('idle_in_transaction_session_timeout', ${String(IDLE_MS)}, true),
      set_config('lock_timeout', ${String(WAIT_MS)}, true)`.execute(trx);
    if (hold === 'people' || hold === 'both') {
      await lockProfileNames(trx, 'therapist');
      await lockProfileNames(trx, 'client');
      await sql`lock table therapist, client in share row exclusive mode`.execute(trx);
    }
    // Reads do not wait for this lock.
    if (hold === 'calendar' || hold === 'both')
      await sql`lock table appointment, import_row in share row exclusive mode`.execute(trx);
  }

  read(name: ReadName, wanted: string): Promise<string> {
    return read(this.#now(), name, wanted);
  }

  async write(name: WriteName, rows: string): Promise<void> {
    await write(this.#now(), name, rows, this.#importer.accountId);
    if (name === 'rememberColumns') return;
    const { now: at, accountId, requestId = null } = this.#importer;
    await endDemo(this.#now(), { at, accountId, requestId });
  }

  tell(dates: readonly string[]): Promise<void> {
    return publishEvent(this.#now(), { kind: 'import', dates: [...dates] });
  }

  record(detail: Readonly<Record<string, string | number | null>>): Promise<void> {
    const { now, accountId, requestId } = this.#importer;
    return audit(this.#now(), now, {
      action: 'import.applied',
      subjectKind: 'import',
      subjectIds: [this.#subject],
      accountId,
      requestId: requestId ?? null,
      detail,
    });
  }

  async commit(amount: Amount = { people: 0, sessions: 0 }): Promise<void> {
    const trx = this.#now();
    this.#trx = null;
    // The commit may have been written even if its reply was lost.
    if (this.#hold !== 'nothing') this.#wrote = true;
    await trx.commit().execute();
    const { people, sessions } = this.#imported;
    this.#imported = { people: people + amount.people, sessions: sessions + amount.sessions };
  }

  async rollback(): Promise<void> {
    const trx = this.#trx;
    this.#trx = null;
    // If the connection was lost, the database has already rolled back.
    await trx
      ?.rollback()
      .execute()
      .catch(() => {});
  }

  /** Rolls back the transaction, even one that was only starting when its thread died. */
  close(): Promise<void> {
    this.#closed = true;
    return this.rollback();
  }

  async settle(): Promise<void> {
    await sql`analyze appointment, therapist, client, import_row`.execute(this.#db);
  }

  #now(): ControlledTransaction<Database> {
    if (!this.#trx) throw new Error('the import has no transaction');
    return this.#trx;
  }
}
