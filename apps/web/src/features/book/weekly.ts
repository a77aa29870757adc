import { UNASSIGNED, type BodyOf, type SeriesPreview, type seriesEndpoints } from '@clinic/contract';
import { dayOfWeek, duration, isoDate, longDate, parseDate, parseTime, type Location } from '@clinic/domain';
import { fromTimeField } from '../../shared/time-field.ts';

/** Pure functions for a session that repeats every week. */

export type SeriesBody = BodyOf<typeof seriesEndpoints.book>;

/** A day of the week on which a session repeats, from Sunday, which is 0, and its times. */
export interface WeeklyDay {
  weekday: number;
  start: string;
  end: string;
}

/** What a weekly series needs of the session form. */
export interface WeeklyForm {
  readonly client: string;
  readonly therapist: string;
  readonly date: string;
  readonly start: string;
  readonly end: string;
  readonly subject: string;
  readonly weekly: readonly WeeklyDay[];
  readonly weeklyUntil: string;
  readonly weeklyAnyway?: boolean;
}

const weekdayOf = ({ date }: Pick<WeeklyForm, 'date'>): number | null => {
  const parsed = parseDate(date);
  return parsed && dayOfWeek(parsed);
};

/** The session's own weekday, with its times: what a new series begins with. */
export const ownDay = (form: Pick<WeeklyForm, 'date' | 'start' | 'end'>): WeeklyDay => ({
  weekday: weekdayOf(form) ?? 1,
  start: form.start,
  end: form.end,
});

/** The days of the series after the session's date or times have changed: its own day follows it. */
export function weeklyAfter(before: WeeklyForm, next: WeeklyForm): WeeklyDay[] {
  if (next.weekly.length === 0) return [];
  const own = ownDay(next);
  const was = ownDay(before);
  const others = next.weekly.filter(({ weekday }) => weekday !== own.weekday && weekday !== was.weekday);
  const alike = (day: WeeklyDay): WeeklyDay =>
    day.start === was.start && day.end === was.end ? { ...day, start: own.start, end: own.end } : day;
  return [own, ...others.map(alike)].sort((a, b) => fromMonday(a.weekday) - fromMonday(b.weekday));
}

/** The position of a day in a week that begins on Monday. */
const fromMonday = (weekday: number): number => (weekday + 6) % 7;

/** Adds a day to the series, or takes it out. The session's own day stays. */
export function toggledDay(form: WeeklyForm, weekday: number): WeeklyDay[] {
  const own = ownDay(form);
  const others = form.weekly.filter((day) => day.weekday !== weekday);
  const all = others.length < form.weekly.length && weekday !== own.weekday ? others : [...others, { ...own, weekday }];
  return all.sort((a, b) => fromMonday(a.weekday) - fromMonday(b.weekday));
}

/** The request for the weekly series in the form; null when the session does not repeat. */
export function toSeries(
  form: WeeklyForm,
  location: Location,
  source: { readonly key: string } | null,
): SeriesBody | null {
  if (form.weekly.length === 0) return null;
  const therapist = form.therapist === UNASSIGNED ? null : form.therapist;
  return {
    location,
    client: form.client.trim(),
    subject: form.subject.trim(),
    days: form.weekly.map(({ weekday, start, end }) => ({ weekday, start, end: fromTimeField(end), therapist })),
    from: form.date,
    until: form.weeklyUntil === '' ? null : form.weeklyUntil,
    ...(source ? { session: source.key } : {}),
    ...(form.weeklyAnyway === true ? { anyway: true } : {}),
  };
}

/** What a series would add, in words: `24 sessions until Feb 14, 2027, then on and on. Adds 5 h a week.` */
export function previewInWords({ days, through }: SeriesPreview, form: WeeklyForm): string {
  const sessions = days.reduce((sum, day) => sum + day.dates.length, 0);
  const minutes = form.weekly.reduce(
    (sum, { start, end }) => sum + (parseTime(fromTimeField(end)) ?? 0) - (parseTime(start) ?? 0),
    0,
  );
  const last = longDate(isoDate(through)).replace(/^\w+, /, '');
  const goesOn = form.weeklyUntil === '' ? '; the next ones follow as time passes' : '';
  return `${sessions === 1 ? '1 session' : `${sessions} sessions`} until ${last}${goesOn}. ${duration(minutes)} a week.`;
}
