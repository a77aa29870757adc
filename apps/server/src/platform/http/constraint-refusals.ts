import type { ErrorCode } from '@clinic/contract';

/** What a person reads when the database refuses a write: what happened and what to do. */
interface ConstraintRefusal {
  readonly code: ErrorCode;
  readonly message: string;
}

const wrong = (sentence: string): ConstraintRefusal => ({ code: 'invalid', message: `${sentence} Nothing was saved.` });
const clash = (sentence: string): ConstraintRefusal => ({
  code: 'conflict',
  message: `${sentence} Nothing was saved.`,
});

const TAKEN_ID = clash(
  'Someone saved the same thing at the same moment. Load the page again and look before you try again.',
);
const TAKEN_NAME = clash('Someone of the same name was added at the same moment. Try again: the second is numbered.');
const GONE = wrong('Something that this refers to is not there any more. Load the page again.');
const NAME = wrong('A first or last name must have 1 to 80 characters.');
const WINDOW = wrong('The end must be after the start, within one day.');
const CHOICE = wrong('A value is not one of those that can be chosen.');

/**
 * Every rule of the database by its name, and what it means to the person whose write broke it. The features check first
 * and say it better; this is for two writes at the same moment, and for what a check forgot. A test holds this list
 * against the migrated database. Primary and foreign keys, all alike, go by their kind.
 */
const BY_NAME: Readonly<Record<string, ConstraintRefusal>> = {
  absence_client_once: clash('This client is already marked absent for part of that time. Load the day again.'),
  absence_therapist_once: clash('This therapist is already marked absent for part of that time. Load the day again.'),
  absence_start_minute_check: WINDOW,
  absence_end_minute_check: WINDOW,
  absence_check: WINDOW,
  absence_check1: wrong('An absence is of one therapist or of one client.'),
  account_email_key: wrong('email: this address has an account already.'),
  account_email_length: wrong('email: an address has at most 254 characters.'),
  account_role_check: CHOICE,
  admin_at_one_location: clash('This therapist has administrative time at another location then. Choose another time.'),
  appointment_service_check: CHOICE,
  appointment_status_check: CHOICE,
  appointment_seat_check: CHOICE,
  appointment_check: WINDOW,
  appointment_check1: wrong('A session begins and ends on the same day.'),
  appointment_check2: wrong('Administrative time has no client, and every other session has one.'),
  appointment_check3: wrong('therapist: administrative time needs a therapist.'),
  availability_overlap: wrong('availability: two windows of one day overlap.'),
  client_first_name_check: NAME,
  client_last_name_check: NAME,
  client_gender_check: CHOICE,
  client_name_key: TAKEN_NAME,
  client_one_direct_session: clash(
    'This client has another session at that time. Load the day again and choose another time.',
  ),
  client_priority_check: CHOICE,
  client_restriction_check: wrong('restrictions: each is a gender or a therapist.'),
  client_restriction_once: wrong('restrictions: one of them is there twice.'),
  client_restriction_requires_gender_check: CHOICE,
  idempotency_key_key_check: wrong('Idempotency-Key: a key has 1 to 200 characters.'),
  import_row_kind_check: CHOICE,
  location_label_key: TAKEN_ID,
  schedule_commit_once: {
    code: 'already-committed',
    message: 'These options have been submitted already. Nothing was written. Open the calendar to see the result.',
  },
  second_seat_is_for_two_to_one: clash(
    'This client has one therapist at a time: 2:1 is not set. Load the day again and choose another time.',
  ),
  session_ended_why_check: CHOICE,
  session_of_someone_here: clash('The therapist is no longer with the clinic by then. Choose another therapist.'),
  therapist_consistency_check: wrong('consistency: a whole number from 0 to 100.'),
  therapist_first_name_check: NAME,
  therapist_last_name_check: NAME,
  therapist_gender_check: CHOICE,
  therapist_in_one_place: clash(
    'This therapist is booked elsewhere at that time. Load the day again and choose another time or therapist.',
  ),
  therapist_name_key: TAKEN_NAME,
  therapist_specialization_check: CHOICE,
  therapist_availability_day_of_week_check: CHOICE,
  therapist_availability_start_minute_check: WINDOW,
  therapist_availability_end_minute_check: WINDOW,
  therapist_availability_check: WINDOW,
  two_to_one_while_second_seats_are_booked: wrong(
    'two_to_one: a second therapist is still booked for this client. Cancel those sessions first.',
  ),
  weekly_series_service_check: CHOICE,
  weekly_series_day_of_week_check: CHOICE,
  weekly_series_check: WINDOW,
};

/** By the kind of rule, where no name is known: of PostgreSQL's classes 22 (a value it cannot hold) and 23. */
const BY_CODE: Readonly<Record<string, ConstraintRefusal>> = {
  '23502': wrong('Something that is needed was left out.'),
  '23503': GONE,
  '23505': TAKEN_ID,
  '23514': wrong('A value is outside what the schedule can hold.'),
  '23P01': clash('Someone booked the same time at the same moment. Look at the calendar and try again.'),
};
const UNFIT = wrong('A number, date or text is outside what the schedule can hold.');

/** The refusal that an error of the database's rules means; null for every other error. */
export function constraintRefusal(error: unknown): ConstraintRefusal | null {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  if (typeof code !== 'string' || !/^2[23][0-9A-Z]{3}$/.test(code)) return null;
  const named = typeof constraint === 'string' && Object.hasOwn(BY_NAME, constraint) ? BY_NAME[constraint] : undefined;
  return named ?? BY_CODE[code] ?? UNFIT;
}

/** Whether a rule has words of its own. */
export const isNamed = (constraint: string): boolean => Object.hasOwn(BY_NAME, constraint);
/** All that have. */
export const namedConstraints = (): string[] => Object.keys(BY_NAME);
