import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { BoundedClient } from '../db/bounded-client.ts';
import type { OpenDatabase } from '../db/connection.ts';

/**
 * The state of the database: `lost` when it does not respond; `read-only` when it is a standby or was made read-only.
 */
export type DatabaseState = 'ok' | 'read-only' | 'lost';

/** A connection that the process keeps open to listen for notifications. It also shows the state of the database. */
export interface Link {
  readonly state: () => DatabaseState;
  /** @returns a function that ends the subscription */
  onState(listener: (state: DatabaseState) => void): () => void;
  onNotification(listener: (payload: string) => void): () => void;
  /** Called once a broken connection has been restored, because notifications may have been missed. */
  onHealed(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface LinkOptions {
  readonly channel: string;
  /** Milliseconds between two heartbeats. */
  readonly beatMs?: number;
  /** How many milliseconds a heartbeat, or a new connection, may take. */
  readonly patienceMs?: number;
  /** How many milliseconds a statement may wait for its reply while there is no link. */
  readonly replyMs?: number;
}

const AGAIN_MS = 500;

type LinkedDatabase = Pick<OpenDatabase, 'connect' | 'chooseHost' | 'waiting'>;

interface ConnectionSettings extends Omit<Required<LinkOptions>, 'beatMs' | 'replyMs'> {
  /** Aborted when the link is closed. */
  readonly ending: AbortSignal;
  readonly onPayload: (payload: string) => void;
  /** Called when a connection has ended. */
  readonly onEnd: () => void;
}

/**
 * Opens the link and keeps it open. When a heartbeat gets no reply, for example because of a power cut or a broken
 * cable, the connection counts as closed: with the default times, a loss is noticed within 9 seconds. The link then
 * reconnects as soon as it can. Rejects if the first connection fails.
 */
export async function openLink(
  database: LinkedDatabase,
  { channel, beatMs = 4000, patienceMs = 5000, replyMs = 10_000 }: LinkOptions,
): Promise<Link> {
  const emitter = new EventEmitter().setMaxListeners(0);
  const ending = new AbortController();
  let state: DatabaseState = 'ok';
  let wake = (): void => {};
  const connection = makeConnection(database, {
    channel,
    patienceMs,
    ending: ending.signal,
    onPayload: (payload) => emitter.emit('notification', payload),
    onEnd: () => wake(),
  });

  const isClosed = (): boolean => ending.signal.aborted;

  function become(next: DatabaseState): void {
    if (next === state) return;
    state = next;
    emitter.emit('state', next);
  }

  async function step(): Promise<void> {
    if (connection.isOpen()) return become(await connection.beat());
    if (state !== 'ok') await database.chooseHost();
    await connection.open();
    become(await connection.beat());
    emitter.emit('healed');
  }

  async function keep(): Promise<void> {
    while (!isClosed()) {
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const pause = connection.isOpen() ? beatMs : AGAIN_MS;
      await Promise.race([woken, delay(pause, undefined, { signal: ending.signal }).catch(() => {})]);
      if (isClosed()) return;
      await step().catch(() => {
        if (!isClosed()) become('lost');
        // Without a link, the server cannot find out which statements the database is running, so any connection that
        // has waited too long for a reply counts as lost too.
        if (!connection.isOpen())
          for (const each of database.waiting(replyMs)) each.cut('the connection to the database was lost');
      });
      // A standby may have been promoted meanwhile, or another host may accept writes.
      if (state === 'read-only') await database.chooseHost().catch(() => {});
    }
  }

  await connection.open();
  become(await connection.beat());
  const kept = keep();
  return {
    state: () => state,
    onState: (listener) => subscribe(emitter, 'state', listener),
    onNotification: (listener) => subscribe(emitter, 'notification', listener),
    onHealed: (listener) => subscribe(emitter, 'healed', listener),
    async close() {
      ending.abort();
      emitter.removeAllListeners();
      wake();
      connection.cut('closed');
      await Promise.race([kept, delay(1000, undefined, { ref: false })]);
    },
  };
}

/** Adds a listener; returns a function that removes it. */
function subscribe(emitter: EventEmitter, name: string, listener: (...args: never[]) => void): () => void {
  emitter.on(name, listener as (...args: unknown[]) => void);
  return () => void emitter.off(name, listener as (...args: unknown[]) => void);
}

/** The link's connection. When it is lost, `open` opens another. */
function makeConnection(
  database: LinkedDatabase,
  { channel, patienceMs, ending, onPayload, onEnd }: ConnectionSettings,
) {
  let client: BoundedClient | undefined;
  return {
    isOpen: () => client !== undefined,
    cut: (why: string) => client?.cut(why),

    /** Connects and listens to the channel. */
    async open(): Promise<void> {
      const next = await inTime(database.connect(), patienceMs, (late) => cut('too late', late));
      next.on('notification', (message) => {
        if (message.channel === channel && message.payload) onPayload(message.payload);
      });
      next.once('end', () => {
        if (client === next) client = undefined;
        onEnd();
      });
      try {
        await inTime(next.query(`LISTEN ${channel}`), patienceMs);
        if (ending.aborted) throw new Error('closed');
      } catch (error) {
        next.cut('it could not listen');
        throw error;
      }
      client = next;
    },

    /** Sends a heartbeat. Without a reply, the connection is closed. */
    async beat(): Promise<DatabaseState> {
      const asked = client;
      if (!asked) throw new Error('no connection');
      try {
        const reply = asked.query<{ read_only: boolean }>(BEAT);
        const [row] = (await inTime(reply, patienceMs)).rows;
        return (row?.read_only ?? true) ? 'read-only' : 'ok';
      } catch (error) {
        asked.cut('no reply to a heartbeat');
        if (client === asked) client = undefined;
        throw error;
      }
    },
  };
}

const BEAT = "select current_setting('transaction_read_only') = 'on' as read_only";

function cut(why: string, opening: Promise<BoundedClient>): void {
  opening.then((client) => client.cut(why)).catch(() => {});
}

/** Rejects if `work` takes longer than `ms`; `afterwards` then gets the promise of the late result. */
async function inTime<T>(work: Promise<T>, ms: number, afterwards?: (late: Promise<T>) => void): Promise<T> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      work,
      delay(ms, undefined, { signal: timer.signal }).then(() => {
        // First read the data that has already arrived: the process may have been stalled.
        return new Promise<never>((_, reject) => setImmediate(() => reject(new Error('no reply in time'))));
      }),
    ]);
  } catch (error) {
    work.catch(() => {});
    afterwards?.(work);
    throw error;
  } finally {
    timer.abort();
  }
}
