import type { Account, AuditAction, BodyOf, Contact, EmailOff, Invitation, adminEndpoints } from '@clinic/contract';
import {
  defaultLocation,
  clinicLocations,
  isEmailAddress,
  isLocation,
  locationLabel,
  locationOf,
  shortList,
  type Location,
} from '@clinic/domain';
import type { Labels } from '../../shared/edits/merge.ts';
import { FIELD_LABELS as LABELS } from '../../shared/field-labels.ts';
import { LENGTH_WORDS, isTooShort } from '../../shared/session/password-length.ts';

/** Pure functions for the account forms and for the wording of the audit trail. */

export type AccountBody = BodyOf<typeof adminEndpoints.createAccount>;

export interface AccountForm {
  name: string;
  email: string;
  role: Account['role'];
  /** True: the account may work at all locations, including new ones. False: only at those in `locations`. */
  everywhere: boolean;
  locations: Location[];
  /** The new password. Empty keeps the current one. */
  password: string;
  disabled: boolean;
  /** The administrator's own password, required to change an account's email or password. */
  yourPassword: string;
  /** Whether to remove the account's second factor. */
  removeFactor: boolean;
}

/** The label of each field, for listing the fields that two administrators changed. */
export const ACCOUNT_LABELS: Labels<AccountForm> = {
  name: LABELS.name,
  email: LABELS.email,
  role: LABELS.role,
  everywhere: LABELS.locations,
  locations: LABELS.locations,
  password: LABELS.new_password,
  disabled: 'Disabled',
  yourPassword: null, // only confirms a change
  removeFactor: null,
};

/** @param own the administrator's own locations, the only ones they can grant; null: all locations */
export const newAccount = (own: readonly Location[] | null): AccountForm => ({
  name: '',
  email: '',
  role: 'scheduler',
  everywhere: own === null,
  locations: own?.length === 1 ? [...own] : [],
  password: '',
  disabled: false,
  yourPassword: '',
  removeFactor: false,
});

export const accountForm = (a: Account): AccountForm => ({
  name: a.name,
  email: a.email,
  role: a.role,
  everywhere: a.locations === null,
  locations: a.locations ?? [],
  password: '',
  disabled: a.disabled,
  yourPassword: '',
  removeFactor: false,
});

/** The request body. Only an existing account can be disabled, so `disabled` is left out for a new one. */
export const accountBody = (form: AccountForm, isNew: boolean): AccountBody => ({
  name: form.name.trim(),
  email: form.email.trim(),
  role: form.role,
  locations:
    form.everywhere && form.role !== 'viewer'
      ? null
      : clinicLocations()
          .map((l) => l.value)
          .filter((l) => form.locations.includes(l)),
  ...(form.password === '' ? {} : { password: form.password }),
  ...(isNew ? {} : { disabled: form.disabled }),
  ...(form.removeFactor ? { remove_second_factor: true } : {}),
  ...(form.yourPassword === '' ? {} : { your_password: form.yourPassword }),
});

const ROLES: Readonly<Record<Account['role'], string>> = {
  scheduler: 'Scheduler',
  admin: 'Administrator',
  therapist: 'Therapist',
  director: 'Director',
  viewer: 'Viewer',
};
export const ROLE_HINTS: Readonly<Record<Account['role'], string>> = {
  admin: 'Can also manage accounts and see the audit trail.',
  scheduler: 'Can do everything except manage accounts and see the audit trail.',
  therapist: 'Sees only their own day.',
  director: 'Sees everything, also accounts and the audit trail. Changes nothing.',
  viewer: 'Sees the schedule of their locations. Changes nothing.',
};

export const roleWords = (role: Account['role']): string => ROLES[role];

export const checkPassword = (isNew: boolean) => (value: string) =>
  value === '' ? !isNew || 'A new account needs a password' : !isTooShort(value) || LENGTH_WORDS;

export const checkEmail = (value: string): true | string =>
  isEmailAddress(value.trim()) || 'An email address, such as dana@clinic.example';

/**
 * The address to which a therapist's link is emailed: that of the first contact who prefers email, otherwise that of
 * the first contact with an email address. Null if no contact has one.
 */
export function mailAddress(contacts: readonly Pick<Contact, 'email' | 'preferred'>[] = []): string | null {
  const withEmail = contacts.filter(({ email }) => email !== '');
  return (withEmail.find(({ preferred }) => preferred === 'email') ?? withEmail[0])?.email ?? null;
}

/** Why no link can be emailed; null when it can be. */
export const emailOffWords = (off: EmailOff | null): string | null =>
  off === null ? null : 'Email is not set up. Copy the link instead.';

/** Why a therapist's link cannot be emailed; null when it can be. */
export const whyNotByEmail = (off: EmailOff | null, name: string, address: string | null): string | null =>
  emailOffWords(off) ?? (address === null ? `${name}’s profile has no email.` : null);

const SENDING = {
  waiting: 'Not sent yet',
  sent: 'Sent by email',
  failed: 'Not delivered',
  dropped: 'Not sent',
} as const;

/** How an invitation's link reaches the therapist: `Sent by email`. */
export const linkWords = (message: Invitation['message']): string =>
  message === null ? 'Not emailed' : SENDING[message.state];

export const placesWords = (locations: readonly string[] | null): string =>
  locations === null
    ? 'All locations'
    : locations.map((l) => (isLocation(l) ? locationLabel(l) : l)).join(', ') || 'No location';

/** The filters of the audit trail, as in the page's address; an empty text filters nothing. */
export interface AuditFilters {
  /** The id of the account that did it. */
  readonly account: string;
  /** The id of the record it was done to. */
  readonly subject: string;
}

/** An account's id; the server refuses a request with any other. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** No id is longer, and the server refuses a longer text. */
const LONGEST_SUBJECT = 100;

export const readAuditFilters = ({ account = '', subject = '' }: Readonly<Record<string, string>>): AuditFilters => ({
  account: UUID.test(account) ? account : '',
  subject: subject.slice(0, LONGEST_SUBJECT),
});

const ACTIONS: Readonly<Record<AuditAction, string>> = {
  'report.read': 'Viewed a report',
  'report.saved': 'Saved a report as a file',
  'payer.changed': 'Changed what a payer requires',
  'payer.checked': 'Checked a payer’s sessions',
  'cause.said': 'Recorded why time was lost',
  'calendar-feed.ended': 'Ended the address of their calendar',
  'calendar-feed.made': 'Made an address of their calendar',
  'cause.added': 'Added a reason',
  'location.added': 'Added a location',
  'location.changed': 'Changed a location',
  'location.closed': 'Closed a location for good',
  'location.merged': 'Merged a location into another',
  'location.reopened': 'Kept a location open',
  'cause.changed': 'Changed a reason',
  'cause.retired': 'Retired a reason',
  'cause.deleted': 'Deleted a reason',
  'absence.saved': 'Saved an absence',
  'absence.withdrawn': 'Removed an absence',
  'absence.restored': 'Restored a removed absence',
  'leave.changed': 'Changed an absence over several dates',
  'leave.checked': 'Checked an absence over several dates',
  'leave.ended': 'Ended an absence over several dates',
  'leave.read': 'Viewed absences over several dates',
  'leave.recorded': 'Recorded an absence over several dates',
  'leave.undone': 'Undid a change to an absence over several dates',
  'closure.checked': 'Checked what a closure would cancel',
  'closure.made': 'Closed a location',
  'closure.reopened': 'Reopened a location',
  'holidays.added': 'Added holidays',
  'withdrawals.read': 'Viewed removed absences',
  'account.added': 'Added an account',
  'account.changed': 'Changed an account',
  'appointment.booked': 'Booked an appointment',
  'appointment.read': 'Viewed an appointment',
  'refusal.read': 'Saw a client’s name in an error message',
  'second-factor.added': 'Set up a second factor',
  'second-factor.codes-made': 'Made new recovery codes',
  'second-factor.removed': 'Removed their second factor',
  'series.made': 'Made weekly series of sessions that repeat',
  'series.read': 'Viewed a weekly series',
  'history.read': 'Viewed the history of a session',
  'appointment.cancelled': 'Cancelled an appointment',
  'appointment.taken-back': 'Took back a booking',
  'appointment.changed': 'Changed an appointment',
  'audit.read': 'Viewed the audit trail',
  'calendar.read': 'Viewed the calendar',
  'client.read': 'Viewed a client’s profile',
  'client.created': 'Added a client',
  'client.changed': 'Changed a client’s profile',
  'client.checked': 'Checked a client’s sessions',
  'clients.listed': 'Viewed the list of clients',
  'commits.read': 'Viewed submitted schedules',
  'invitation.made': 'Invited someone',
  'invitation.withdrawn': 'Withdrew an invitation',
  'absence.reported': 'Reported that they cannot come',
  'absence-report.confirmed': 'Confirmed a reported absence',
  'absence-report.declined': 'Declined a reported absence',
  'absence-report.withdrawn': 'Withdrew a reported absence',
  'absence-reports.read': 'Viewed reported absences',
  'proposal.previewed': 'Previewed options',
  'calls.released': 'Released messages',
  'makeup.read': 'Viewed lost time to make up',
  'own-day.read': 'Viewed their own day',
  'backup.made': 'Made a backup',
  'export.made': 'Exported all data',
  'auditor-file.made': 'Made a file for an auditor',
  'import.applied': 'Imported data',
  'folder-import.wanted': 'Let files from the folder be imported',
  'difference.decided': 'Decided between the billing system and the calendar',
  'password.changed': 'Changed their password',
  'password.refused': 'Typed a wrong password',
  'passkey.added': 'Added a passkey',
  'passkey.renamed': 'Renamed a passkey',
  'passkey.removed': 'Removed a passkey',
  'passkey.refused': 'Used a wrong passkey',
  'proposal.made': 'Asked for options',
  'proposal.explained': 'Viewed the reasons for an option',
  'day-sheet.read': 'Viewed the day sheet',
  'choices.read': 'Viewed who else could take a session',
  'proposal.refreshed': 'Asked for new options',
  'schedule.committed': 'Submitted a schedule',
  'schedule.undone': 'Undid a submitted schedule',
  'session.begun': 'Logged in',
  'session.ended': 'Logged out',
  'session.refused': 'Login refused',
  'sessions.ended': 'Logged out everywhere else',
  'sign-on.linked': 'Signed on with the clinic’s account for the first time',
  'therapist.changed': 'Changed a therapist’s profile',
  'therapist.checked': 'Checked a therapist’s sessions',
  'therapist.created': 'Added a therapist',
  'therapist.deleted': 'Deleted a therapist',
  'times.read': 'Looked for weekly times',
  'timeslots.read': 'Viewed a client’s week',
  'today.read': 'Viewed the Today page',
  'workbook.read': 'Downloaded a workbook again',
  'call.answered': 'Recorded the result of a call',
  'call.claimed': 'Marked a call as theirs',
  'call.left': 'Left a call to others',
  'call.no-taken-back': 'Took back a “said no”',
  'call.seen': 'Marked their own changes as seen',
  'calls.read': 'Viewed the call list',
  'day-sheet.sent': 'Recorded the day sheet as sent',
  'extra-hours.asked': 'Asked someone to stay late or come early',
  'extra-hours.agreed': 'Recorded agreed extra hours',
  'differences.read': 'Viewed what is different in the billing system',
  'ledger.read': 'Viewed hours, care, supervision or authorizations',
  'proposal.solved-ahead': 'Prepared options in advance',
  'rules.changed': 'Changed the clinic’s limits',
  'therapist.read': 'Viewed a therapist’s profile',
  'therapists.listed': 'Viewed the list of therapists',
  'records.read': 'Read records as another program',
  'changes.read': 'Read what changed as another program',
  'service-account.added': 'Added a service account',
  'service-account.changed': 'Changed a service account',
  'service-account.token': 'Logged in as another program',
  'webhook.added': 'Added a webhook',
  'webhook.changed': 'Changed a webhook',
  'webhook.replayed': 'Sent a webhook’s messages again',
  'webhook.secret': 'Made a new secret for a webhook',
};

const isKnown = (action: string): action is AuditAction => Object.hasOwn(ACTIONS, action);

/**
 * An audit action in words. An action that only another version of the product knows is shown by its technical name.
 */
export const actionWords = (action: string): string =>
  isKnown(action) ? ACTIONS[action] : action.replace(/[._]/g, ' ');

/** An audit entry's details on one line, without empty values: `role admin, password true`. */
export function detailWords(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => `${key.replace(/_/g, ' ')} ${valueWords(value)}`)
    .join(', ');
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.length > 4 ? `${value.length} entries` : value.map(valueWords).join(' ');
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return shortId(String(value));
}

/** Shortens each id to its first eight characters. The cell's title has the whole id. */
const shortId = (id: string): string =>
  id.replace(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '$1');

/** At most this many ids are shown for an action that touched many records. */
const SHOWN_IDS = 3;
export function subjectWords(kind: string, ids: readonly string[]): string {
  if (ids.length === 0) return kind;
  return `${kind} ${shortList(ids.map(shortId), SHOWN_IDS)}`;
}

/** Times are shown in the clinic's time zone, not the reader's. */
const zoneNow = (): string => locationOf(defaultLocation()).zone;

/** An audit entry's time in the clinic's time zone: `Nov 20, 2026, 9:44:07 AM`. */
export const wallWords = (at: string): string =>
  new Date(at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'medium', timeZone: zoneNow() });

/** The name of the clinic's time zone: `Eastern Time`. */
export const zoneWords = (): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zoneNow(), timeZoneName: 'longGeneric' })
    .formatToParts(0)
    .find((part) => part.type === 'timeZoneName')?.value ?? zoneNow();
