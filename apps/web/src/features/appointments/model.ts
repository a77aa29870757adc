import { UNASSIGNED, parseStatus, wireStatus, type AppointmentBody } from '@clinic/contract';
import { formatTime, parseDate, parseTime, type Location } from '@clinic/domain';

/** A session as the form holds it; texts as they are typed. */
export interface SessionForm {
  client: string;
  /** `Unassigned` for nobody yet. */
  therapist: string;
  date: string;
  start: string;
  end: string;
  subject: string;
  status: NonNullable<AppointmentBody['status']>;
  /** The last date of a weekly series; empty for one session. */
  weeklyUntil: string;
}

/** What the form is opened with: a session that is there, or what a new one begins with. */
export interface SessionSource {
  key: string;
  version: number | null;
  client: string;
  therapist: string;
  date: string;
  /** Minutes. */
  start: number;
  end: number;
  subject: string;
  statusText: string;
  /** Nobody has it, or part of it. */
  open: boolean;
}

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
  weeklyUntil: '',
});

export function formOf(source: SessionSource): SessionForm {
  const inner = parseStatus(source.statusText);
  const status = inner === null || inner === 'entered-in-error' ? 'Scheduled' : wireStatus(inner);
  return {
    client: source.client,
    therapist: source.therapist || UNASSIGNED,
    date: source.date,
    start: formatTime(source.start),
    end: formatTime(source.end),
    subject: source.subject,
    status: STATUSES.find((each) => each === status) ?? 'Scheduled',
    weeklyUntil: '',
  };
}

/** What is wrong, by field; an empty object when the form can be sent. */
export function problemsOf(form: SessionForm): Partial<Record<keyof SessionForm, string>> {
  const problems: Partial<Record<keyof SessionForm, string>> = {};
  if (form.client.trim() === '') problems.client = 'Choose a client';
  if (parseDate(form.date) === null) problems.date = 'Give a date';
  const start = parseTime(form.start);
  const end = parseTime(form.end);
  if (start === null) problems.start = 'Give a time';
  if (end === null) problems.end = 'Give a time';
  else if (start !== null && end <= start) problems.end = 'Must be after the start';
  if (form.subject.trim() === '') problems.subject = 'Give a subject';
  if (form.weeklyUntil !== '' && form.weeklyUntil < form.date) problems.weeklyUntil = 'Must not be before the date';
  return problems;
}

/** What is sent; for a session that is there, with the version one saw. */
export function toBody(form: SessionForm, location: Location, source: SessionSource | null): AppointmentBody {
  return {
    location,
    client: form.client.trim(),
    therapist: form.therapist === UNASSIGNED ? null : form.therapist,
    date: form.date,
    start: form.start,
    end: form.end,
    subject: form.subject.trim(),
    status: form.status,
    ...(form.weeklyUntil === '' ? {} : { weekly_until: form.weeklyUntil }),
    ...(source?.version == null ? {} : { version: source.version }),
  };
}
