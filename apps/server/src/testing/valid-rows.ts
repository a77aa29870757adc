import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';

/** A row as SQL, by column. */
export type Row = Readonly<Record<string, string>>;

export const ACCOUNT = `'00000000-0000-4000-8000-000000000001'`;
export const COMMIT = `'00000000-0000-4000-8000-000000000002'`;
export const SESSION = `'00000000-0000-4000-8000-000000000004'`;
export const text = (length: number): string => `repeat('x', ${length})`;
export const bytes = (length: number): string => `decode(repeat('00', ${length}), 'hex')`;

/** A valid row of each table that has a constraint. A case changes some of its columns. */
export const VALID = {
  absence: { location: `'tampa'`, therapist_id: `'T1'`, date: `'2026-11-24'`, start_minute: '540', end_minute: '600' },
  absence_report: {
    therapist_id: `'T1'`,
    first_date: `'2026-11-24'`,
    first_minute: '540',
    last_date: `'2026-11-24'`,
    last_minute: '600',
    cause: `'sick'`,
    reported_at: 'now()',
  },
  closure: {
    act: 'gen_random_uuid()',
    location: `'tampa'`,
    first_date: `'2026-11-24'`,
    first_minute: '540',
    last_date: `'2026-11-24'`,
    last_minute: '600',
    name: `'Storm'`,
    recorded_at: 'now()',
  },
  leave: {
    location: `'tampa'`,
    therapist_id: `'T1'`,
    first_date: `'2026-11-24'`,
    weekdays: `'{1}'`,
    start_minute: '540',
    end_minute: '600',
    made_until: `'2026-11-24'`,
    recorded_at: 'now()',
    changed_at: 'now()',
  },
  made_up: { session: SESSION, lost: SESSION, minutes: '60' },
  account: { email: `'new@clinic.example'`, name: `'New'`, role: `'admin'`, password_hash: `'x'` },
  appointment: {
    wire_id: `'1'`,
    location: `'tampa'`,
    client_id: `'C1'`,
    therapist_id: `'T1'`,
    service: `'direct'`,
    subject: `'Direct Therapy'`,
    status: `'booked'`,
    starts: `'2026-11-24 09:00'`,
    ends: `'2026-11-24 10:00'`,
    place: `'first'`,
    client_place: `'first'`,
  },
  call_answer: {
    location: `'tampa'`,
    date: `'2026-11-24'`,
    client_id: `'C1'`,
    answer: `'told'`,
    version: `'1'`,
    at: 'now()',
  },
  call_before: { location: `'tampa'`, date: `'2026-11-24'`, appointment_id: 'gen_random_uuid()' },
  call_decline: {
    location: `'tampa'`,
    date: `'2026-11-24'`,
    therapist_id: `'T1'`,
    scope: `'session'`,
    sessions: `'{}'`,
    away: `'[]'`,
    wall_minute: '480',
    at: 'now()',
    said_to: `'[]'`,
  },
  cause: { id: `'new'`, label: `'New'` },
  client: {
    id: `'C9'`,
    first_name: `'Zoe'`,
    last_name: `'Fox'`,
    display_name: `'Zoe Fox'`,
    name_key: `'zoe fox'`,
    location: `'tampa'`,
    gender: `'Female'`,
  },
  client_authorization: {
    client_id: `'C1'`,
    payer: `'Sunshine'`,
    code: `'97153'`,
    from_date: `'2026-01-01'`,
    until_date: `'2026-12-31'`,
    units: '100',
  },
  client_need: { client_id: `'C1'`, tag: `'Spanish'`, tag_key: `'spanish'`, must: 'true' },
  client_restriction: { client_id: `'C1'`, requires_gender: `'Female'` },
  contact: { client_id: `'C1'`, rank: '1', name: `'Ann Lee'` },
  extra_hours: {
    location: `'tampa'`,
    date: `'2026-11-24'`,
    therapist_id: `'T1'`,
    kind: `'late'`,
    start_minute: '1020',
    end_minute: '1050',
    session: ACCOUNT,
    asked_at: 'now()',
  },
  idempotency_key: { account_id: ACCOUNT, key: `'k'`, body_hash: `'x'`, commit_id: COMMIT },
  import_answer: { kind: `'clients'`, column_key: `'name'`, answer: `'first_name'` },
  import_row: { kind: `'client'`, key: `'k'`, content_hash: `'x'`, target_id: `'C1'`, target_version: '1' },
  invitation: {
    therapist_id: `'T1'`,
    email: `'new@clinic.example'`,
    secret_hash: bytes(32),
    invited_at: 'now()',
    expires_at: 'now()',
  },
  location: { value: `'ocala'`, label: `'Ocala'`, group_name: `'x'`, zone: `'America/New_York'` },
  message: {
    location: `'tampa'`,
    date: `'2026-11-24'`,
    person: `'client:C1'`,
    number: '1',
    version: `'1'`,
    way: `'email'`,
    address: `'ann@home.example'`,
    words: `'Hello'`,
    released_at: 'now()',
    next_try_at: 'now()',
  },
  passkey: {
    account_id: ACCOUNT,
    credential_id: bytes(16),
    public_key: bytes(64),
    counter: '0',
    transports: `'{internal}'`,
    name: `'Phone'`,
    created_at: 'now()',
  },
  account_identity: {
    issuer: `'https://login.clinic.example'`,
    subject: `'1'`,
    account_id: ACCOUNT,
    linked_at: 'now()',
    used_at: 'now()',
  },
  second_factor: { account_id: ACCOUNT, secret: bytes(48), made_at: 'now()' },
  recovery_code: { account_id: ACCOUNT, code_hash: bytes(32) },
  sign_on: { key_hash: bytes(32), browser_hash: bytes(32), nonce: `'n'`, verifier: `'v'`, expires_at: 'now()' },
  passkey_challenge: { challenge: bytes(32), purpose: `'log-in'`, expires_at: 'now()' },
  payer: { name_key: `'sunshine'`, name: `'Sunshine'` },
  presence: {
    tab: `'12345678'`,
    account_id: ACCOUNT,
    location: `'tampa'`,
    date: `'2026-11-24'`,
    what: `'calls'`,
    seen_at: 'now()',
  },
  schedule_commit: {
    proposal_id: `'p_2'`,
    revision: '1',
    location: `'tampa'`,
    choice: `'{}'`,
    choice_key: `'x'`,
    changes: `'[]'`,
    summary: `'{}'`,
    reply: `'{}'`,
    workbook: bytes(1),
  },
  session: { account_id: ACCOUNT, created_at: 'now()', last_seen_at: 'now()', expires_at: 'now()' },
  therapist: {
    id: `'T9'`,
    first_name: `'Ida'`,
    last_name: `'Berg'`,
    display_name: `'Ida Berg'`,
    name_key: `'ida berg'`,
    location: `'tampa'`,
    specialization: `'RBT'`,
    gender: `'Female'`,
    start_date: `'2026-01-01'`,
  },
  therapist_availability: { therapist_id: `'T1'`, day_of_week: '1', start_minute: '540', end_minute: '600' },
  therapist_credential: { therapist_id: `'T1'`, credential: `'RBT'` },
  therapist_tag: { therapist_id: `'T1'`, tag: `'Spanish'`, tag_key: `'spanish'` },
  weekly_series: {
    location: `'tampa'`,
    service: `'admin'`,
    subject: `'Notes'`,
    day_of_week: '1',
    start_minute: '540',
    end_minute: '600',
    from_date: `'2026-11-23'`,
    made_until: `'2026-11-23'`,
  },
} as const satisfies Record<string, Row>;
export type Table = keyof typeof VALID;

/** Statements that insert a proposal with one revision, which a commit needs. */
export const insertProposal = (id: string): string[] => [
  `insert into proposal (id, location, dates) values (${id}, 'tampa', '{2026-11-24}')`,
  `insert into proposal_revision (proposal_id, revision, queries, pins, days, data, metadata, backed_up_therapists)
    values (${id}, 1, '{}', '{}', '{}', '{}', '{}', '{}')`,
];

/**
 * The insert of a valid row with changes in some columns. It needs the therapist T1, the client C1, the account, the
 * commit, and options `p_2`.
 */
export function insertOf(table: Table, changes: Row): string {
  const row: Row = { ...VALID[table], ...changes };
  return `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.values(row).join(', ')})`;
}

/** Inserts a commit, with a proposal and its revision. */
export async function insertCommit(db: Db, id: string): Promise<void> {
  const proposal = `'${id}'`;
  const statements = [
    ...insertProposal(proposal),
    insertOf('schedule_commit', { id: `'${id}'`, proposal_id: proposal }),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
