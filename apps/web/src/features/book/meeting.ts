import { MOST_SERIES_DAYS, type SeriesBody, type SeriesPreview } from '@clinic/contract';
import { dayOfWeek, groupBy, parseDate, parseTime, type Location } from '@clinic/domain';

/** Pure functions for meetings: a meeting is a weekly series of administrative time for each of its people. */

export interface MeetingForm {
  readonly subject: string;
  readonly often: 'weekly' | 'once';
  readonly weekdays: readonly number[];
  readonly from: string;
  readonly until: string;
  readonly start: string;
  readonly end: string;
  /** The location's therapists who do not come. */
  readonly without: readonly string[];
}

/** What is sent; null while the form cannot be. */
export function meetingBody(
  form: MeetingForm,
  people: readonly string[],
  { location, admin }: { readonly location: Location; readonly admin: string },
): SeriesBody | null {
  const { subject, start, end } = form;
  const from = parseDate(form.from);
  const until = form.often === 'once' ? from : form.until === '' ? null : parseDate(form.until);
  const isTimed = (parseTime(start) ?? 0) < (parseTime(end) ?? 0);
  const isDated = from !== null && (form.often === 'once' || form.until === '' || (until !== null && until >= from));
  if (!isTimed || !isDated || subject.trim() === '') return null;
  const weekdays = form.often === 'once' ? [dayOfWeek(from)] : form.weekdays;
  const days = people
    .filter((name) => !form.without.includes(name))
    .flatMap((therapist) => weekdays.map((weekday) => ({ weekday, start, end, therapist })));
  if (days.length === 0 || days.length > MOST_SERIES_DAYS) return null;
  return { location, client: admin, subject: subject.trim(), meeting: true, days, from, until };
}

/** On which dates each person is booked, and on which they are left out and why. */
export function outcomesOf({ days }: SeriesBody, preview: SeriesPreview) {
  const of = new Map<string, SeriesPreview['days'][number]>();
  for (const [i, { therapist }] of days.entries()) {
    const [had, own] = [of.get(therapist ?? ''), preview.days[i]];
    if (own)
      of.set(therapist ?? '', {
        dates: [...(had?.dates ?? []), ...own.dates],
        skipped: [...(had?.skipped ?? []), ...own.skipped].sort((a, b) => (a.date < b.date ? -1 : 1)),
      });
  }
  return of;
}

/** The dates on which someone is left out, by the reason. */
export const reasonsOf = (skipped: SeriesPreview['days'][number]['skipped']) =>
  [...groupBy(skipped, ({ why }) => why)].map(([why, own]) => ({ why, dates: own.map(({ date }) => date) }));
