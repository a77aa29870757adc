// This file is over 250 lines because it holds the session form: its fields, faults and wording.
import {
  UNASSIGNED,
  parseStatus,
  wireStatus,
  type appointmentsEndpoints,
  type BodyOf,
  type LossBody,
  type SeriesReply,
} from '@clinic/contract';
import {
  clockTime,
  datesInWords,
  formatTime,
  isoDate,
  longDate,
  parseDate,
  parseTime,
  shortDate,
  timeSlot,
  type Interval,
  type Location,
} from '@clinic/domain';
import { fromTimeField, toTimeField } from '../../shared/time-field.ts';
import { weeklyAfter, type WeeklyDay } from './weekly.ts';

export type AppointmentBody = BodyOf<typeof appointmentsEndpoints.create>;

/** The values of the session form's fields. */
export interface SessionForm {
  client: string;
  /** The therapist's name, or `Unassigned`. */
  therapist: string;
  date: string;
  start: string;
  end: string;
  subject: string;
  status: NonNullable<AppointmentBody['status']>;
  /** The days of the week on which it repeats; empty for a single session. */
  weekly: WeeklyDay[];
  /** The last date of a weekly series; empty when it goes on. */
  weeklyUntil: string;
  /** Whether dates that break a rule are booked, too. */
  weeklyAnyway?: boolean;
  /** Why the session was cancelled or was a no-show, if recorded. */
  loss?: LossBody;
  /** What the coordinator asks of the therapist: `Ask to stay late until 5:30`. Null if nothing is asked. */
  ask?: string | null;
}

/** The names of the form's fields, for the question about someone else's version. */
export const FORM_LABELS: Readonly<Record<keyof SessionForm, string>> = {
  client: 'Client',
  therapist: 'Therapist',
  date: 'Date',
  start: 'From',
  end: 'To',
  subject: 'Subject',
  status: 'Status',
  weekly: 'Every week',
  weeklyUntil: 'Weekly until',
  weeklyAnyway: 'Book anyway',
  loss: 'Reason',
  ask: 'What is asked of the therapist',
};

/** What the form starts from: an existing session, or suggestions for a new one. */
export interface SessionSource extends Interval {
  key: string;
  version: number | null;
  client: string;
  therapist: string;
  date: string;
  subject: string;
  statusText: string;
  /** Whether some of the session's time has no therapist. */
  open: boolean;
  /** Why the session was cancelled or was a no-show, if recorded. */
  loss?: LossBody | undefined;
}

/** A new session whose time was drawn on the calendar, perhaps with one of its people. */
export type Drawn = Pick<SessionForm, 'date' | 'start' | 'end'> & Partial<Pick<SessionForm, 'client' | 'therapist'>>;

export const STATUSES = ['Scheduled', 'Confirmed', 'Completed', 'Cancelled', 'No Show'] as const;
export const SUBJECTS = ['Direct Therapy', 'Supervision', 'Parent Training', 'Assessment'] as const;

export const newSession = (date: string): SessionForm => ({
  client: '',
  therapist: UNASSIGNED,
  date,
  start: '09:00',
  end: '12:00',
  subject: SUBJECTS[0],
  status: 'Scheduled',
  weekly: [],
  weeklyUntil: '',
});

/** Fills the form from a session; a status that the form does not offer becomes Scheduled. */
export function formOf(source: SessionSource): SessionForm {
  const inner = parseStatus(source.statusText);
  const status = inner === null || inner === 'entered-in-error' ? 'Scheduled' : wireStatus(inner);
  return {
    client: source.client,
    therapist: source.therapist || UNASSIGNED,
    date: source.date,
    start: formatTime(source.start),
    end: toTimeField(formatTime(source.end)),
    subject: source.subject,
    status: STATUSES.find((each) => each === status) ?? 'Scheduled',
    weekly: [],
    weeklyUntil: '',
    ...(source.loss === undefined ? {} : { loss: source.loss }),
  };
}

/**
 * Applies a change to the form. Drops the request to stay late or come early when the therapist, client, date or time
 * changes.
 */
export function changedForm(form: SessionForm, changed: Partial<SessionForm>): SessionForm {
  const stays = !['client', 'therapist', 'date', 'start', 'end'].some((field) => field in changed);
  const next = { ...form, ...(stays ? {} : { ask: null }), ...changed };
  return changed.weekly === undefined ? { ...next, weekly: weeklyAfter(form, next) } : next;
}

/** Whether the session is cancelled or a no-show, and so can have a cause. */
export const isLost = ({ status }: Pick<SessionForm, 'status'>): boolean =>
  status === 'Cancelled' || status === 'No Show';

/** The message for each invalid field; empty when the form can be sent. */
export type Problems = Partial<Record<keyof SessionForm, string>>;

/** Checks the form before it is sent; the server checks it again. */
export function problemsOf(form: SessionForm): Problems {
  const problems: Problems = {};
  if (form.client.trim() === '') problems.client = 'Choose a client';
  if (parseDate(form.date) === null) problems.date = 'Enter a date';
  const start = parseTime(form.start);
  const end = parseTime(fromTimeField(form.end));
  if (start === null) problems.start = 'Enter a time';
  if (end === null) problems.end = 'Enter a time';
  else if (start !== null && end <= start) problems.end = 'Must be after the start';
  if (form.subject.trim() === '') problems.subject = 'Enter a subject';
  if (form.weekly.length > 0 && form.weeklyUntil !== '' && form.weeklyUntil < form.date)
    problems.weeklyUntil = 'Must be on or after the first session’s date';
  for (const { start: from, end: to } of form.weekly)
    if ((parseTime(fromTimeField(to)) ?? 0) <= (parseTime(from) ?? 1440))
      problems.weekly = 'Each must end after its start';
  return problems;
}

/** The problems that the server reported, keyed by form field. */
export const problemsReported = (fields: readonly { field: string; text: string }[]): Problems =>
  Object.fromEntries(
    fields.map(({ field, text }) => [
      field === 'until' || field === 'weekly_until' ? 'weeklyUntil' : field === 'days' ? 'weekly' : field,
      text,
    ]),
  );

/** The request body. For an existing session it carries the version that was shown. */
export function toBody(form: SessionForm, location: Location, source: SessionSource | null): AppointmentBody {
  return {
    location,
    client: form.client.trim(),
    therapist: form.therapist === UNASSIGNED ? null : form.therapist,
    date: form.date,
    start: form.start,
    end: fromTimeField(form.end),
    subject: form.subject.trim(),
    status: form.status,
    ...(form.loss !== undefined && isLost(form) ? { loss: form.loss } : {}),
    ...(form.ask == null || form.weekly.length > 0 ? {} : { ask: true }),
    ...(source?.version == null ? {} : { version: source.version }),
  };
}

/** When a session is, in words: `Wed, Nov 18, 8:30 AM - 10:30 AM`. */
export const whenWords = ({ date, start, end }: AppointmentBody): string =>
  `${shortDate(isoDate(date))}, ${timeSlot(parseTime(start) ?? 0, parseTime(end) ?? 0)}`;

/** Whether saving the form would change its session. */
export function isChanged(form: SessionForm, location: Location, source: SessionSource): boolean {
  const sent = (of: SessionForm): string => JSON.stringify(toBody(of, location, source));
  return sent(form) !== sent(formOf(source));
}

/** Which sessions of a weekly series a change applies to. */
export type Scope = 'one' | 'following' | 'all';

/**
 * Why choosing a therapist in the form cannot open the options: something unsaved would be lost, or the change also
 * applies to later sessions. Null when the options can be opened.
 */
export function whyNoOptions(unsaved: { form: boolean; absences: boolean }, scope: Scope): string | null {
  const first = (what: string): string => `To see options with one of these therapists, ${what}.`;
  if (unsaved.form) return first('save your changes first');
  if (unsaved.absences) return first('save the selected absences first');
  return scope !== 'one' ? first('change this session only') : null;
}

/** How many sessions a change applies to. */
export const sessionsIn = (scope: Scope, series: SeriesReply | undefined): number =>
  scope === 'one' ? 1 : 1 + (series?.dates.length ?? 0) + (scope === 'all' ? (series?.earlier?.length ?? 0) : 0);

/** The other sessions of a series. One that goes on has some to come, also where this is the last one on the calendar. */
export const othersIn = (series: SeriesReply | undefined): number =>
  (series?.dates.length ?? 0) + (series?.earlier?.length ?? 0) + (series?.goes_on ? 1 : 0);

/**
 * The later sessions that `following` includes, in words: `7 more, from November 27 until January 8, Fridays`. With
 * `all`, those before it are included too.
 */
export function seriesInWords(series: SeriesReply, scope: Scope = 'following'): string {
  const dates = [...(scope === 'all' ? (series.earlier ?? []) : []), ...series.dates];
  const [first, ...rest] = dates.map(isoDate);
  return first ? `${dates.length} more, ${datesInWords([first, ...rest], first)}` : '';
}

/** The question and button labels for cancelling a session, with or without the later ones in its series. */
export function cancelQuestion(
  { client, date, start, end }: Pick<SessionSource, 'client' | 'date' | 'start' | 'end'>,
  series: SeriesReply | undefined,
  scope: Scope,
): { title: string; which: string; keep: string; cancel: string } {
  const sessions = sessionsIn(scope, series);
  const later = series?.dates.length ?? 0;
  const when = `${longDate(isoDate(date))}, ${clockTime(start)} - ${clockTime(end)}`;
  if (series && scope !== 'one' && sessions === 1)
    return {
      title: `Cancel ${client}’s session and those to come?`,
      which: `${when}. The series ends with the session before it. Its history is kept.`,
      keep: 'Keep the session',
      cancel: 'Cancel the session',
    };
  if (series && scope !== 'one')
    return {
      title: `Cancel ${sessions} of ${client}’s sessions?`,
      which: `This one (${when}) and ${seriesInWords(series, scope)}. Their history is kept.`,
      keep: 'Keep the sessions',
      cancel: `Cancel ${sessions} sessions`,
    };
  return {
    title: `Cancel ${client}’s session?`,
    which: `${when}. This session only${later > 0 ? `; the later ones in its series stay` : ''}. Its history is kept.`,
    keep: 'Keep the session',
    cancel: 'Cancel the session',
  };
}

/** How many later sessions in the series stay as they are, and why; empty when none do. */
export const apartInWords = ({ apart }: SeriesReply): string =>
  apart === 0
    ? ''
    : apart === 1
      ? ' 1 later session that was changed on its own stays as it is.'
      : ` ${apart} later sessions that were changed on their own stay as they are.`;
