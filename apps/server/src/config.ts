import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { StartError } from './start-error.ts';

/** Every setting, parsed once at the start. What each means is in `docs/operations.md`. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** HOST is reachable only from this machine. */
  readonly loopback: boolean;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly demo: boolean;
  readonly adminClientName: string;
  readonly tokenMinutes: number;
  readonly idleMinutes: number;
  readonly sessionHours: number;
  readonly solverSeconds: number;
  /** Threads that work out options. */
  readonly solverWorkers: number;
  readonly logLevel: LogLevel;
  /** The signing key of the tokens, at least 32 bytes; undefined: the one kept in the database. */
  readonly tokenKey: string | undefined;
  readonly embedOrigins: readonly string[];
  readonly trustProxy: boolean | string;
  /** The address that people use, without a path; undefined: the one it listens on. */
  readonly publicUrl: string | undefined;
  /** How long a stop that SIGTERM asks for goes on serving, so that a proxy can take the server out. */
  readonly drainSeconds: number;
  /** Most connections to the database that this process's requests use. */
  readonly databaseConnections: number;
  /** Every rate limit is multiplied by it. */
  readonly rateLimit: number;
  /** The instant that counts as now, ISO 8601 in UTC; undefined: the machine's clock. */
  readonly clock: string | undefined;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from environment variables; an empty one counts as absent.
 * Throws a StartError, one line that names the setting, what was found and what is allowed. A variable that
 * differs from a setting's name by a letter or two is refused too: it is a typo that would be silently ignored.
 */
export function loadConfig(env: Environment): Config {
  refuseMisspelled(env);
  const host = text(env, 'HOST', '127.0.0.1');
  if (!/^[\w.:-]+$/.test(host)) refuse('HOST', host, 'a host name or an address, for example 127.0.0.1 or 0.0.0.0');
  const loopback = isLoopback(host);
  const clock = optional(env, 'CLOCK', instant);
  if (clock !== undefined && !loopback)
    throw new StartError(`CLOCK is for tests on this machine alone; HOST is ${host}.`);
  const proxies = trustProxy(env);
  const publicUrl = optional(env, 'PUBLIC_URL', webAddress);
  const config: Config = {
    port: number(env, 'PORT', 3000, 0, 65_535),
    host,
    loopback,
    dataDir: resolve(text(env, 'DATA_DIR', './data')),
    databaseUrl: optional(env, 'DATABASE_URL', databaseUrl),
    demo: oneOf(env, 'DEMO', 'on', ['on', 'off']) === 'on',
    adminClientName: text(env, 'ADMIN_CLIENT_NAME', 'Admin'),
    tokenMinutes: number(env, 'TOKEN_MINUTES', 15, 1, 1440),
    idleMinutes: number(env, 'IDLE_MINUTES', 30, 1, 1440),
    sessionHours: number(env, 'SESSION_HOURS', 12, 1, 168),
    solverSeconds: number(env, 'SOLVER_SECONDS', 5, 1, 120),
    solverWorkers: number(env, 'SOLVER_WORKERS', availableParallelism(), 1, 64),
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', LOG_LEVELS),
    tokenKey: optional(env, 'TOKEN_KEY', tokenKey),
    embedOrigins: list(env, 'EMBED_ORIGINS').map(origin),
    trustProxy: proxies,
    publicUrl,
    // Health checks need their time; a server only for this machine has none.
    drainSeconds: number(env, 'DRAIN_SECONDS', loopback && proxies === false ? 0 : 8, 0, 300),
    databaseConnections: number(env, 'DATABASE_CONNECTIONS', 20, 4, 200),
    rateLimit: number(env, 'RATE_LIMIT', 1, 0.01, 1_000_000, false),
    clock,
  };
  return config;
}

/** Whether a host is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function refuse(name: string, value: string, allowed: string): never {
  throw new StartError(`${name} is '${value}'; it must be ${allowed}.`);
}

function text(env: Environment, name: SettingName, fallback: string): string {
  return env[name]?.trim() || fallback;
}

function optional<T>(env: Environment, name: SettingName, parse: (value: string, name: string) => T): T | undefined {
  const value = env[name]?.trim();
  return value ? parse(value, name) : undefined;
}

function number(
  env: Environment,
  name: SettingName,
  fallback: number,
  least: number,
  most: number,
  whole = true,
): number {
  const value = env[name]?.trim();
  if (!value) return fallback;
  const parsed = Number(value);
  const plain = whole ? /^\d+$/.test(value) : /^\d*\.?\d+$/.test(value);
  if (!plain || parsed < least || parsed > most) {
    refuse(name, value, `a ${whole ? 'whole ' : ''}number from ${least} to ${most}`);
  }
  return parsed;
}

function oneOf<T extends string>(env: Environment, name: SettingName, fallback: T, allowed: readonly T[]): T {
  const value = env[name]?.trim() || fallback;
  return allowed.find((each) => each === value) ?? refuse(name, value, `one of ${allowed.join(', ')}`);
}

function list(env: Environment, name: SettingName): string[] {
  return (env[name] ?? '')
    .split(/[\s,]+/)
    .map((each) => each.trim())
    .filter(Boolean);
}

function instant(value: string, name: string): string {
  const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;
  const time = shape.test(value) ? new Date(value) : undefined;
  const day = new Date(`${value.slice(0, 10)}T00:00:00Z`);
  if (
    !time ||
    Number.isNaN(time.getTime()) ||
    Number.isNaN(day.getTime()) ||
    day.toISOString().slice(0, 10) !== value.slice(0, 10)
  ) {
    refuse(name, value, 'an instant such as 2026-11-20T12:00:00Z');
  }
  return time.toISOString();
}

function databaseUrl(value: string, name: string): string {
  const urls = hostUrls(value).map((each) => (URL.canParse(each) ? new URL(each) : undefined));
  const [url] = urls;
  // The value is not repeated, since it may hold a password.
  if (!url || !urls.every((each) => each && /^postgres(ql)?:$/.test(each.protocol) && each.pathname.length > 1)) {
    throw new StartError(`${name} must look like postgres://user:password@host:5432/database.`);
  }
  // Both accept certificates without checking them, sometimes silently.
  if (/[?&]([^&]*=no-verify|uselibpqcompat=)/i.test(url.search))
    throw new StartError(
      `${name} would take any server for the database (no-verify, uselibpqcompat): use sslmode=verify-full, with sslrootcert=FILE for a certificate authority of your own.`,
    );
  return value;
}

/** One address for each host of `postgres://user:password@one:5432,two:5432/database`. */
export function hostUrls(url: string): string[] {
  const parts = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*,[^/?#]*)([/?#].*)$/i.exec(url);
  if (!parts) return [url];
  const [, before = '', hosts = '', after = ''] = parts;
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}

function tokenKey(value: string, name: string): string {
  if (Buffer.byteLength(value) < 32) throw new StartError(`${name} is too short: at least 32 characters, random.`);
  return value;
}

function isOrigin(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === value;
}

function origin(value: string): string {
  if (isOrigin(value)) return value;
  return refuse('EMBED_ORIGINS', value, 'origins such as https://intranet.example, separated by spaces');
}

function webAddress(value: string, name: string): string {
  const address = value.replace(/\/$/, '');
  if (isOrigin(address)) return address;
  return refuse(name, value, 'an address without a path, such as https://schedule.clinic.example');
}

function trustProxy(env: Environment): boolean | string {
  const value = text(env, 'TRUST_PROXY', 'off');
  if (value === 'off') return false;
  if (value === 'on') return true;
  const addresses = value.split(',').map((each) => each.trim());
  if (addresses.every((each) => /^(loopback|linklocal|uniquelocal|[\da-fA-F.:]+(\/\d{1,3})?)$/.test(each)))
    return addresses.join(',');
  return refuse('TRUST_PROXY', value, 'off, on, or the addresses of the proxies');
}

const SETTINGS = [
  'PORT',
  'HOST',
  'DATA_DIR',
  'DATABASE_URL',
  'DEMO',
  'ADMIN_CLIENT_NAME',
  'TOKEN_MINUTES',
  'IDLE_MINUTES',
  'SESSION_HOURS',
  'SOLVER_SECONDS',
  'SOLVER_WORKERS',
  'LOG_LEVEL',
  'TOKEN_KEY',
  'EMBED_ORIGINS',
  'TRUST_PROXY',
  'PUBLIC_URL',
  'DRAIN_SECONDS',
  'DATABASE_CONNECTIONS',
  'RATE_LIMIT',
  'CLOCK',
] as const;
type SettingName = (typeof SETTINGS)[number];

function refuseMisspelled(env: Environment): void {
  const known = new Set<string>(SETTINGS);
  for (const name of Object.keys(env)) {
    if (known.has(name) || !env[name]) continue;
    // Short names (PORT, HOST, DEMO) resemble too many unrelated ones.
    const meant = SETTINGS.find((each) => each.length >= 8 && distance(name, each) <= (each.length >= 10 ? 2 : 1));
    if (meant) throw new StartError(`Unknown setting ${name}; did you mean ${meant}?`);
  }
}

/** Levenshtein distance; at most a few dozen letters. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitute));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
