import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import {
  ACCOUNT,
  bytes,
  COMMIT,
  insertOf,
  insertProposal,
  SESSION,
  text,
  VALID,
  type Row,
  type Table,
} from '../testing/valid-rows.ts';
import { BY_NAME, constraintRefusal } from './constraint-refusals.ts';

const INVITATION = `'00000000-0000-4000-8000-000000000003'`;

const SECOND_PLACE = { place: `'second'`, client_place: `'second'` };
const ADMIN = { service: `'admin'`, client_id: 'null' };

/**
 * A table, and writes to it: each is what it changes in the table’s valid row, or a statement. Only the last write is
 * refused.
 */
type Case = [Table, ...(Row | string)[]];

/** What users read, and for each constraint that says so, a write that violates it. */
const CASES: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  'This client is already marked absent': {
    absence_client_once: ['absence', ...[{}, {}].map(() => ({ therapist_id: 'null', client_id: `'C1'` }))],
  },
  'This location is closed by then': {
    location_is_open: ['appointment', `update location set closed_from = '2026-11-24' where value = 'tampa'`, {}],
  },
  'This therapist is already marked absent': { absence_therapist_once: ['absence', {}, { start_minute: '570' }] },
  'to_time: the absence would end before it begins': {
    absence_report_check: ['absence_report', { last_minute: '540' }],
  },
  'An absence is for either one therapist or one client': {
    absence_check1: ['absence', { client_id: `'C1'` }],
    leave_of_one: ['leave', { client_id: `'C1'` }],
  },
  'email: this address already has an account': { account_email_key: ['account', {}, {}] },
  'email: an address can have at most 254 characters': {
    account_email_length: ['account', { email: text(255) }],
    invitation_email_length: ['invitation', { email: text(255) }],
  },
  'This invitation cannot be used': {
    invitation_ended_once: ['invitation', { used_at: 'now()', withdrawn_at: 'now()' }],
  },
  'This passkey is your only way to log in': {
    a_way_to_log_in: [
      'account',
      { role: `'therapist'`, therapist_id: `'T1'`, password_hash: 'null' },
      // The rule is checked when a transaction ends.
      'set constraints all immediate',
    ],
  },
  'locations: a viewer needs at least one location': {
    account_of_viewer: ['account', { role: `'viewer'` }],
  },
  'role: an account cannot be changed to or from Therapist': {
    account_of_therapist: ['account', { role: `'therapist'` }],
  },
  'This therapist has administrative time at another location then': {
    admin_at_one_location: ['appointment', ADMIN, { ...ADMIN, ...SECOND_PLACE, location: `'orlando'` }],
  },
  'A session must begin and end on the same day': {
    appointment_check1: ['appointment', { ends: `'2026-11-25 10:00'` }],
  },
  'Administrative time cannot have a client; every other session must have one': {
    appointment_check2: ['appointment', { client_id: 'null' }],
  },
  'therapist: administrative time needs a therapist': {
    appointment_check3: ['appointment', { ...ADMIN, therapist_id: 'null' }],
  },
  'availability: two windows on one day overlap': {
    availability_overlap: ['therapist_availability', {}, { start_minute: '570', end_minute: '630' }],
  },
  'A call goes to one therapist or one client’s family': {
    call_answer_check: ['call_answer', { therapist_id: `'T1'` }],
  },
  'The same authorization is listed twice': {
    client_authorization_once: ['client_authorization', {}, { until_date: `'2027-01-31'` }],
  },
  'An authorization’s last day must be on or after its first day, and at most two years after it': {
    client_authorization_dates: ['client_authorization', { until_date: `'2028-12-31'` }],
  },
  'Units already used need the date through which they were used, on or after the authorization’s first day': {
    client_authorization_prior: ['client_authorization', { prior_units: '40' }],
  },
  'This client has another session at that time': {
    client_one_direct_session: ['appointment', {}, { ...SECOND_PLACE, therapist_id: `'T3'` }],
  },
  'A skill or need must have 1 to 60 characters': {
    client_need_length: ['client_need', { tag: `' '` }],
    therapist_tag_length: ['therapist_tag', { tag: text(61) }],
  },
  'The same skill or need is listed twice': {
    therapist_tag_once: ['therapist_tag', {}, { from_date: `'2026-01-01'` }],
  },
  'restrictions: each is either a gender or a therapist': {
    client_restriction_check: ['client_restriction', { excludes_therapist_id: `'T1'` }],
  },
  'restrictions: the same restriction is listed twice': { client_restriction_once: ['client_restriction', {}, {}] },
  'contacts: each belongs to either one client or one therapist': {
    contact_of_one_person: ['contact', { therapist_id: `'T1'` }],
  },
  'contacts: a person can have at most 10': { contact_rank: ['contact', { rank: '11' }] },
  'contacts: each needs a name of at most 120 characters': {
    contact_name_length: ['contact', { name: text(121) }],
    contact_text_lengths: ['contact', { phone: text(61) }],
  },
  'contacts: the preferred contact method needs a telephone number or an email address': {
    contact_preferred_way: ['contact', { preferred: `'text'`, email: `'ann@home.example'` }],
  },
  'The Idempotency-Key must have 1 to 200 characters': {
    idempotency_key_key_check: ['idempotency_key', { key: text(201) }],
  },
  'This passkey is already saved': { passkey_credential: ['passkey', {}, { name: `'Laptop'` }] },
  'These options have already been submitted': { schedule_commit_once: ['schedule_commit', {}, {}] },
  'This client has one therapist at a time': { second_seat_is_for_two_to_one: ['appointment', { seat: '2' }] },
  'This therapist left the clinic before that time': {
    session_of_someone_here: ['appointment', { therapist_id: `'T2'` }],
  },
  'consistency: must be a whole number from 0 to 100': {
    therapist_consistency_check: ['therapist', { consistency: '101' }],
  },
  'end_date: the last day must be on or after the first': {
    therapist_end_after_start: ['therapist', { end_date: `'2025-12-31'` }],
  },
  'This therapist has another booking at that time': {
    therapist_in_one_place: ['appointment', {}, { ...SECOND_PLACE, client_id: `'C2'` }],
  },
  'two_to_one: a second therapist is still booked': {
    two_to_one_while_second_seats_are_booked: [
      'appointment',
      { client_id: `'C2'`, seat: '2', starts: `'2099-11-24 09:00'`, ends: `'2099-11-24 10:00'` },
      'set constraints all immediate',
      `update client set two_to_one = false where id = 'C2'`,
    ],
  },
  'The last day must be on or after the first day.': {
    availability_dates: ['therapist_availability', { from_date: `'2026-02-01'`, until_date: `'2026-01-01'` }],
    leave_dates: ['leave', { last_date: `'2026-11-23'` }],
    therapist_credential_dates: ['therapist_credential', { from_date: `'2026-02-01'`, until_date: `'2026-01-01'` }],
    therapist_tag_dates: ['therapist_tag', { from_date: `'2026-02-01'`, until_date: `'2026-01-01'` }],
  },
  'A first or last name must have 1 to 80 characters': {
    client_first_name_check: ['client', { first_name: text(81) }],
    client_last_name_check: ['client', { last_name: `' '` }],
    therapist_first_name_check: ['therapist', { first_name: text(81) }],
    therapist_last_name_check: ['therapist', { last_name: `' '` }],
  },
  'Someone with the same name was added at the same moment': {
    client_name_key: ['client', {}, { id: `'C10'` }],
    therapist_name_key: ['therapist', {}, { id: `'T10'` }],
  },
  'Someone saved the same thing at the same moment': {
    account_therapist: [
      'account',
      { role: `'therapist'`, therapist_id: `'T1'` },
      { role: `'therapist'`, therapist_id: `'T1'`, email: `'other@clinic.example'` },
    ],
    cause_label: ['cause', {}, { id: `'other'` }],
    contact_of_client: ['contact', {}, {}],
    contact_of_therapist: ['contact', ...[{}, {}].map(() => ({ client_id: 'null', therapist_id: `'T1'` }))],
    extra_hours_once: ['extra_hours', {}, {}],
    invitation_open: ['invitation', {}, { secret_hash: 'null' }],
    invitation_secret_hash_key: ['invitation', {}, { therapist_id: `'T3'` }],
    location_label_key: ['location', { label: `'Tampa'` }],
    message_invitation: [
      'message',
      ...['1', '2'].map((number) => ({ person: `'invitation:1'`, invitation_id: INVITATION, number })),
    ],
    message_number: ['message', {}, {}],
  },
  'The end must be after the start, on the same day': {
    absence_check: ['absence', { end_minute: '540' }],
    absence_start_minute_check: ['absence', { start_minute: '-1' }],
    absence_end_minute_check: ['absence', { end_minute: '1441' }],
    appointment_check: ['appointment', { ends: `'2026-11-24 08:00'` }],
    extra_hours_window: ['extra_hours', { end_minute: '1020' }],
    closure_times: ['closure', { last_minute: '540' }],
    leave_times: ['leave', { end_minute: '540' }],
    therapist_availability_check: ['therapist_availability', { end_minute: '540' }],
    therapist_availability_start_minute_check: ['therapist_availability', { start_minute: '-1' }],
    therapist_availability_end_minute_check: ['therapist_availability', { end_minute: '1441' }],
    weekly_series_check: ['weekly_series', { end_minute: '540' }],
  },
  'One of the values is not a valid choice': {
    absence_lost_by_check: ['absence', { lost_by: `'x'` }],
    absence_report_cause_check: ['absence_report', { cause: `'x'` }],
    absence_report_decision_check: ['absence_report', { decision: `'x'`, decided_at: 'now()' }],
    account_role_check: ['account', { role: `'x'` }],
    appointment_lost_by_check: ['appointment', { lost_by: `'x'`, status: `'cancelled'` }],
    appointment_seat_check: ['appointment', { seat: '3' }],
    appointment_service_check: ['appointment', { service: `'x'` }],
    appointment_status_check: ['appointment', { status: `'x'` }],
    call_answer_answer_check: ['call_answer', { answer: `'x'` }],
    call_decline_scope_check: ['call_decline', { scope: `'x'` }],
    cause_lost_by_check: ['cause', { lost_by: `'x'` }],
    client_authorization_code: ['client_authorization', { code: `'97159'` }],
    client_authorization_period: ['client_authorization', { period: `'x'` }],
    client_gender_check: ['client', { gender: `'x'` }],
    client_restriction_requires_gender_check: ['client_restriction', { requires_gender: `'x'` }],
    extra_hours_kind: ['extra_hours', { kind: `'x'` }],
    import_answer_kind: ['import_answer', { kind: `'x'` }],
    import_row_kind_check: ['import_row', { kind: `'x'` }],
    message_dropped_why_check: ['message', { dropped_at: 'now()', dropped_why: `'x'` }],
    message_way_check: ['message', { way: `'x'` }],
    passkey_challenge_purpose: ['passkey_challenge', { purpose: `'x'`, account_id: ACCOUNT }],
    payer_concurrent: ['payer', { concurrent: `'{97153}'` }],
    payer_credential: ['payer', { credential: `'x'` }],
    presence_what_check: ['presence', { what: `'x'` }],
    session_ended_why_check: ['session', { ended_at: 'now()', ended_why: `'x'` }],
    therapist_availability_day_of_week_check: ['therapist_availability', { day_of_week: '7' }],
    therapist_credential_kind: ['therapist_credential', { credential: `'x'` }],
    therapist_gender_check: ['therapist', { gender: `'x'` }],
    therapist_specialization_check: ['therapist', { specialization: `'x'` }],
    weekly_series_day_of_week_check: ['weekly_series', { day_of_week: '7' }],
    weekly_series_service_check: ['weekly_series', { service: `'x'` }],
  },
  'A value is outside the range that the schedule allows': {
    absence_report_check1: ['absence_report', { decision: `'declined'` }],
    absence_report_first_minute_check: ['absence_report', { first_minute: '-1' }],
    absence_report_last_minute_check: ['absence_report', { last_minute: '1441' }],
    call_answer_cancelled: ['call_answer', { cancelled: `'[]'`, answer: `'no-answer'` }],
    call_answer_note_check: ['call_answer', { note: text(501) }],
    call_answer_ring_again: ['call_answer', { ring_again: `'{}'`, answer: `'no-answer'` }],
    closure_name: ['closure', { name: `' '` }],
    leave_weekdays: ['leave', { weekdays: `'{7}'` }],
    call_before_check: ['call_before', { service: `'direct'` }],
    call_decline_until: ['call_decline', { scope: `'until'` }],
    call_decline_until_minute_check: ['call_decline', { scope: `'until'`, until_minute: '0' }],
    cause_id_check: ['cause', { id: `'New'` }],
    cause_label_check: ['cause', { label: text(41) }],
    client_authorization_number: ['client_authorization', { number: text(61) }],
    client_authorization_payer: ['client_authorization', { payer: text(61) }],
    client_authorization_units: ['client_authorization', { units: '0' }],
    client_cover_note_length: ['client', { helps: text(301) }],
    client_priority_check: ['client', { priority: '1001' }],
    extra_hours_most: ['extra_hours', { end_minute: '1081' }],
    import_answer_answer: ['import_answer', { answer: text(61) }],
    import_answer_column: ['import_answer', { column_key: text(401) }],
    invitation_for: ['invitation', { role: `'admin'` }],
    invitation_secret_hash_check: ['invitation', { secret_hash: bytes(31) }],
    message_about: ['message', { person: `'invitation:1'` }],
    message_address_check: ['message', { address: text(255) }],
    message_check: ['message', { sent_at: 'now()', failed_at: 'now()' }],
    message_check1: ['message', { dropped_at: 'now()' }],
    message_check2: ['message', { sent_at: 'now()', dropped_at: 'now()', dropped_why: `'told'` }],
    message_words_check: ['message', { words: text(501) }],
    passkey_challenge_about: ['passkey_challenge', { account_id: ACCOUNT }],
    passkey_challenge_size: ['passkey_challenge', { challenge: bytes(31) }],
    passkey_name: ['passkey', { name: text(61) }],
    passkey_sizes: ['passkey', { counter: '-1' }],
    payer_name: ['payer', { name: text(61) }],
    made_up_minutes: ['made_up', { minutes: '0' }],
    payer_tag: ['payer', { tag: text(61) }],
    presence_tab_check: ['presence', { tab: `'1234567'` }],
    session_ended: ['session', { ended_at: 'now()' }],
    therapist_credential_number: ['therapist_credential', { number: text(61) }],
    therapist_day_hours: ['therapist', { day_hours: '25' }],
    therapist_day_minutes: ['therapist', { day_minutes: '485' }],
    therapist_guaranteed_hours: ['therapist', { guaranteed_hours: '81' }],
    therapist_guaranteed_minutes: ['therapist', { guaranteed_minutes: '485' }],
    therapist_week_hours: ['therapist', { week_hours: '81' }],
    therapist_week_minutes: ['therapist', { week_minutes: '485' }],
  },
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const person = `first_name, last_name, display_name, name_key, location, gender`;
  for (const statement of [
    ...['T1', 'T2', 'T3'].map(
      (id) => `insert into therapist (id, ${person}, specialization, start_date, deleted_at)
        values ('${id}', 'Ana', '${id}', 'Ana ${id}', 'ana ${id}', 'tampa', 'Female', 'RBT', '2024-01-01',
          ${id === 'T2' ? `'2026-01-01'` : 'null'})`,
    ),
    ...['C1', 'C2'].map(
      (id) => `insert into client (id, ${person}, two_to_one)
        values ('${id}', 'Bo', '${id}', 'Bo ${id}', 'bo ${id}', 'tampa', 'Male', ${id === 'C2'})`,
    ),
    `insert into account (id, email, name, role, password_hash) values (${ACCOUNT}, 'a@clinic.example', 'A', 'admin', 'x')`,
    `insert into invitation (id, therapist_id, email, invited_at, expires_at, used_at)
      values (${INVITATION}, 'T1', 'b@clinic.example', now(), now(), now())`,
    ...[`'p_1'`, `'p_2'`].flatMap(insertProposal),
    insertOf('schedule_commit', { id: COMMIT, proposal_id: `'p_1'` }),
    insertOf('appointment', { id: SESSION, starts: `'2026-11-30 09:00'`, ends: `'2026-11-30 10:00'` }),
  ])
    await sql.raw(statement).execute(database.db);
});
afterAll(() => database.close());

/** Runs the statements and takes all of them back. Returns the first error, or how many statements ran. */
async function errorOf(statements: readonly string[]): Promise<{ error: unknown; ran: number }> {
  const trx = await database.db.startTransaction().execute();
  let ran = 0;
  try {
    for (const statement of statements) {
      await sql.raw(statement).execute(trx);
      ran++;
    }
    return { error: null, ran };
  } catch (error) {
    return { error, ran };
  } finally {
    await trx.rollback().execute();
  }
}

test('the valid rows violate no constraint', async () => {
  for (const table of Object.keys(VALID) as Table[])
    expect((await errorOf([insertOf(table, {})])).error, table).toBeNull();
});

test('given a write that violates a constraint, its refusal says what is wrong', async () => {
  const names: string[] = [];
  for (const [sentence, writes] of Object.entries(CASES)) {
    for (const [name, [table, ...rows]] of Object.entries(writes)) {
      names.push(name);
      const statements = rows.map((row) => (typeof row === 'string' ? row : insertOf(table, row)));
      const { error, ran } = await errorOf(statements);
      expect(error, name).toMatchObject({ constraint: name });
      expect(ran, `only the last statement violates ${name}`).toBe(statements.length - 1);
      expect(constraintRefusal(error)?.message, name).toContain(sentence);
    }
  }
  expect(Object.keys(BY_NAME).filter((name) => !names.includes(name))).toEqual([]);
});
