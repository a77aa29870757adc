import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { hostUrls, isLoopback, loadConfig } from './config.ts';

test('without settings, the documented defaults apply', () => {
  expect(loadConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    loopback: true,
    databaseUrl: undefined,
    demo: true,
    adminClientName: 'Admin',
    tokenMinutes: 15,
    idleMinutes: 30,
    sessionHours: 12,
    solverSeconds: 5,
    solverWorkers: availableParallelism(),
    solverWarmUp: true,
    logLevel: 'info',
    tokenKey: undefined,
    embedOrigins: [],
    trustProxy: false,
    publicUrl: undefined,
    drainSeconds: 0,
    oidc: undefined,
    passwordLogin: 'on',
    secondFactor: 'off',
    databaseConnections: 20,
    rateLimit: 1,
    clock: undefined,
  });
  expect(loadConfig({}).dataDir).toMatch(/\/data$/);
});

test('an empty setting counts as not set', () => {
  expect(loadConfig({ PORT: '', DATABASE_URL: ' ', DEMO: '' })).toMatchObject({
    port: 3000,
    databaseUrl: undefined,
    demo: true,
  });
});

test('every setting is read', () => {
  const config = loadConfig({
    PORT: '0',
    HOST: '0.0.0.0',
    DATA_DIR: '/srv/clinic',
    DATABASE_URL: 'postgres://a:b@db.example:5432/clinic',
    DEMO: 'off',
    ADMIN_CLIENT_NAME: 'Büro',
    TOKEN_MINUTES: '5',
    IDLE_MINUTES: '10',
    SESSION_HOURS: '8',
    SOLVER_SECONDS: '9',
    SOLVER_WORKERS: '3',
    SOLVER_WARM_UP: 'off',
    LOG_LEVEL: 'silent',
    TOKEN_KEY: 'k'.repeat(32),
    EMBED_ORIGINS: 'https://a.example, http://b.example:8080',
    TRUST_PROXY: 'loopback,10.0.0.0/8',
    RATE_LIMIT: '0.5',
    PUBLIC_URL: 'https://schedule.clinic.example/',
    DRAIN_SECONDS: '20',
    DATABASE_CONNECTIONS: '40',
    METRICS_TOKEN: 'm'.repeat(32),
    FEED_NAMES: 'initials',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  });
  expect(config).toMatchObject({
    port: 0,
    loopback: false,
    demo: false,
    adminClientName: 'Büro',
    solverSeconds: 9,
    solverWorkers: 3,
    solverWarmUp: false,
    rateLimit: 0.5,
    publicUrl: 'https://schedule.clinic.example',
    drainSeconds: 20,
    databaseConnections: 40,
    metricsToken: 'm'.repeat(32),
    feedNames: 'initials',
    traceEndpoint: 'http://collector:4318',
  });
  expect(config.embedOrigins).toEqual(['https://a.example', 'http://b.example:8080']);
  expect(config.trustProxy).toBe('loopback,10.0.0.0/8');
});

test.each([
  [{ PORT: '80800' }, "PORT is '80800'; it must be a whole number from 0 to 65535."],
  [{ PORT: '3000x' }, "PORT is '3000x'"],
  [{ PORT: '-1' }, "PORT is '-1'"],
  [{ PORT: '3e3' }, "PORT is '3e3'"],
  [{ HOST: 'two words' }, "HOST is 'two words'"],
  [{ DEMO: 'yes' }, "DEMO is 'yes'; it must be one of on, off."],
  [{ FEED_NAMES: 'yes' }, "FEED_NAMES is 'yes'; it must be one of off, initials, names."],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    "OTEL_EXPORTER_OTLP_ENDPOINT is 'collector:4318'; it must be an address",
  ],
  [{ LOG_LEVEL: 'loud' }, 'one of fatal, error, warn, info, debug, trace, silent'],
  [{ TOKEN_MINUTES: '0' }, "TOKEN_MINUTES is '0'"],
  [{ IDLE_MINUTES: '1.5' }, 'a whole number'],
  [{ RATE_LIMIT: '0' }, "RATE_LIMIT is '0'"],
  [{ RATE_LIMIT: 'many' }, "RATE_LIMIT is 'many'"],
  [{ TOKEN_KEY: 'short' }, 'TOKEN_KEY is too short'],
  [{ DATABASE_URL: 'mysql://a/b' }, 'DATABASE_URL must look like postgres://'],
  [{ DATABASE_URL: 'postgres://host' }, 'DATABASE_URL must look like postgres://'],
  [{ EMBED_ORIGINS: 'https://a.example/path' }, "EMBED_ORIGINS is 'https://a.example/path'"],
  [{ EMBED_ORIGINS: '*' }, "EMBED_ORIGINS is '*'"],
  [
    { PUBLIC_URL: 'schedule.clinic.example' },
    "PUBLIC_URL is 'schedule.clinic.example'; it must be an address without a path",
  ],
  [{ PUBLIC_URL: 'https://clinic.example/schedule' }, 'an address without a path'],
  [{ DRAIN_SECONDS: '-1' }, "DRAIN_SECONDS is '-1'"],
  [{ DATABASE_CONNECTIONS: '1' }, 'a whole number from 4 to 200'],
  [{ TRUST_PROXY: 'everyone' }, "TRUST_PROXY is 'everyone'"],
  [{ CLOCK: '2026-02-30T12:00:00Z' }, "CLOCK is '2026-02-30T12:00:00Z'"],
  [{ CLOCK: '2026-11-20 12:00' }, 'a date and time such as'],
  [{ CLOCK: '2026-11-20T12:00:00Z', HOST: '0.0.0.0' }, 'CLOCK is only for tests on this machine'],
  [{ DATABSE_URL: 'x' }, 'Unknown setting DATABSE_URL; did you mean DATABASE_URL?'],
  [{ SOLVER_SECOND: '3' }, 'did you mean SOLVER_SECONDS?'],
  [{ DATADIR: '/x' }, 'did you mean DATA_DIR?'],
  [{ DEOM: 'off' }, 'Unknown setting DEOM; did you mean DEMO?'],
  [{ DEM: 'off' }, 'did you mean DEMO?'],
  [{ DEMOO: 'off' }, 'did you mean DEMO?'],
  [{ PROT: '80' }, 'did you mean PORT?'],
  [{ PIRT: '80' }, 'did you mean PORT?'],
  [{ HSOT: '0.0.0.0' }, 'did you mean HOST?'],
  [{ CLOKC: 'x' }, 'did you mean CLOCK?'],
  [{ demo: 'off' }, 'Unknown setting demo; did you mean DEMO?'],
  [{ Database_Url: 'x' }, 'did you mean DATABASE_URL?'],
  [{ deom: 'off' }, 'did you mean DEMO?'],
])('%j is refused with a one-line message', (env, line) => {
  const attempt = () => loadConfig(env);
  expect(attempt).toThrow(line);
  expect(attempt).toThrow(
    expect.objectContaining({ name: 'StartError', message: expect.not.stringContaining('\n') as unknown }),
  );
});

test('given a password in a bad DATABASE_URL, the refusal does not repeat it', () => {
  expect(() => loadConfig({ DATABASE_URL: 'mysql://u:hunter2@h/d' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('hunter2') as unknown }),
  );
});

test('variables that belong to other programs are ignored', () => {
  expect(() =>
    loadConfig({ HOME: '/root', POSTS: '1', CLOCKS: 'x', PATH: '/bin', TEST_DATABASE_URL: 'postgres://x/y' }),
  ).not.toThrow();
});

// From bash, tcsh, npm, systemd, cron, SSH, sudo, PostgreSQL, Docker and Kubernetes, desktops, proxies, CI and languages.
const OF_MACHINES = `
  BASH BASHOPTS BASH_ENV CDPATH COLUMNS COMP_LINE DIRSTACK EDITOR EUID GROUPS HISTFILE HISTSIZE HOME HOSTALIASES HOSTFILE
  HOSTNAME HOSTTYPE IFS LANG LANGUAGE LC_ALL LINES LOGNAME LS_COLORS MACHTYPE MAIL MAILCHECK MAILPATH MAILTO MAILFROM
  MANPATH OLDPWD OSTYPE PAGER PATH PPID PS1 PWD RANDOM SHELL SHELLOPTS SHLVL TERM TERMINFO TMPDIR TMOUT TZ UID USER
  USERNAME VENDOR GROUP VISUAL _ INIT_CWD NODE NODE_ENV NODE_OPTIONS NODE_PATH COLOR npm_command npm_config_port
  npm_lifecycle_event npm_package_name INVOCATION_ID JOURNAL_STREAM LISTEN_FDS LISTEN_PID MAINPID NOTIFY_SOCKET
  SYSTEMD_EXEC_PID RUNTIME_DIRECTORY STATE_DIRECTORY LOGS_DIRECTORY CREDENTIALS_DIRECTORY SSH_AUTH_SOCK SSH_CLIENT
  SSH_CONNECTION SSH_TTY SUDO_COMMAND SUDO_GID SUDO_UID SUDO_USER PGDATA PGDATABASE PGHOST PGPASSFILE PGPORT PGUSER
  POSTGRES_DB POSTGRES_HOST POSTGRES_PORT DOCKER_HOST KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT
  PORT_3000_TCP PORT_3000_TCP_ADDR PORT_HTTP PORTS HOSTS HOST_IP HOST_PORT DEMOS DISPLAY WAYLAND_DISPLAY XAUTHORITY
  XDG_DATA_DIRS XDG_RUNTIME_DIR XDG_SESSION_ID DBUS_SESSION_BUS_ADDRESS DESKTOP_SESSION GDMSESSION http_proxy https_proxy
  no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_DIR SSL_CERT_FILE NODE_EXTRA_CA_CERTS CI CI_PIPELINE_ID
  GITHUB_TOKEN GITLAB_CI BUILD_NUMBER JAVA_HOME PYTHONPATH RUST_LOG GOPATH DENO_DIR DENO WSL_DISTRO_NAME WSLENV DYNO
  WEB_CONCURRENCY LOG_FORMAT BASE_URL APP_URL API_URL REDIS_URL MONGO_URL CLIENT_ID SECRET_KEY ACCESS_TOKEN POST SORT`
  .split(/\s+/)
  .filter(Boolean);
test('the ordinary variables of a machine do not stop the start', () => {
  for (const name of OF_MACHINES) expect(() => loadConfig({ [name]: 'x' }), name).not.toThrow();
  expect(() => loadConfig({ DEOM: '' })).not.toThrow();
});

test('the demo clinic is off with a database of your own, unless it is asked for', () => {
  const own = { DATABASE_URL: 'postgres://a:b@db.example:5432/clinic' };
  expect(loadConfig(own).demo).toBe(false);
  expect(loadConfig({ ...own, DEMO: 'on' }).demo).toBe(true);
  expect(loadConfig({ DEMO: 'off' }).demo).toBe(false);
});

test('CLOCK may have any UTC offset, and is stored in UTC', () => {
  expect(loadConfig({ CLOCK: '2026-11-20T07:00:00-05:00' }).clock).toBe('2026-11-20T12:00:00.000Z');
});

test.each([
  ['127.0.0.1', true],
  ['127.8.0.1', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['127.0.0.1.evil.example', false],
])('given HOST %s, the server is reachable only from this machine: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test('DATABASE_URL may name several hosts, each with its port', () => {
  const url = 'postgres://a:b@one:5432,two:5433/clinic?sslmode=verify-full';
  expect(loadConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  expect(hostUrls(url)).toEqual([
    'postgres://a:b@one:5432/clinic?sslmode=verify-full',
    'postgres://a:b@two:5433/clinic?sslmode=verify-full',
  ]);
});

test.each([{ HOST: '0.0.0.0' }, { TRUST_PROXY: 'loopback' }])(
  'given %j, the server keeps serving after SIGTERM until health checks notice the shutdown',
  (env) => {
    expect(loadConfig(env).drainSeconds).toBe(8);
  },
);

const SIGN_ON = {
  OIDC_ISSUER: 'https://login.clinic.example/realms/clinic',
  OIDC_CLIENT_ID: 'scheduler',
  OIDC_CLIENT_SECRET: 'their secret',
  PUBLIC_URL: 'https://schedule.clinic.example',
};

test('the settings of the sign-on are read together, with the roles that groups give', () => {
  expect(loadConfig(SIGN_ON).oidc).toEqual({
    issuer: SIGN_ON.OIDC_ISSUER,
    clientId: 'scheduler',
    clientSecret: 'their secret',
    roleClaim: 'roles',
    roles: null,
  });
  const mapped = {
    ...SIGN_ON,
    OIDC_ROLE_CLAIM: 'groups',
    OIDC_ROLES: 'a=b=admin, Front desk=scheduler@tampa+Palm Beach',
  };
  expect(loadConfig(mapped).oidc).toMatchObject({
    roleClaim: 'groups',
    roles: [
      { group: 'a=b', role: 'admin', locations: null },
      { group: 'Front desk', role: 'scheduler', locations: ['tampa', 'Palm Beach'] },
    ],
  });
});

test.each([
  [{ OIDC_CLIENT_SECRET: '' }, 'belong together'],
  [{ PUBLIC_URL: '' }, 'needs PUBLIC_URL'],
  [{ PUBLIC_URL: 'http://schedule.clinic.example' }, 'with https'],
  [{ OIDC_ISSUER: 'http://login.clinic.example' }, 'must look like https'],
  [{ OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }, 'every organization'],
  [{ OIDC_ISSUER: 'https://login.microsoftonline.us/organizations/v2.0' }, 'every organization'],
  [{ OIDC_ROLES: 'admins=owner' }, 'OIDC_ROLES'],
  [{ OIDC_ROLES: 'admins=therapist' }, 'OIDC_ROLES'],
  [{ OIDC_ROLES: 'admins=admin,' }, 'OIDC_ROLES'],
  [{ OIDC_ROLES: 'desk=scheduler@' }, 'OIDC_ROLES'],
  [{ OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '', PASSWORD_LOGIN: 'admins-only' }, 'nobody else'],
  [{ PASSWORD_LOGIN: 'off' }, 'PASSWORD_LOGIN'],
])('settings of the sign-on that cannot be used stop the start: %o', (wrong, why) => {
  const load = () => loadConfig({ ...SIGN_ON, ...wrong });
  expect(load).toThrow(why);
  expect(load).not.toThrow('their secret');
});
