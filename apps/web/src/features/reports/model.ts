import {
  GROUPINGS,
  MOST_REPORT_DAYS,
  REPORT_FIGURES,
  type Grouping,
  type ReportFigure,
  type ReportGroup,
} from '@clinic/contract';
import {
  addDays,
  daysBetween,
  isLocation,
  isoDate,
  longDate,
  mondayOf,
  parseDate,
  type IsoDate,
  type Location,
} from '@clinic/domain';

/** Pure functions for the wording, bars and ranges of the Reports page. */

const LOSSES: readonly ReportFigure[] = ['lost', 'late'];
/** The figures to show for a grouping. Groups by cause, or by who caused the loss, have only lost hours. */
export const figuresOf = (by: Grouping): readonly ReportFigure[] =>
  by === 'cause' || by === 'side' ? LOSSES : REPORT_FIGURES;

/** The share of available hours with kept sessions, such as `82%`; `–` without availability. */
export const utilization = ({ worked, available }: Pick<ReportGroup, 'worked' | 'available'>): string =>
  worked === undefined || available === undefined || available === 0
    ? '–'
    : `${Math.round((worked / available) * 100)}%`;

/** A group's bar: kept, lost and open hours, as shares of the longest bar. */
export interface GroupBar {
  readonly kept: number;
  readonly lost: number;
  readonly open: number;
}

export function barsOf(groups: readonly ReportGroup[]): GroupBar[] {
  const longest = Math.max(1, ...groups.map((group) => group.kept + group.lost + group.open));
  return groups.map(({ kept, lost, open }) => ({ kept: kept / longest, lost: lost / longest, open: open / longest }));
}

/** The named ranges. *Last …* ranges end with the Sunday before the week of `today`. */
export function rangesFor(today: IsoDate): { label: string; from: string; to: string }[] {
  const monday = mondayOf(today);
  const first = `${today.slice(0, 8)}01` as IsoDate;
  return [
    { label: 'This week', ...thisWeek(today) },
    { label: 'Last week', from: addDays(monday, -7), to: addDays(monday, -1) },
    { label: 'Last 4 weeks', from: addDays(monday, -28), to: addDays(monday, -1) },
    { label: 'This month', from: first, to: today },
    { label: 'Last 13 weeks', from: addDays(monday, -91), to: addDays(monday, -1) },
  ];
}

/** A report's dates and location. Without a location, the report covers all locations that the account may see. */
export interface Range {
  readonly location?: Location;
  readonly from: string;
  readonly to: string;
}

/** What is wrong with these dates, in words; null when a report can cover them. The server refuses the same dates. */
export function rangeFault(range: Pick<Range, 'from' | 'to'>): { title: string; text: string } | null {
  const [from, to] = [isoDate(range.from), isoDate(range.to)];
  const days = daysBetween(from, to) + 1;
  if (days < 1)
    return { title: 'The end is before the start.', text: `Choose an end date on or after ${longDate(from)}.` };
  if (days > MOST_REPORT_DAYS)
    return {
      title: `A report covers at most ${MOST_REPORT_DAYS} days, and these are ${days}.`,
      text: `Choose an end date up to ${longDate(addDays(from, MOST_REPORT_DAYS - 1))}.`,
    };
  return null;
}

/** The `location` in the address of a report on all locations. */
export const ALL = 'all';

/** The search values in the address of the Reports page. They default to this week, the location chosen last, by cause. */
interface ReportSearch {
  readonly location?: Location | typeof ALL;
  readonly dates?: Pick<Range, 'from' | 'to'>;
  readonly by: Grouping;
}

export function readReportSearch(search: Readonly<Record<string, string>>): ReportSearch {
  const { location, from = '', to = '', by } = search;
  return {
    ...(location === ALL || isLocation(location) ? { location } : {}),
    ...(parseDate(from) && parseDate(to) ? { dates: { from, to } } : {}),
    by: GROUPINGS.find((each) => each === by) ?? 'cause',
  };
}

/** The report that the address asks for; null while the date of today is not known and needed. */
export function rangeOf(
  { location, dates }: Pick<ReportSearch, 'location' | 'dates'>,
  picked: Location,
  today: IsoDate | null,
): Range | null {
  const chosen = dates ?? (today ? thisWeek(today) : null);
  if (chosen === null) return null;
  return location === ALL ? chosen : { location: picked, ...chosen };
}

const thisWeek = (today: IsoDate): Pick<Range, 'from' | 'to'> => {
  const monday = mondayOf(today);
  return { from: monday, to: addDays(monday, 6) };
};

/** The search values of a report. This week is left out, so that a page left open moves on to the next one. */
export function searchOf({ location, from, to }: Range, by: Grouping, today: IsoDate) {
  const week = thisWeek(today);
  return {
    location: location ?? ALL,
    ...(from === week.from && to === week.to ? {} : { from, to }),
    ...(by === 'cause' ? {} : { by }),
  };
}
