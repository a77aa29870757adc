import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { editDistance, isEmailAddress, parseTime } from '@clinic/domain';
import * as z from 'zod/mini';
import { parseRoleMapping } from './role-mapping.ts';
import { StartError } from './start-error.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Issue = Parameters<z.core.$ZodErrorMap>[0];
const nameOf = (issue: Issue): string => String(issue.path?.[0]);

/** The sentence that refuses a setting: the setting's name, its value and what is allowed. */
const mustBe = (allowed: string) => (issue: Issue) =>
  `${nameOf(issue)} is '${String(issue.input)}'; it must be ${allowed}.`;

const text = (isAllowed: (value: string) => boolean, allowed: string) =>
  z.string().check(z.refine(isAllowed, { error: mustBe(allowed) }));

function number(least: number, most: number, { whole = true } = {}) {
  const shape = whole ? /^\d+$/ : /^\d*\.?\d+$/;
  const isAllowed = (value: string): boolean => shape.test(value) && Number(value) >= least && Number(value) <= most;
  return z.pipe(
    text(isAllowed, `a ${whole ? 'whole ' : ''}number from ${least} to ${most}`),
    z.transform((value: string) => Number(value)),
  );
}

const oneOf = <const T extends readonly string[]>(allowed: T) =>
  z.enum(allowed, { error: mustBe(`one of ${allowed.join(', ')}`) });

function isInstant(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(value)) return false;
  const day = new Date(`${value.slice(0, 10)}T00:00:00Z`);
  const dayExists = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value.slice(0, 10));
  return dayExists && !Number.isNaN(new Date(value).getTime());
}

function isDatabaseUrl(value: string): boolean {
  return hostUrls(value).every((each) => {
    const url = URL.parse(each);
    return url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1;
  });
}

/**
 * Whether a URL contains `no-verify` or `uselibpqcompat`, which accept certificates without checking them, sometimes
 * silently.
 */
const skipsCertificates = (value: string): boolean =>
  /[?&]([^&]*=no-verify|uselibpqcompat=)/i.test(URL.parse(hostUrls(value)[0] ?? '')?.search ?? '');

const isHttpUrl = (value: string): boolean => /^https?:$/.test(URL.parse(value)?.protocol ?? '');

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === value;
}

const isTrustProxy = (value: string): boolean =>
  /^(on|off)$/.test(value) ||
  value.split(',').every((each) => /^(loopback|linklocal|uniquelocal|[\da-fA-F.:]+(\/\d{1,3})?)$/.test(each.trim()));

function trustProxyOf(value: string): boolean | string {
  if (value === 'on' || value === 'off') return value === 'on';
  return value
    .split(',')
    .map((each) => each.trim())
    .join(',');
}

const withoutSlash = (value: string): string => value.replace(/\/$/, '');

/** A URL with one of these protocols; plain HTTP is allowed only to this machine. */
const secretUrl = (protocols: readonly string[], example: string) =>
  z.string().check(
    z.refine(
      (value) => {
        if (!URL.canParse(value)) return false;
        const { protocol, hostname } = new URL(value);
        return protocols.includes(protocol) && hostname !== '' && (protocol !== 'http:' || isLoopback(hostname));
      },
      { error: (issue) => `${nameOf(issue)} must look like ${example}.` },
    ),
  );

/** Whether an issuer of Microsoft Entra stands for every tenant. */
const isOfEveryTenant = (value: string): boolean =>
  /^https:\/\/[^/]*\b(microsoftonline|windows)\b[^/]*\/(common|organizations|consumers)(\/|$)/i.test(value);

/** A secret; the refusal does not show it. */
const longSecret = z.string().check(
  z.refine((value) => Buffer.byteLength(value) >= 32, {
    error: (issue) => `${nameOf(issue)} is too short: it needs at least 32 random characters.`,
  }),
);

/** Every setting as an environment variable. `docs/operations.md` explains each. */
const SETTINGS = z.object({
  PORT: z._default(number(0, 65_535), 3000),
  HOST: z._default(
    text((value) => /^[\w.:-]+$/.test(value), 'a host name or an address, for example 127.0.0.1 or 0.0.0.0'),
    '127.0.0.1',
  ),
  DATA_DIR: z._default(z.string(), './data'),
  // The next two refusals do not show the value: it is secret or may contain a password.
  DATABASE_URL: z.optional(
    z.string().check(
      z.refine(isDatabaseUrl, {
        error: (issue) => `${nameOf(issue)} must look like postgres://user:password@host:5432/database.`,
        abort: true,
      }),
      z.refine((value) => !skipsCertificates(value), {
        error: (issue) =>
          `${nameOf(issue)} would accept any server as the database (no-verify, uselibpqcompat): use sslmode=verify-full, with sslrootcert=FILE for a certificate authority of your own.`,
      }),
    ),
  ),
  TOKEN_KEY: z.optional(longSecret),
  DEMO: z.optional(oneOf(['on', 'off'])),
  ADMIN_CLIENT_NAME: z._default(z.string(), 'Admin'),
  TOKEN_MINUTES: z._default(number(1, 1440), 15),
  IDLE_MINUTES: z._default(number(1, 1440), 30),
  SESSION_HOURS: z._default(number(1, 168), 12),
  SOLVER_SECONDS: z._default(number(1, 120), 5),
  SOLVER_WORKERS: z._default(number(1, 64), availableParallelism),
  SOLVER_WARM_UP: z._default(oneOf(['on', 'off']), 'on'),
  LOG_LEVEL: z._default(oneOf(LOG_LEVELS), 'info'),
  EMBED_ORIGINS: z._default(
    z.pipe(
      z.transform((value: string) => value.split(/[\s,]+/).filter(Boolean)),
      z.array(text(isOrigin, 'origins such as https://intranet.example, separated by spaces')),
    ),
    [],
  ),
  TRUST_PROXY: z._default(
    z.pipe(text(isTrustProxy, 'off, on, or the addresses of the proxies'), z.transform(trustProxyOf)),
    false,
  ),
  PUBLIC_URL: z.optional(
    z.pipe(
      text(
        (value) => isOrigin(withoutSlash(value)),
        'an address without a path, such as https://schedule.clinic.example',
      ),
      z.transform(withoutSlash),
    ),
  ),
  // The refusals below do not show the value either, since it may contain a password.
  SMTP_URL: z.optional(secretUrl(['smtp:', 'smtps:'], 'smtp://user:password@host:587')),
  MAIL_FROM: z.optional(text(isEmailAddress, 'an email address')),
  TEXT_WEBHOOK_URL: z.optional(secretUrl(['https:', 'http:'], 'https://gateway.example/messages')),
  TEXT_WEBHOOK_SECRET: z.optional(longSecret),
  OIDC_ISSUER: z.optional(
    secretUrl(['https:', 'http:'], 'https://login.clinic.example/realms/clinic').check(
      z.refine((value) => !isOfEveryTenant(value), {
        error: 'OIDC_ISSUER would let in accounts of every organization: name your own tenant, by its id.',
      }),
    ),
  ),
  OIDC_CLIENT_ID: z.optional(z.string()),
  OIDC_CLIENT_SECRET: z.optional(z.string()),
  OIDC_ROLE_CLAIM: z._default(z.string(), 'roles'),
  OIDC_ROLES: z.optional(
    z.pipe(
      text(
        (value) => parseRoleMapping(value) !== null,
        'groups and roles such as clinic-admins=admin,desk=scheduler@tampa',
      ),
      z.transform((value: string) => parseRoleMapping(value) ?? []),
    ),
  ),
  SECOND_FACTOR: z._default(oneOf(['off', 'admins', 'staff', 'all']), 'off'),
  PASSWORD_LOGIN: z._default(oneOf(['on', 'admins-only']), 'on'),
  SCIM_TOKEN: z.optional(longSecret),
  /** The folder whose files are imported every day, from the minute of the day in IMPORT_AT; if undefined, none is. */
  IMPORT_FOLDER: z.optional(
    z.pipe(
      z.string(),
      z.transform((value: string) => resolve(value)),
    ),
  ),
  IMPORT_AT: z._default(
    z.pipe(
      text((value) => parseTime(value) !== null, 'a time of day such as 03:00'),
      z.transform((value: string) => parseTime(value) ?? 0),
    ),
    180,
  ),
  METRICS_TOKEN: z.optional(longSecret),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(text(isHttpUrl, 'an address such as https://collector.example:4318')),
  FEED_NAMES: z._default(oneOf(['off', 'initials', 'names']), 'off'),
  DRAIN_SECONDS: z.optional(number(0, 300)),
  DATABASE_CONNECTIONS: z._default(number(4, 200), 20),
  RATE_LIMIT: z._default(number(0.01, 1_000_000, { whole: false }), 1),
  CLOCK: z.optional(
    z.pipe(
      text(isInstant, 'a date and time such as 2026-11-20T12:00:00Z'),
      z.transform((value: string) => new Date(value).toISOString()),
    ),
  ),
});

type Environment = Readonly<Record<string, string | undefined>>;

/** All settings, parsed once when the server starts. */
export type Config = Readonly<ReturnType<typeof loadConfig>>;

/**
 * Reads the settings from environment variables; an empty variable counts as not set. Throws a StartError with one
 * line: the setting's name, its value and what is allowed. Also throws for a variable whose name is a letter or two
 * away from a setting's name, or differs from it in case, because such a typo would otherwise be ignored silently.
 */
export function loadConfig(env: Environment) {
  refuseMisspelled(env);
  const read = SETTINGS.safeParse(settingsIn(env));
  if (!read.success) throw new StartError(read.error.issues[0]?.message ?? 'A setting cannot be read.');
  const given = read.data;
  const loopback = isLoopback(given.HOST);
  if (given.CLOCK !== undefined && !loopback)
    throw new StartError(`CLOCK is only for tests on this machine; HOST is ${given.HOST}.`);
  if ((given.SMTP_URL === undefined) !== (given.MAIL_FROM === undefined))
    throw new StartError('SMTP_URL and MAIL_FROM belong together: set both, or neither.');
  if ((given.TEXT_WEBHOOK_URL === undefined) !== (given.TEXT_WEBHOOK_SECRET === undefined))
    throw new StartError('TEXT_WEBHOOK_URL and TEXT_WEBHOOK_SECRET belong together: set both, or neither.');
  refuseHalfSignOn(given);
  return {
    port: given.PORT,
    host: given.HOST,
    /** Whether HOST is reachable only from this machine. */
    loopback,
    dataDir: resolve(given.DATA_DIR),
    databaseUrl: given.DATABASE_URL,
    /** Whether an empty database gets the demo clinic, and whether its accounts can log in. */
    demo: given.DEMO === undefined ? given.DATABASE_URL === undefined : given.DEMO === 'on',
    adminClientName: given.ADMIN_CLIENT_NAME,
    tokenMinutes: given.TOKEN_MINUTES,
    idleMinutes: given.IDLE_MINUTES,
    sessionHours: given.SESSION_HOURS,
    solverSeconds: given.SOLVER_SECONDS,
    /** How many threads compute options. */
    solverWorkers: given.SOLVER_WORKERS,
    /** Whether these threads start with the server, or else with the first problem. */
    solverWarmUp: given.SOLVER_WARM_UP === 'on',
    logLevel: given.LOG_LEVEL,
    /** The key that signs tokens; if undefined, the key stored in the database is used. */
    tokenKey: given.TOKEN_KEY,
    embedOrigins: given.EMBED_ORIGINS,
    trustProxy: given.TRUST_PROXY,
    /**
     * The URL at which users reach the server, without a path; if undefined, the address that the server listens on.
     */
    publicUrl: given.PUBLIC_URL,
    /**
     * How many seconds the server keeps serving after SIGTERM, so that a proxy can notice the shutdown by its health
     * checks and stop sending requests. Zero for a server that only this machine can reach.
     */
    drainSeconds: given.DRAIN_SECONDS ?? (loopback && given.TRUST_PROXY === false ? 0 : 8),
    /** The mail server's URL, and the sender address of emails; if undefined, no email is sent. */
    smtpUrl: given.SMTP_URL,
    mailFrom: given.MAIL_FROM,
    /**
     * The gateway for text messages, and the secret that signs requests to it; if undefined, no text messages are sent.
     */
    textWebhookUrl: given.TEXT_WEBHOOK_URL,
    textWebhookSecret: given.TEXT_WEBHOOK_SECRET,
    /** The clinic's sign-on by OpenID Connect; undefined if people log in here only. */
    oidc: signOnOf(given),
    /** Whether everyone may log in with a password or a passkey, or only administrators. */
    passwordLogin: given.PASSWORD_LOGIN,
    /** Who must have a second factor beside a password; staff are all but therapists. */
    secondFactor: given.SECOND_FACTOR,
    /** With this token, the clinic's directory provisions accounts (SCIM); if undefined, nothing does. */
    scimToken: given.SCIM_TOKEN,
    importFolder: given.IMPORT_FOLDER,
    importAt: given.IMPORT_AT,
    /** With this token, another machine may read the metrics; if undefined, only this machine and administrators may. */
    metricsToken: given.METRICS_TOKEN,
    /** The OpenTelemetry collector that gets traces; if undefined, none are made. */
    traceEndpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
    /** What therapists' calendars say of clients to other programs. */
    feedNames: given.FEED_NAMES,
    /** The maximum number of database connections for this process's requests. */
    databaseConnections: given.DATABASE_CONNECTIONS,
    /** The factor that multiplies every rate limit. */
    rateLimit: given.RATE_LIMIT,
    /**
     * The time at which the clinic's clock starts, as ISO 8601 in UTC; if undefined, the clinic uses the machine's
     * clock.
     */
    clock: given.CLOCK,
  };
}

/** Refuses sign-on settings of which one needs another. */
function refuseHalfSignOn(given: z.output<typeof SETTINGS>): void {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, PUBLIC_URL } = given;
  const together = [OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET];
  if (together.some((each) => each === undefined) && together.some((each) => each !== undefined))
    throw new StartError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all, or none.');
  if (OIDC_ISSUER === undefined) {
    if (given.PASSWORD_LOGIN === 'admins-only')
      throw new StartError('PASSWORD_LOGIN=admins-only needs OIDC_ISSUER: without it, nobody else could log in.');
    return;
  }
  if (PUBLIC_URL === undefined)
    throw new StartError('OIDC_ISSUER needs PUBLIC_URL: the address to which people come back from the sign-on.');
  if (!PUBLIC_URL.startsWith('https:') && !isLoopback(new URL(PUBLIC_URL).hostname))
    throw new StartError('OIDC_ISSUER needs a PUBLIC_URL with https.');
}

function signOnOf(given: z.output<typeof SETTINGS>) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = given;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  // Without a mapping (null), an account keeps the role that an administrator gave it.
  return { issuer, clientId, clientSecret, roleClaim: given.OIDC_ROLE_CLAIM, roles: given.OIDC_ROLES ?? null };
}

/** The variables that have a value, with surrounding spaces removed. */
function settingsIn(env: Environment): Record<string, string> {
  const trimmed = Object.entries(env).map(([name, value]) => [name, value?.trim() ?? ''] as const);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
}

/** Whether a host is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Splits `postgres://user:password@one:5432,two:5432/database` into one URL for each host. */
export function hostUrls(url: string): string[] {
  const parts = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*,[^/?#]*)([/?#].*)$/i.exec(url);
  if (!parts) return [url];
  const [, before = '', hosts = '', after = ''] = parts;
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}

/** Names that are a letter away from a setting's, but are words of their own or variables of other programs. */
const OTHER_NAMES: ReadonlySet<string> = new Set(
  'BLOCK COST DENO FLOCK LOCK LOST MAILFROM MEMO MOST POST SORT'.split(' '),
);

function refuseMisspelled(env: Environment): void {
  for (const [name, value] of Object.entries(env)) {
    const meant = value ? settingMeantBy(name) : undefined;
    if (meant !== undefined) throw new StartError(`Unknown setting ${name}; did you mean ${meant}?`);
  }
}

/** Returns the setting that a name misspells; undefined if the name is a setting's, or resembles none. */
function settingMeantBy(name: string): string | undefined {
  const settings = Object.keys(SETTINGS.shape);
  const upper = name.toUpperCase();
  if (settings.includes(name) || OTHER_NAMES.has(upper)) return undefined;
  const isNear = (setting: string): boolean => {
    // Plurals of short names, such as PORTS, are words that other programs use.
    if (setting.length < 8 && upper === `${setting}S`) return false;
    return editDistance(upper, setting) <= (setting.length < 10 ? 1 : 2);
  };
  return settings.find((setting) => setting === upper) ?? settings.find(isNear);
}
