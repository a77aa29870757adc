import { refusal, Refusal } from '../platform/refusal.ts';

const savedTwice = () => refusal('saved-twice');
const nameTaken = () => refusal('name-just-taken');
const missing = () => refusal('refers-to-missing');
const nameLength = () => refusal('name-length');
const reversed = () => refusal('window-reversed');
const notOffered = () => refusal('value-not-offered');
const outOfRange = () => refusal('value-out-of-range');

/**
 * The refusals of writes that violate a database constraint, by the constraint's name. Features check first and give a
 * better reason; these refusals are for two writes at the same moment, and for missing checks. A test compares the list
 * with the migrated database. All other constraints, and primary and foreign keys, are covered by `BY_CODE`.
 */
export const BY_NAME: Readonly<Record<string, () => Refusal>> = {
  a_way_to_log_in: () => refusal('last-passkey'),
  absence_client_once: () => refusal('already-absent', 'client'),
  absence_therapist_once: () => refusal('already-absent', 'therapist'),
  absence_report_cause_check: notOffered,
  absence_report_check: () => refusal('report-reversed'),
  absence_report_decision_check: notOffered,
  absence_lost_by_check: notOffered,
  absence_start_minute_check: reversed,
  absence_end_minute_check: reversed,
  absence_check: reversed,
  absence_check1: () => refusal('absence-of-both'),
  account_email_key: () => refusal('email-just-taken'),
  account_email_length: () => refusal('email-too-long'),
  account_of_therapist: () => refusal('therapist-stays-therapist'),
  account_of_viewer: () => refusal('viewer-needs-location'),
  account_role_check: notOffered,
  admin_at_one_location: () => refusal('admin-elsewhere'),
  appointment_lost_by_check: notOffered,
  appointment_service_check: notOffered,
  appointment_status_check: notOffered,
  appointment_seat_check: notOffered,
  appointment_check: reversed,
  appointment_check1: () => refusal('session-over-midnight'),
  appointment_check2: () => refusal('client-and-administrative'),
  appointment_check3: () => refusal('administrative-time-unassigned'),
  availability_dates: () => refusal('dates-reversed'),
  availability_overlap: () => refusal('windows-of-day-overlap'),
  call_answer_answer_check: notOffered,
  call_answer_check: () => refusal('call-of-both'),
  call_decline_scope_check: notOffered,
  cause_lost_by_check: notOffered,
  closure_times: reversed,
  client_authorization_code: notOffered,
  client_authorization_dates: () => refusal('authorization-dates'),
  client_authorization_once: () => refusal('authorization-listed-twice'),
  client_authorization_period: notOffered,
  client_authorization_prior: () => refusal('authorization-prior'),
  client_first_name_check: nameLength,
  client_last_name_check: nameLength,
  client_gender_check: notOffered,
  client_name_key: nameTaken,
  client_one_direct_session: () => refusal('client-in-another-session'),
  client_need_length: () => refusal('tag-length'),
  client_restriction_check: () => refusal('restriction-of-both'),
  client_restriction_once: () => refusal('restriction-twice'),
  client_restriction_requires_gender_check: notOffered,
  contact_of_one_person: () => refusal('contact-of-both'),
  contact_rank: () => refusal('too-many-contacts'),
  contact_name_length: () => refusal('contact-too-long'),
  contact_text_lengths: () => refusal('contact-too-long'),
  contact_preferred_way: () => refusal('contact-not-reachable-so'),
  extra_hours_kind: notOffered,
  extra_hours_window: reversed,
  idempotency_key_key_check: () => refusal('request-key-length'),
  import_answer_kind: notOffered,
  import_row_kind_check: notOffered,
  invitation_email_length: () => refusal('email-too-long'),
  invitation_ended_once: () => refusal('invitation-ended'),
  leave_dates: () => refusal('dates-reversed'),
  leave_of_one: () => refusal('absence-of-both'),
  leave_times: reversed,
  location_is_open: () => refusal('location-just-closed'),
  message_dropped_why_check: notOffered,
  message_way_check: notOffered,
  passkey_challenge_purpose: notOffered,
  passkey_credential: () => refusal('passkey-known'),
  payer_concurrent: notOffered,
  payer_credential: notOffered,
  presence_what_check: notOffered,
  schedule_commit_once: () => new Refusal('already-committed'),
  second_seat_is_for_two_to_one: () => refusal('client-not-two-to-one'),
  session_ended_why_check: notOffered,
  session_of_someone_here: () => refusal('therapist-gone-by-then'),
  therapist_consistency_check: () => refusal('consistency-range'),
  therapist_credential_dates: () => refusal('dates-reversed'),
  therapist_credential_kind: notOffered,
  therapist_end_after_start: () => refusal('last-day-before-first'),
  therapist_first_name_check: nameLength,
  therapist_last_name_check: nameLength,
  therapist_gender_check: notOffered,
  therapist_in_one_place: () => refusal('therapist-elsewhere'),
  therapist_name_key: nameTaken,
  therapist_specialization_check: notOffered,
  therapist_tag_dates: () => refusal('dates-reversed'),
  therapist_tag_length: () => refusal('tag-length'),
  therapist_tag_once: () => refusal('tag-listed-twice'),
  therapist_availability_day_of_week_check: notOffered,
  therapist_availability_start_minute_check: reversed,
  therapist_availability_end_minute_check: reversed,
  therapist_availability_check: reversed,
  two_to_one_while_second_seats_are_booked: () => refusal('second-therapist-booked'),
  weekly_series_service_check: notOffered,
  weekly_series_day_of_week_check: notOffered,
  weekly_series_check: reversed,
};

/**
 * The refusal when the constraint is not listed above, by PostgreSQL's error code: classes 22 (a value that cannot be
 * stored) and 23 (a violated constraint).
 */
const BY_CODE: Readonly<Record<string, () => Refusal>> = {
  '23502': () => refusal('value-missing'),
  '23503': missing,
  '23505': savedTwice,
  '23514': outOfRange,
  '23P01': () => refusal('booked-just-now'),
};

/** Returns the refusal for an error that a database constraint caused; null for any other error. */
export function constraintRefusal(error: unknown): Refusal | null {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  if (typeof code !== 'string' || !/^2[23][0-9A-Z]{3}$/.test(code)) return null;
  const named = typeof constraint === 'string' && Object.hasOwn(BY_NAME, constraint) ? BY_NAME[constraint] : undefined;
  return (named ?? BY_CODE[code] ?? outOfRange)();
}
