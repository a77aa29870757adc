import {
  IGNORE_COLUMN,
  openQuestions,
  closedInWords,
  importReportCsv,
  isTaken,
  type ImportFileSummary,
  type ImportRow,
  type ImportSummary,
  type ImportTable,
  type OpenQuestion,
  type WordsQuestion,
  waitsFor,
} from '@clinic/contract';
import { compareText, groupBy, locationLabel } from '@clinic/domain';
import type { Outcome } from './import-types.ts';
import type { ImportResult } from './imports.service.ts';

/** The result of an import, in figures and row by row: printed by `--json`, and sent as the reply. */
export function summarize(result: ImportResult): ImportSummary {
  const files = result.files.map(({ kind, file, rows }): ImportFileSummary => {
    const outcomes = result.outcomes.filter((o) => o.kind === kind);
    const found = new Map<Outcome, number>();
    for (const { outcome } of outcomes) found.set(outcome, (found.get(outcome) ?? 0) + 1);
    const count = (outcome: Outcome): number => found.get(outcome) ?? 0;
    const counts = { new: count('new'), changed: count('changed'), unchanged: count('unchanged') };
    const reasons: Record<string, number> = {};
    for (const o of outcomes) if (o.outcome === 'refused' && o.reason) reasons[o.reason] = (reasons[o.reason] ?? 0) + 1;
    return {
      kind,
      file,
      rows,
      taken: counts.new + counts.changed + counts.unchanged,
      ...counts,
      merged: count('merged'),
      kept: count('kept'),
      refused: count('refused'),
      reasons,
    };
  });
  const rows = rowsOf(result);
  return {
    dry_run: result.dryRun,
    files,
    notes: notesOf(result),
    ...closedOf(result),
    columns: [...result.columns],
    causes: result.causes,
    statuses: result.statuses,
    locations: result.locations,
    dates: { ...result.dates, questions: result.dates.questions.map(({ keys: _, ...each }) => each) },
    questions: result.questions.map(({ keep: _, ...each }) => each),
    rows,
    tables: tablesOf(result, rows.slice(0, MOST_WITH_CELLS)),
  };
}

/**
 * How many of a file's rows are shown for each outcome. All refused rows and all rows to review are shown, so that the
 * list has every note that was counted.
 */
const MOST_ROWS = 1000;

function rowsOf(result: ImportResult): ImportRow[] {
  const told = new Map<string, number>();
  const rows: ImportRow[] = [];
  for (const each of result.outcomes) {
    const key = `${each.kind} ${each.outcome}`;
    const before = told.get(key) ?? 0;
    const always = each.outcome === 'refused' || (isTaken(each.outcome) && each.text !== null);
    if (!always && before >= MOST_ROWS) continue;
    if (!always) told.set(key, before + 1);
    rows.push(rowOf(each));
  }
  return rows;
}

const rowOf = ({
  kind,
  line,
  outcome,
  reason,
  text,
  original,
  notes,
}: ImportResult['outcomes'][number]): ImportRow => ({
  kind,
  line,
  outcome,
  original,
  reason: reason ?? '',
  explanation: text ?? '',
  ...(notes ? { notes: [...notes] } : {}),
});

/** How many rows a reply has the cells of. A report of more rows than these is corrected in parts. */
const MOST_WITH_CELLS = 20_000;

/** Returns each file's header, with the cells of these rows. */
function tablesOf({ files }: ImportResult, rows: readonly ImportRow[]): ImportTable[] {
  return files.map(({ kind, header, cells }) => ({
    kind,
    header: [...header],
    cells: Object.fromEntries(
      rows.flatMap((row) => (row.kind === kind ? [[row.line, [...(cells.get(row.line) ?? [])]]] : [])),
    ),
  }));
}

/** Counts how many rows have each note, from the same rows as the list, so that the figures match it. */
function notesOf({ outcomes }: ImportResult): ImportSummary['notes'] {
  const counts: ImportSummary['notes'] = {
    nobody: 0,
    double_booked: 0,
    decided_by_time: 0,
    off_series: 0,
    off_grid: 0,
    deleted: 0,
    cancelled_at: 0,
  };
  for (const { notes = [] } of outcomes) for (const note of notes) counts[note] = (counts[note] ?? 0) + 1;
  return counts;
}

/** Counts the sessions in closed time, for each location and date. */
function closedOf({ outcomes, closed }: ImportResult): Pick<ImportSummary, 'closed'> {
  const times = outcomes.flatMap(({ line, notes }) =>
    notes?.includes('closed') === true ? (closed.get(line) ?? []) : [],
  );
  const dates = groupBy(times, ({ location, date }) => `${date} ${location}`);
  const list = [...dates.values()].flatMap(([first, ...others]) =>
    first
      ? [{ place: locationLabel(first.location), date: first.date, name: first.name, sessions: 1 + others.length }]
      : [],
  );
  return list.length === 0 ? {} : { closed: list.sort((a, b) => compareText(a.date, b.date)) };
}

const number = (n: number): string => n.toLocaleString('en-US');

const rowsInWords = (n: number): string => (n === 1 ? '1 row' : `${number(n)} rows`);

const listed = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');

/** Makes the lines that the command line prints about columns with unknown names that do not change what rows mean. */
function columnLines({ columns }: ImportSummary): string[] {
  return columns.flatMap(({ file, questions }) => {
    const open = questions.filter(({ answer, matters }) => answer === null && !matters).map(({ column }) => column);
    const read = questions.flatMap(({ column, answer, remembered }) =>
      answer === null || answer === IGNORE_COLUMN
        ? []
        : [`“${column}” as ${answer}${remembered ? ', as answered in an earlier import' : ''}`],
    );
    return [
      ...(read.length > 0 ? [`${file}: reads ${read.join('; ')}.`] : []),
      ...(open.length > 0
        ? [
            `${file}: leaves out ${listed(open)}. The import page asks which of our columns these are, and remembers the answers.`,
          ]
        : []),
    ];
  });
}

/** Makes the lines that the command line prints about unknown locations. */
function locationLines({ locations }: ImportSummary): string[] {
  const texts = openTexts(
    locations.questions.filter((each) => !waitsFor(each)),
    ({ text, rows }) => `${listed([text])} (${rowsInWords(rows)})`,
  );
  return texts === null
    ? []
    : [
        `These locations are unknown, and their rows are refused: ${texts}. On the import page, check the file, choose which location each one is, and import it. The answers are remembered, also for this command.`,
      ];
}

/**
 * Makes the lines that the command line prints about unknown words for causes, or for who cancelled (such as the
 * family or the clinic).
 */
function causeLines({ causes }: ImportSummary): string[] {
  const texts = openTexts(causes.questions, ({ text }) => listed([text]));
  return texts === null
    ? []
    : [
        `These words for who cancelled a session, or why, are unknown: ${texts}. The import page asks what they mean, and remembers the answers.`,
      ];
}

/** The maximum number of unknown words in a line, and of questions in a list. */
const MOST_TEXTS = 5;
const MOST_LISTED = 20;
/** How many of the possible answers are listed. */
const MOST_CHOICES = 40;

/** Lists the words without an answer; null if there are none. */
function openTexts(questions: readonly WordsQuestion[], say: (question: WordsQuestion) => string): string | null {
  const open = questions.filter(({ answer }) => answer === null);
  const more = open.length > MOST_TEXTS ? ` and ${number(open.length - MOST_TEXTS)} more` : '';
  return open.length === 0 ? null : `${open.slice(0, MOST_TEXTS).map(say).join(', ')}${more}`;
}

/** Makes the text that the command line prints about questions for which an import waits: each with the way to answer it. */
export function openQuestionsText(questions: readonly OpenQuestion[]): string {
  const more = questions.length > MOST_LISTED ? [`And ${number(questions.length - MOST_LISTED)} more.`] : [];
  return [
    `${questions.length === 1 ? '1 question' : `${number(questions.length)} questions`} must be answered first. Answer on the import page, which remembers the answers, or here (${IGNORE_COLUMN} leaves the column or the rows out):`,
    ...questions
      .slice(0, MOST_LISTED)
      .map(
        ({ key, words, rows, choices }) =>
          `  ${words}${rows === null ? '' : ` (${rowsInWords(rows)})`}\n    --answer '${key.replaceAll("'", "'\\''")}=…' with ${choices.slice(0, MOST_CHOICES).join(', ')} or ${IGNORE_COLUMN}`,
      ),
    ...more,
  ].join('\n');
}

/** Makes the lines about dates that are read day first or month first because someone has said so. */
const dateLines = ({ dates }: ImportSummary): string[] =>
  dates.questions.flatMap(({ text, file = '', answer }) =>
    answer === 'day' || answer === 'month' ? [`${file}: reads the dates of ${text} ${answer} first, as answered.`] : [],
  );

/** Makes the summary that the command line prints. */
export function summaryText(summary: ImportSummary): string {
  const lines = [summary.dry_run ? 'Dry run: nothing was written.' : 'Imported.'];
  for (const f of summary.files) {
    const parts = [
      f.new > 0 ? `${number(f.new)} new` : '',
      f.changed > 0 ? `${number(f.changed)} changed` : '',
      f.unchanged > 0 ? `${number(f.unchanged)} unchanged` : '',
      f.merged > 0 ? `${number(f.merged)} merged into others` : '',
      f.kept > 0 ? `${number(f.kept)} kept with your changes` : '',
      f.refused > 0 ? `${number(f.refused)} refused` : '',
    ].filter(Boolean);
    lines.push(`${f.file}: ${rowsInWords(f.rows)}: ${parts.join(', ') || 'nothing to do'}.`);
    const reasons = Object.entries(f.reasons).sort(([, a], [, b]) => b - a);
    if (reasons.length > 0)
      lines.push(`  refused: ${reasons.map(([reason, n]) => `${number(n)} ${reason}`).join(', ')}.`);
  }
  lines.push(...dateLines(summary), ...columnLines(summary), ...locationLines(summary), ...causeLines(summary));
  const decided = summary.questions.reduce((n, { remembered, rows }) => n + (remembered ? rows : 0), 0);
  if (decided > 0)
    lines.push(`${rowsInWords(decided)} with a name that no one has: read as answered in an earlier import.`);
  const {
    nobody,
    double_booked,
    off_series,
    off_grid,
    deleted,
    decided_by_time,
    cancelled_at,
    hidden = 0,
    closed = 0,
  } = summary.notes;
  const notes = [
    nobody > 0 ? `${nobody === 1 ? '1 session' : `${number(nobody)} sessions`} without a therapist` : '',
    double_booked > 0
      ? `${number(double_booked)} that ${double_booked === 1 ? 'double-books' : 'double-book'} a therapist or a client (flagged)`
      : '',
    decided_by_time > 0
      ? `${number(decided_by_time)} with a shared name, given to the person who is at the clinic then`
      : '',
    off_series > 0 ? `${number(off_series)} that may have been moved from a date before the file` : '',
    off_grid > 0 ? `${number(off_grid)} off the quarter hour` : '',
    deleted > 0 ? `${number(deleted)} deleted (kept, not shown)` : '',
    cancelled_at > 0 ? `${number(cancelled_at)} with a time of cancellation that cannot be read` : '',
    closed > 0 ? `${number(closed)} while their location is closed (${closedInWords(summary)})` : '',
    hidden > 0 ? `${rowsInWords(hidden)} that the sheet hides` : '',
  ].filter(Boolean);
  if (notes.length > 0) lines.push(`Imported, please review: ${notes.join('; ')}.`);
  const open = openQuestions(summary);
  if (open.length > 0) lines.push(openQuestionsText(open));
  return lines.join('\n');
}

/** Makes the report: every row that was refused, merged or kept, and imported rows to review. */
export function reportCsv(result: ImportResult): string {
  const rows = result.outcomes.map(rowOf).filter(({ outcome, explanation }) => !isTaken(outcome) || explanation !== '');
  return importReportCsv(rows, result.files, tablesOf(result, rows));
}
