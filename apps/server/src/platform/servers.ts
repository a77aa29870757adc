import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Db } from '../db/connection.ts';
import { isoAt, type Clock } from './clock.ts';
import type { Way } from './sending/sender.ts';

const BEAT_MS = 20_000;
/** A server that was seen within this time is running. */
const RUNS_MS = 3 * BEAT_MS;
/**
 * A server that was seen within this time may come back, for example after a restart; until then, messages that only it
 * can send wait for it. No message waits longer (`GIVE_UP_MS` in the outbox).
 */
const COMES_BACK_MS = 24 * 3_600_000;

/** The servers on this database, as one of them sees them. */
export interface Servers {
  /** Where this server runs: the same after a restart. */
  readonly place: string;
  /** The settings in which the running servers differ, by their names in the environment. */
  unequal(): readonly string[];
  /** Begins to announce this server to the others. Returns a function that ends it. */
  begin(onChange: (unequal: readonly string[]) => void): Promise<() => void>;
}

export function makeServers(db: Db, config: Config, clock: Clock): Servers {
  // On a port that the system chooses, nothing but the process tells servers apart.
  const place = `${hostname()} ${config.host}:${config.port === 0 ? `(${process.pid})` : config.port}`;
  let unequal: readonly string[] = [];
  return {
    place,
    unequal: () => unequal,
    async begin(onChange) {
      const beat = async (): Promise<void> => {
        const now = clock.now();
        await announce(db, { place, ways: waysOf(config), settings: hashesOf(config), now });
        const found = await differences(db, place, now);
        const changed = found.join() !== unequal.join();
        unequal = found;
        if (changed) onChange(found);
      };
      await beat();
      // While the database is away, no other server can be seen either.
      const timer = setInterval(() => void beat().catch(() => undefined), BEAT_MS).unref();
      return () => clearInterval(timer);
    },
  };
}

interface Announced {
  readonly place: string;
  readonly ways: readonly Way[];
  readonly settings: Readonly<Record<string, string>>;
  readonly now: number;
}

async function announce(db: Db, { place, ways, settings, now }: Announced): Promise<void> {
  const row = { ways: [...ways], settings: JSON.stringify(settings), seen_at: isoAt(now) };
  await db
    .insertInto('server')
    .values({ place, ...row })
    .onConflict((c) => c.column('place').doUpdateSet(row))
    .execute();
  await db
    .deleteFrom('server')
    .where('seen_at', '<', isoAt(now - COMES_BACK_MS))
    .execute();
}

/** The settings that differ between this server and another one that is running. */
async function differences(db: Db, place: string, now: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name
    from server mine, server other, jsonb_object_keys(mine.settings || other.settings) name
    where mine.place = ${place} and other.place <> ${place} and other.seen_at > ${isoAt(now - RUNS_MS)}::timestamptz
      and mine.settings -> name is distinct from other.settings -> name
    order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** The ways in which other servers can send messages, among them servers that may be restarting. */
export async function waysElsewhere(db: Db, place: string, now: number): Promise<ReadonlySet<Way>> {
  const { rows } = await sql<{ way: Way }>`
    select distinct unnest(ways) as way from server
    where place <> ${place} and seen_at > ${isoAt(now - COMES_BACK_MS)}::timestamptz`.execute(db);
  return new Set(rows.map(({ way }) => way));
}

function waysOf({ smtpUrl, textWebhookUrl }: Config): Way[] {
  return [
    ...(smtpUrl === undefined ? [] : ['email' as const]),
    ...(textWebhookUrl === undefined ? [] : ['text' as const]),
  ];
}

/** The settings that must be the same on every server of a clinic, hashed; a setting without a value is left out. */
function hashesOf(config: Config): Record<string, string> {
  const same: Readonly<Record<string, unknown>> = {
    ADMIN_CLIENT_NAME: config.adminClientName,
    DEMO: config.demo,
    EMBED_ORIGINS: config.embedOrigins.toSorted(),
    FEED_NAMES: config.feedNames,
    IDLE_MINUTES: config.idleMinutes,
    MAIL_FROM: config.mailFrom,
    OIDC_CLIENT_ID: config.oidc?.clientId,
    OIDC_ISSUER: config.oidc?.issuer,
    OIDC_ROLES: config.oidc?.roles ?? undefined,
    OIDC_ROLE_CLAIM: config.oidc?.roleClaim,
    PASSWORD_LOGIN: config.passwordLogin,
    PUBLIC_URL: config.publicUrl,
    RATE_LIMIT: config.rateLimit,
    SCIM_TOKEN: config.scimToken,
    SECOND_FACTOR: config.secondFactor,
    SESSION_HOURS: config.sessionHours,
    // A password that is easy to guess must not be found from its hash.
    SMTP_URL: config.smtpUrl?.replace(/(?<=:\/\/[^:@]*):[^@]*(?=@)/, ''),
    TEXT_WEBHOOK_SECRET: config.textWebhookSecret,
    TEXT_WEBHOOK_URL: config.textWebhookUrl,
    TOKEN_KEY: config.tokenKey,
    TOKEN_MINUTES: config.tokenMinutes,
  };
  const hashed = Object.entries(same).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, hashOf(name, value)] as const],
  );
  return Object.fromEntries(hashed);
}

const hashOf = (name: string, value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([name, value]))
    .digest('base64url')
    .slice(0, 22);
