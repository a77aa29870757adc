import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClinicEvent } from '@clinic/contract';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../db/connection.ts';

/**
 * What processes tell each other: a clinic event for open pages (never with a name in it), the end of a session, that an
 * account may do other things now, or that events may have been missed.
 */
export type ServerEvent =
  | ClinicEvent
  | { readonly kind: 'session-ended'; readonly session: string }
  | { readonly kind: 'account-ended' | 'account-changed'; readonly account: string }
  | { readonly kind: 'resync' };

/** Hears what any process on the same database publishes, this one included. */
export interface Events {
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: ServerEvent) => void): () => void;
  close(): Promise<void>;
}

const CHANNEL = 'clinic_events';

/** Tells every process. Inside a transaction it is sent with the commit, and not at all when it is rolled back. */
export async function publishEvent(db: Db, event: ServerEvent): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(event)})`.execute(db);
}

/**
 * Events over PostgreSQL's LISTEN/NOTIFY, so that several servers on one database tell each other. A lost connection is
 * made again; what was sent in between is lost, and listeners hear `{ kind: 'resync' }` to ask anew.
 */
export async function openEvents(pool: pg.Pool): Promise<Events> {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  let closed = false;
  let client: pg.PoolClient | undefined;

  /** Makes one listening connection, which is made again when it is lost; rejects, with nothing left open, if it fails. */
  async function listen(): Promise<void> {
    const next = await pool.connect();
    next.on('notification', (message) => {
      if (message.channel === CHANNEL && message.payload)
        emitter.emit('event', JSON.parse(message.payload) as ServerEvent);
    });
    // A connection that ends may say so twice, also after it was given back; one that ends before it listens is given
    // back here, and whoever asked for it tries again: two who try would each keep one, until no other is left.
    let lost = false;
    next.on('error', () => {
      if (closed || lost) return;
      lost = true;
      next.release(true);
      if (client !== next) return;
      client = undefined;
      void relisten();
    });
    try {
      await next.query(`LISTEN ${CHANNEL}`);
      if (lost || closed) throw new Error('the connection was lost');
    } catch (error) {
      if (!lost) next.release(true);
      lost = true;
      throw error;
    }
    client = next;
  }

  async function relisten(): Promise<void> {
    while (!closed) {
      try {
        await listen();
        emitter.emit('event', { kind: 'resync' });
        return;
      } catch {
        await delay(500);
      }
    }
  }

  await listen();
  return {
    subscribe(listener) {
      emitter.on('event', listener);
      return () => void emitter.off('event', listener);
    },
    close() {
      closed = true;
      emitter.removeAllListeners();
      client?.release(true);
      client = undefined;
      return Promise.resolve();
    },
  };
}
