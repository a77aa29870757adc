import { EventEmitter } from 'node:events';
import type { ClinicEvent } from '@clinic/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';
import type { Link } from './link.ts';

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

export const CHANNEL = 'clinic_events';

/** Tells every process. Inside a transaction it is sent with the commit, and not at all when it is rolled back. */
export async function publishEvent(db: Db, event: ServerEvent): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(event)})`.execute(db);
}

/**
 * Events over PostgreSQL's LISTEN/NOTIFY, so that several servers on one database tell each other. When the link was lost
 * and is there again, what was sent in between is lost, and listeners hear `{ kind: 'resync' }` to load again.
 */
export function openEvents(link: Link): Events {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  link.onNotification((payload) => emitter.emit('event', JSON.parse(payload) as ServerEvent));
  link.onHealed(() => emitter.emit('event', { kind: 'resync' }));
  return {
    subscribe(listener) {
      emitter.on('event', listener);
      return () => void emitter.off('event', listener);
    },
    close() {
      emitter.removeAllListeners();
      return link.close();
    },
  };
}
