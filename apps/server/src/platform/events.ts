import { EventEmitter } from 'node:events';
import type { ClinicEvent } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';
import type { Link } from './link.ts';

/**
 * Messages between processes: a clinic event for open pages (never with a name in it), the end of a session, a change
 * of an account's rights, or that events may have been missed.
 */
export type ServerEvent =
  | ClinicEvent
  | { readonly kind: 'session-ended'; readonly session: string }
  | { readonly kind: 'account-ended' | 'account-changed'; readonly account: string }
  | { readonly kind: 'resync' };

/** Receives what any process on the same database publishes, this one included. */
export interface Events {
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: ServerEvent) => void): () => void;
  close(): Promise<void>;
}

export const CHANNEL = 'clinic_events';

/** PostgreSQL takes less than 8,000 bytes. */
const MOST_BYTES = 7500;

/**
 * Sends an event to every process. Inside a transaction it is sent with the commit, and not at all after a rollback.
 * More dates than a message can carry become an empty list, which means any date.
 */
export async function publishEvent(db: Db, event: ServerEvent): Promise<void> {
  const whole = JSON.stringify(event);
  const sent = Buffer.byteLength(whole) > MOST_BYTES ? JSON.stringify({ ...event, dates: [] }) : whole;
  await sql`select pg_notify(${CHANNEL}, ${sent})`.execute(db);
}

/** Sends one event for each location with changed appointments. */
export async function publishAppointments(
  trx: Db,
  days: readonly { readonly location: Location; readonly date: string }[],
  by: string,
): Promise<void> {
  for (const location of new Set(days.map((day) => day.location))) {
    const dates = [...new Set(days.filter((day) => day.location === location).map((day) => day.date))].sort();
    await publishEvent(trx, { kind: 'appointments', location, dates, by });
  }
}

/**
 * Events over PostgreSQL's LISTEN/NOTIFY, for all servers on one database. Events sent while the link is down are lost;
 * when it is back, listeners receive `{ kind: 'resync' }` and load again.
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
