import { REPORT_FIGURES, type Grouping, type ReportFigure, type ReportGroup } from '@clinic/contract';
import { addDays, duration, mondayOf, type IsoDate } from '@clinic/domain';

/** Pure functions for the wording, bars and ranges of the Reports page. */

const LOSSES: readonly ReportFigure[] = ['lost', 'late'];
/** The figures to show for a grouping. Groups by cause, or by who caused the loss, have only lost hours. */
export const figuresOf = (by: Grouping): readonly ReportFigure[] =>
  by === 'cause' || by === 'side' ? LOSSES : REPORT_FIGURES;

/** An amount of time in words, or `–` for none. */
export const amount = (minutes: number): string => (minutes === 0 ? '–' : duration(minutes));

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
export function rangesFor(today: IsoDate): { label: string; from: IsoDate; to: IsoDate }[] {
  const monday = mondayOf(today);
  const first = `${today.slice(0, 8)}01` as IsoDate;
  return [
    { label: 'This week', from: monday, to: addDays(monday, 6) },
    { label: 'Last week', from: addDays(monday, -7), to: addDays(monday, -1) },
    { label: 'Last 4 weeks', from: addDays(monday, -28), to: addDays(monday, -1) },
    { label: 'This month', from: first, to: today },
    { label: 'Last 13 weeks', from: addDays(monday, -91), to: addDays(monday, -1) },
  ];
}
