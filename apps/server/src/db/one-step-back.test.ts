import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { dropDatabase, inDatabase, onServer } from '../testing/global-setup.ts';
import { openDatabase } from './connection.ts';
import { migrate, readMigrations, WORKS_FROM } from './migrate.ts';

const server = inject('testServer');
const name = `clinic_back_${crypto.randomUUID().replaceAll('-', '')}`;
let pool: pg.Pool;
beforeAll(async () => {
  await onServer(server.target, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`));
  pool = openDatabase(inDatabase(server.target, name)).pool;
});
afterAll(async () => {
  await pool.end();
  await dropDatabase(server.target, name);
});

/** What migrations after `WORKS_FROM` changed although it was there before, and what that server makes of it. */
interface Widened {
  /** Why a server of that version still works. */
  readonly why: string;
  /** Writes what only newer servers write. */
  readonly writes: string;
  /** Statements of that version, as they are in its code, and what they return. */
  readonly reads: readonly (readonly [statement: string, rows: readonly object[]])[];
}

const KIM = `'00000000-0000-4000-8000-000000000009'`;
const HASH = `decode(repeat('00', 32), 'hex')`;

/** A session of 0035 that nobody has, as that version inserts it. */
const insertSession = (client: string, starts: string, ends: string): string =>
  `insert into appointment (wire_id, location, client_id, service, subject, status, starts, ends, place, client_place)
    values ('1', 'tampa', '${client}', 'direct', 'Direct Therapy', 'booked', '${starts}', '${ends}', gen_random_uuid(), gen_random_uuid())
    returning occupies`;
/** The rules that compare instants instead of times. */
const BY_INSTANTS: Widened = {
  why: 'a trigger computes the instants of what an older server writes; it knows the rule by the same name',
  writes: `insert into client (id, first_name, last_name, display_name, name_key, location, gender)
    values ('C-' || gen_random_uuid(), 'Bo', 'Lee', gen_random_uuid(), gen_random_uuid(), 'tampa', 'Female')`,
  reads: [[`select count(*)::int from appointment where instants is null`, [{ count: 0 }]]],
};

/** The triggers that note changes for other programs. */
const NOTED: Widened = {
  why: 'only adds rows to a table that an older server does not know',
  writes: `insert into client (id, first_name, last_name, display_name, name_key, location, gender)
    values ('C-' || gen_random_uuid(), 'Bo', 'Lee', gen_random_uuid(), gen_random_uuid(), 'tampa', 'Female')`,
  reads: [[`update therapist set version = 2 where id = 'T-1' returning version`, [{ version: 2 }]]],
};

/** The triggers that keep what records said, also of what an older server writes. */
const KEPT: Widened = {
  ...NOTED,
  reads: [[`select count(*)::int from record_state where subject = 'T-1'`, [{ count: 1 }]]],
};

const WIDENED: Readonly<Record<string, Widened>> = {
  ...Object.fromEntries(
    ['appointment', 'therapist', 'client', 'location_day'].flatMap((table) =>
      ['note_new', 'note_changed'].map((trigger) => [`trigger ${table}.${trigger}`, NOTED] as const),
    ),
  ),
  ...Object.fromEntries(
    ['therapist', 'client', 'account', 'location'].flatMap((table) =>
      ['keep_state', 'keep_state_new'].map((trigger) => [`trigger ${table}.${trigger}`, KEPT] as const),
    ),
  ),
  'trigger therapist_credential.keep_state': KEPT,
  'trigger client_authorization.keep_state': KEPT,
  'rule appointment.therapist_in_one_place': BY_INSTANTS,
  'rule appointment.client_one_direct_session': {
    ...BY_INSTANTS,
    writes: `insert into client (id, first_name, last_name, display_name, name_key, location, gender)
      values ('C-1', 'Bo', 'Lee', 'Bo Lee', 'bo lee', 'tampa', 'Female')`,
    reads: [
      [insertSession('C-1', '2030-11-22 09:00', '2030-11-22 10:00'), [{ occupies: true }]],
      [insertSession('C-1', '2030-11-22 10:00', '2030-11-22 11:00'), [{ occupies: true }]],
      [
        `select lower(instants)::text as at from appointment where client_id = 'C-1' order by starts limit 1`,
        [{ at: '2030-11-22 14:00:00+00' }],
      ],
    ],
  },
  'rule appointment.admin_at_one_location': BY_INSTANTS,
  'trigger appointment.take_place': {
    ...BY_INSTANTS,
    why: 'refuses only what is booked at a location that a newer server has closed',
  },
  'trigger weekly_series.series_at_open_location': {
    ...BY_INSTANTS,
    why: 'refuses only a series at a location that a newer server has closed',
  },
  'trigger location.move_with_zone': { ...BY_INSTANTS, why: 'an older server changes no location' },
  'check account.account_password': {
    why: 'gone: other roles may begin with a passkey too, and are treated like therapists',
    writes: `begin;
      insert into account (id, email, name, role, password_hash)
        values (${KIM}, 'kim@clinic.example', 'Kim', 'scheduler', null);
      insert into passkey (account_id, credential_id, public_key, counter, transports, name, created_at)
        values (${KIM}, decode(repeat('00', 16), 'hex'), decode(repeat('00', 64), 'hex'), 0, '{internal}', 'Phone', now());
      commit`,
    reads: [
      // Without a hash, the login compares with a hash that no password has; holding the account finds none either.
      [
        `select password_hash, disabled_at, demo from account where email = 'kim@clinic.example'`,
        [{ password_hash: null, disabled_at: null, demo: false }],
      ],
      [`select id from account where id = ${KIM} and password_hash = 'x' and disabled_at is null for share`, []],
      [`update account set password_hash = 'new' where id = ${KIM} and password_hash = 'x' returning id`, []],
    ],
  },
  'check account.account_role_check': {
    why: 'two more roles, to which an older server refuses everything',
    writes: `insert into account (id, email, name, role, password_hash)
      values ('00000000-0000-4000-8000-00000000000a', 'dee@clinic.example', 'Dee', 'director', 'x')`,
    reads: [
      [
        `select role, password_hash, disabled_at from account where email = 'dee@clinic.example'`,
        [{ role: 'director', password_hash: 'x', disabled_at: null }],
      ],
    ],
  },
  'check account.account_of_viewer': {
    why: 'about a role that an older server does not give',
    writes: `insert into account (id, email, name, role, password_hash, locations)
      values ('00000000-0000-4000-8000-00000000000b', 'vic@clinic.example', 'Vic', 'viewer', 'x', '{tampa}')`,
    reads: [[`select role from account where email = 'vic@clinic.example'`, [{ role: 'viewer' }]]],
  },
  'unique index account.account_user_name': {
    why: 'refuses only an email that is another person’s user name in the clinic’s directory',
    writes: `update account set user_name = 'vic' where email = 'vic@clinic.example'`,
    reads: [
      [
        `insert into account (email, name, role, password_hash) values ('new@clinic.example', 'New', 'scheduler', 'x') returning role`,
        [{ role: 'scheduler' }],
      ],
    ],
  },
  'column invitation.therapist_id': {
    why: 'null for colleagues: an older server finds no therapist, so it lists no such invitation',
    writes: `insert into invitation (therapist_id, email, secret_hash, invited_at, expires_at, name, role, locations)
      values (null, 'robin@clinic.example', ${HASH}, now(), now() + interval '7 days', 'Robin', 'scheduler', '{tampa}')`,
    reads: [
      [
        `select i.email from invitation i join therapist t on t.id = i.therapist_id left join message m on m.invitation_id = i.id
        where i.used_at is null and i.withdrawn_at is null and t.deleted_at is null and i.expires_at > now()`,
        [],
      ],
      [
        `select i.email from invitation i join therapist t on t.id = i.therapist_id where i.secret_hash = ${HASH}
        and i.used_at is null and i.withdrawn_at is null and t.deleted_at is null`,
        [],
      ],
      [
        `update invitation set withdrawn_at = now() where used_at is null and withdrawn_at is null and therapist_id = 'T-1'
        returning id`,
        [],
      ],
      [
        `insert into invitation (therapist_id, email, secret_hash, invited_at, expires_at)
        values ('T-1', 'ana@clinic.example', decode(repeat('01', 32), 'hex'), now(), now()) returning role, name`,
        [{ role: 'therapist', name: null }],
      ],
    ],
  },
  'check message.message_dropped_why_check': {
    why: 'allows more reasons; an older server shows a message dropped for one of them without the reason',
    writes: `insert into message (location, date, person, number, version, way, address, words, released_at, next_try_at, dropped_at, dropped_why)
      select 'tampa', '2030-11-22', 'client:C-1', row_number() over (), '1', 'email', 'ann@home.example', 'Hello', now(), 'infinity', now(), why
      from unnest(NEW_REASONS) why`,
    reads: [
      // What waits to be sent leaves them out, whatever the reason.
      [`select id from message where sent_at is null and failed_at is null and dropped_at is null`, []],
      [`select bool_and(dropped_why is not null) as said from message where dropped_at is not null`, [{ said: true }]],
    ],
  },
};

/** The reasons that a check lists. */
const reasonsIn = (check = ''): string[] => [...check.matchAll(/'([\w-]+)'/g)].flatMap(([, reason]) => reason ?? []);

/**
 * Everything on which an older server's statements depend, by name: tables and columns, the rules for what it writes,
 * and the triggers that run when it writes.
 */
async function schema(): Promise<Map<string, { text: string; on: string; columns: string[] }>> {
  const { rows } = await pool.query<{ name: string; text: string; on: string; columns: string[] }>(`
    with ours as (
      select oid, relname from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    )
    select 'table ' || relname as name, '' as text, relname as on, '{}'::text[] as columns from ours
    union all
    select 'column ' || relname || '.' || attname,
      format_type(atttypid, atttypmod) || case when attnotnull and not atthasdef and attidentity = '' then ' required' else '' end
        || case when attgenerated <> '' then ' generated' else '' end,
      relname, array[attname::text]
    from ours join pg_attribute on attrelid = ours.oid where attnum > 0 and not attisdropped
    union all
    select case contype when 'c' then 'check ' when 'f' then 'key ' else 'rule ' end || relname || '.' || conname,
      pg_get_constraintdef(c.oid), relname,
      array(select attname::text from pg_attribute where attrelid = ours.oid and attnum = any (conkey))
    from ours join pg_constraint c on conrelid = ours.oid where contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select 'unique index ' || relname || '.' || i.indexrelid::regclass, pg_get_indexdef(i.indexrelid), relname,
      array(select attname::text from pg_attribute where attrelid = ours.oid and attnum = any (i.indkey))
    from ours join pg_index i on i.indrelid = ours.oid where i.indisunique
    union all
    select 'trigger ' || relname || '.' || tgname, pg_get_triggerdef(t.oid), relname, '{}'
    from ours join pg_trigger t on tgrelid = ours.oid where not tgisinternal`);
  return new Map(rows.map(({ name: of, ...what }) => [of, what]));
}

test('a server of the version that WORKS_FROM names works on the newest schema: later migrations only add to it', async () => {
  const all = readMigrations();
  expect(all.map((migration) => migration.name)).toContain(WORKS_FROM);
  await migrate(
    pool,
    all.filter((migration) => migration.name <= WORKS_FROM),
  );
  const before = await schema();
  await migrate(pool);
  const after = await schema();
  const broken: string[] = [];
  // What it reads, and what its `on conflict` names, is still there.
  for (const [what, { text }] of before)
    if (after.get(what)?.text !== text && !(what in WIDENED)) broken.push(`${what} is not as it was`);
  // Nothing new refuses or changes what it writes, since it writes no new column.
  for (const [what, { on, columns, text }] of after) {
    if (before.has(what) || !before.has(`table ${on}`)) continue;
    const isNew = columns.some((column) => !before.has(`column ${on}.${column}`));
    if ((!isNew || text.endsWith(' required')) && !(what in WIDENED)) broken.push(`${what} is new on an old table`);
  }
  expect(broken, 'raise WORKS_FROM, or let the migration only add').toEqual([]);

  // What it finds in the columns that it knows, written by newer servers, its own statements bear.
  await pool.query(`insert into therapist (id, first_name, last_name, display_name, name_key, location, specialization, gender, start_date)
    values ('T-1', 'Ana', 'Ruiz', 'Ana Ruiz', 'ana ruiz', 'tampa', 'BT', 'Female', '2020-01-01')`);
  const check = 'check message.message_dropped_why_check';
  const known = reasonsIn(before.get(check)?.text);
  const added = reasonsIn(after.get(check)?.text).filter((reason) => !known.includes(reason));
  expect(added).not.toEqual([]);
  for (const [what, { writes, reads }] of Object.entries(WIDENED)) {
    expect(after.get(what)?.text, `${what} is no longer widened`).not.toBe(before.get(what)?.text);
    await pool.query(writes.replace('NEW_REASONS', `array[${added.map((reason) => `'${reason}'`).join(', ')}]`));
    for (const [statement, rows] of reads) expect((await pool.query(statement)).rows, statement).toEqual(rows);
  }
});
