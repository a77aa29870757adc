import {
  BILLABLE_WORDS,
  coveredBy,
  GROUPINGS,
  groupingTitle,
  REPORT_FIGURE_WORDS,
  REPORT_FIGURES,
  type ReportGroup,
  type ReportReply,
} from '@clinic/contract';
import { decimalHours, duration, toCsv } from '@clinic/domain';
import { sheetPlan, writeWorkbook } from '../../platform/workbook.ts';

const COLUMNS: readonly (readonly [string, number, (group: ReportGroup) => string | number])[] = [
  ['Name', 26, (g) => g.label],
  ['Sessions', 10, (g) => g.sessions],
  ...REPORT_FIGURES.map(
    (figure) => [`${REPORT_FIGURE_WORDS[figure]}, h`, 14, (group: ReportGroup) => decimalHours(group[figure])] as const,
  ),
  ['Worked, h', 12, (g) => (g.worked === undefined ? '' : decimalHours(g.worked))],
  ['Available, h', 14, (g) => (g.available === undefined ? '' : decimalHours(g.available))],
];

const coverRows = ({ cover }: ReportReply): [string, string, string][] => [
  ['Most cover', coveredBy(cover.most), duration(cover.most?.minutes ?? 0)],
  ['Median', '', duration(cover.median)],
  ['Least cover', coveredBy(cover.least), duration(cover.least?.minutes ?? 0)],
];

const notesOf = ({ off }: ReportReply): string[] => [BILLABLE_WORDS, ...off.map(({ words }) => words)];

/**
 * Makes a report as a workbook, with sheets for the total, for each grouping, for the most, median and least cover, and
 * for notes.
 */
export function reportWorkbook(report: ReportReply): Promise<Buffer> {
  return writeWorkbook([
    sheetPlan('Total', [report.total], COLUMNS),
    ...GROUPINGS.map((by) => sheetPlan(groupingTitle(by), report.groups[by], COLUMNS)),
    sheetPlan('Cover', coverRows(report), [
      ['Figure', 16, ([figure]) => figure],
      ['Therapist', 26, ([, therapist]) => therapist],
      ['Time', 16, ([, , time]) => time],
    ]),
    sheetPlan('Notes', notesOf(report), [['Note', 100, (note) => note]]),
  ]);
}

/**
 * Makes a report as one CSV table: each row is a group, and the first column names the grouping. The last rows are those
 * of the workbook's sheets for cover and for notes.
 */
export function reportCsv(report: ReportReply): string {
  const line = (by: string) => (group: ReportGroup) => [by, ...COLUMNS.map(([, , of]) => of(group))];
  return toCsv([
    ['Group', ...COLUMNS.map(([title]) => title)],
    ...[report.total].map(line('Total')),
    ...GROUPINGS.flatMap((by) => report.groups[by].map(line(groupingTitle(by)))),
    ...coverRows(report).map((row) => ['Cover', ...row]),
    ...notesOf(report).map((note) => ['Notes', note]),
  ]);
}
