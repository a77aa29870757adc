import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type pg from 'pg';
import type { Config } from '../config.ts';
import type { Db } from '../db/connection.ts';
import type { AuditReads } from './audit-reads.ts';
import type { Clock } from '../platform/clock.ts';
import type { Events } from '../platform/events.ts';
import type { Link } from '../platform/link.ts';
import type { Room } from '../platform/room.ts';
import type { Servers } from '../platform/servers.ts';
import type { WallClock } from '../platform/wall-clock.ts';
import type { Seal } from './seal.ts';
import type { Tokens } from './tokens.ts';

/** The Fastify application, with zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/**
 * The dependencies that every feature's routes receive. Services and queries receive only what they need (`db`, a time,
 * an account).
 */
export interface Deps {
  readonly config: Config;
  readonly db: Db;
  /** Connections for reads. */
  readonly pool: pg.Pool;
  /** Connections for transactions that write. */
  readonly writes: pg.Pool;
  /** Whether the database can be reached, as far as the server knows. */
  readonly link: Pick<Link, 'state' | 'onState'>;
  /** Whether the database accepts writes and, if not, why. */
  readonly room: Pick<Room, 'none' | 'note'>;
  /** The clinic's current time: the machine's clock, or the clock that `CLOCK` sets. */
  readonly clock: Clock;
  /** The current time by a location's clock. */
  readonly wallOf: WallClock;
  /** The clock of sessions, tokens and the audit trail: the same as `clock`, unless a test sets it separately. */
  readonly accessClock: Clock;
  readonly events: Events;
  /**
   * Records in the audit trail who read what: `addRoute` for every endpoint that declares a read. Use cases that write
   * call `audit` in their transaction instead.
   */
  readonly auditReads: AuditReads;
  readonly tokens: Tokens;
  /** Encrypts the small secrets that the database keeps. */
  readonly seal: Seal;
  /** The servers on this database. */
  readonly servers: Servers;
}

/** A feature's exported function that registers its routes on `app`. */
export type Routes = (app: App, deps: Deps) => void | Promise<void>;
