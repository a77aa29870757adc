import { EventEmitter } from 'node:events';
import type { ClinicEvent } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';
import type { Link } from './link.ts';

/**
 * A message between server processes: an event for open pages (never with a name in it), the end of a session, or a
 * change in an account's rights.
 */
export type ServerEvent =
  | ClinicEvent
  | { readonly kind: 'session-ended'; readonly session: string }
  | { readonly kind: 'account-ended' | 'account-changed'; readonly account: string };

/** Delivers the events that any process on the same database publishes, including this process. */
export interface Events {
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: ServerEvent) => void): () => void;
  close(): Promise<void>;
}

export const CHANNEL = 'clinic_events';

/** PostgreSQL allows fewer than 8,000 bytes per notification. */
const MOST_BYTES = 7500;

/**
 * Sends an event to every process. In a transaction, the event is sent with the commit or not at all. If its dates do
 * not fit into one notification, the list of dates is sent empty, which means any date.
 */
export async function publishEvent(db: Db, event: ServerEvent): Promise<void> {
  const whole = JSON.stringify(event);
  const sent = Buffer.byteLength(whole) > MOST_BYTES ? JSON.stringify({ ...event, dates: [] }) : whole;
  await sql`select pg_notify(${CHANNEL}, ${sent})`.execute(db);
}

/** Publishes one event for each location. Each event has the dates whose appointments changed there. */
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
 * Sends and receives events through PostgreSQL's LISTEN/NOTIFY, for all servers on one database. Events are lost while
 * the connection is down. Once the connection is back, listeners get a `resync` event and reload everything.
 */
export function openEvents(link: Link): Events {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  link.onNotification((payload) => emitter.emit('event', JSON.parse(payload) as ServerEvent));
  link.onHealed(() => emitter.emit('event', { kind: 'resync', dates: [] } satisfies ClinicEvent));
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
