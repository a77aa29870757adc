import { BILLABLE_WORDS, type ReportGroup, type ReportReply } from '@clinic/contract';
import { duration, toCsv } from '@clinic/domain';
import { sheetPlan, writeWorkbook } from '../../platform/workbook.ts';

const GROUPS = [
  ['By location', 'location'],
  ['By client', 'client'],
  ['By therapist', 'therapist'],
  ['By day of week', 'weekday'],
  ['By day', 'day'],
  ['By cause', 'cause'],
  ['Caused by', 'side'],
] as const;

/** Minutes as hours with two decimals, so that spreadsheets can add them up. */
const hours = (minutes: number): number => Math.round((minutes / 60) * 100) / 100;

const COLUMNS: readonly [string, number, (group: ReportGroup) => string | number][] = [
  ['Name', 26, (g) => g.label],
  ['Sessions', 10, (g) => g.sessions],
  ['Booked, h', 12, (g) => hours(g.booked)],
  ['Kept, h', 12, (g) => hours(g.kept)],
  ['Billable, h', 12, (g) => hours(g.billable)],
  ['Lost, h', 12, (g) => hours(g.lost)],
  ['Lost on late notice, h', 18, (g) => hours(g.late)],
  ['Open, h', 12, (g) => hours(g.open)],
  ['Covered, h', 12, (g) => hours(g.covered)],
  ['Made up, h', 12, (g) => hours(g.made_up)],
  ['Worked, h', 12, (g) => (g.worked === undefined ? '' : hours(g.worked))],
  ['Available, h', 14, (g) => (g.available === undefined ? '' : hours(g.available))],
];

const coverRows = ({ cover }: ReportReply): [string, string, string][] => [
  ['Most cover', cover.most?.therapist ?? '', duration(cover.most?.minutes ?? 0)],
  ['Median', '', duration(cover.median)],
  ['Least cover', cover.least?.therapist ?? '', duration(cover.least?.minutes ?? 0)],
];

/**
 * A report as a workbook, with sheets for the total, for each grouping, for the most, median and least cover, and for
 * notes.
 */
export function reportWorkbook(report: ReportReply): Promise<Buffer> {
  return writeWorkbook([
    sheetPlan('Total', [report.total], COLUMNS),
    ...GROUPS.map(([name, by]) => sheetPlan(name, report.groups[by], COLUMNS)),
    sheetPlan('Cover', coverRows(report), [
      ['Figure', 16, ([figure]) => figure],
      ['Therapist', 26, ([, therapist]) => therapist],
      ['Time', 16, ([, , time]) => time],
    ]),
    sheetPlan('Notes', [BILLABLE_WORDS, ...report.off.map(({ words }) => words)], [['Note', 100, (note) => note]]),
  ]);
}

/** A report as one CSV table: each row is a group, and the first column names the grouping. */
export function reportCsv(report: ReportReply): string {
  const line = (by: string) => (group: ReportGroup) => [by, ...COLUMNS.map(([, , of]) => of(group))];
  return toCsv([
    ['Group', ...COLUMNS.map(([title]) => title)],
    ...[report.total].map(line('Total')),
    ...GROUPS.flatMap(([name, by]) => report.groups[by].map(line(name))),
    ...report.off.map(({ words }) => ['Note', words]),
  ]);
}
