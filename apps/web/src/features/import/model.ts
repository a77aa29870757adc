import {
  IGNORE_COLUMN,
  LARGEST_IMPORT_MB,
  closedInWords,
  isTaken,
  openQuestions,
  type ImportFileSummary,
  type ImportNote,
  type ImportRow,
  type ImportSummary,
  type NameQuestion,
  type WordsQuestion,
} from '@clinic/contract';
import { MONTHS } from '@clinic/domain';

/** Pure functions for an import: its files, and the results of their rows in words. */

export type ImportKind = ImportFileSummary['kind'];

export const KINDS: readonly { kind: ImportKind; label: string; columns: string }[] = [
  {
    kind: 'therapists',
    label: 'Therapists',
    columns: 'id, first_name, last_name, location, specialization, gender, start_date, availability',
  },
  { kind: 'clients', label: 'Clients', columns: 'id, first_name, last_name, location, gender, restrictions' },
  {
    kind: 'appointments',
    label: 'Appointments',
    columns:
      'Id, StartDateTime, EndDateTime, Subject, Preferred_Provider_Name, Appointment_Status, Client Name, Location',
  },
  {
    kind: 'authorizations',
    label: 'Authorizations',
    columns: 'client, payer, code, number, from_date, until_date, units, period, prior_units, prior_until',
  },
  { kind: 'credentials', label: 'Credentials', columns: 'therapist, credential, number, from_date, until_date' },
];

export const labelOf = (kind: ImportKind): string => KINDS.find((each) => each.kind === kind)?.label ?? '';

/** A file as it was when chosen. The import reads the same bytes as the check, even if the file on disk changes. */
export interface ChosenFile {
  name: string;
  bytes: Blob;
}
export type ChosenFiles = Readonly<Partial<Record<ImportKind, ChosenFile>>>;

/**
 * Checks a file before it is sent. Returns a sentence about the problem, or null if the file can be sent. What the file is,
 * the server tells by its bytes.
 */
export function problemOfFile({ size }: { size: number }): string | null {
  if (size === 0) return 'The file is empty.';
  if (size > LARGEST_IMPORT_MB * 1024 * 1024)
    return `This file is ${sizeInWords(size)}; the limit is ${LARGEST_IMPORT_MB} MB. Export fewer weeks at once.`;
  return null;
}

export function sizeInWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/**
 * The answers by question key: the id of a person or choice, the party that caused a loss, or the product's name for a
 * column.
 */
export type Answers = Readonly<Record<string, string>>;

/** Which rows to show. `look`: rows that are imported but should be reviewed. */
export type RowFilter = 'refused' | 'look' | 'merged' | 'kept' | 'taken';
/** Shows only the `look` rows with this note; null shows all `look` rows. */
export type NoteFilter = ImportNote | null;

export const FILTER_WORDS: Record<RowFilter, string> = {
  refused: 'Refused',
  look: 'Please review',
  merged: 'Merged',
  kept: 'Your changes kept',
  taken: 'Imported',
};

export function rowsFor(rows: readonly ImportRow[], filter: RowFilter, note: NoteFilter = null): ImportRow[] {
  return rows.filter((row) => {
    const taken = isTaken(row.outcome);
    if (filter === 'look')
      return taken && row.explanation !== '' && (note === null || (row.notes ?? []).includes(note));
    return filter === 'taken' ? taken : row.outcome === filter;
  });
}

/** How many rows there are for each filter, including rows that the server did not list. */
export function countsOf(summary: ImportSummary): Record<RowFilter, number> {
  const sum = (key: 'refused' | 'merged' | 'kept' | 'taken'): number =>
    summary.files.reduce((total, file) => total + file[key], 0);
  return {
    refused: sum('refused'),
    look: rowsFor(summary.rows, 'look').length,
    merged: sum('merged'),
    kept: sum('kept'),
    taken: sum('taken'),
  };
}

/** The filter to start with: the result that most needs the user's attention. */
export const firstFilter = (summary: ImportSummary): RowFilter => {
  const counts = countsOf(summary);
  return (['refused', 'kept', 'look', 'merged', 'taken'] as const).find((filter) => counts[filter] > 0) ?? 'taken';
};

/** How many rows the import would write: new and changed ones. */
export const toWrite = (summary: ImportSummary): number =>
  summary.files.reduce((total, file) => total + file.new + file.changed, 0);

/** All questions that have one answer for all rows. */
function questionsOf({ columns, causes, statuses, locations, dates }: ImportSummary) {
  const words = [dates, locations, statuses, causes].flatMap((of) => of.questions);
  return [...columns.flatMap((of) => of.questions), ...words];
}

/** How many new answers the import would remember; 0 while a file lacks a needed column, since nothing is imported then. */
export function toRemember(summary: ImportSummary): number {
  if (summary.columns.some(({ missing }) => missing.length > 0)) return 0;
  return questionsOf(summary).filter(
    (each) => each.answer !== null && !each.remembered && !('kind' in each && isOfOneFile(each)),
  ).length;
}

/** Whether an answer counts for one file and is not remembered: what all its rows are, or that its dates are left out. */
const isOfOneFile = ({ kind, file, answer }: WordsQuestion): boolean =>
  kind === 'dates' ? answer === IGNORE_COLUMN : file !== undefined;

/** The questions that an import waits for and that this page has no answer to yet. */
export const openOn = (summary: ImportSummary, answers: Answers): number =>
  openQuestions(summary).filter(({ key }) => answers[key] === undefined).length;

/** Whether an answer was given or changed since the check. */
export const isUnchecked = (summary: ImportSummary, answers: Answers): boolean =>
  questionsOf(summary).some(({ key, answer }) => (answers[key] ?? answer) !== answer);

export const questionsInWords = (n: number): string => (n === 1 ? '1 question' : `${number(n)} questions`);

/** Says what an order of day and month makes of a date that could be both; null without such a date. */
export function orderInWords(order: string, examples: readonly string[]): string | null {
  for (const example of examples) {
    const [first = 0, second = 0] = (example.match(/\d+/g) ?? []).map(Number);
    const [day, month] = [`${MONTHS[second - 1]} ${first}`, `${MONTHS[first - 1]} ${second}`];
    if (first > 12 || second > 12 || first === second) continue;
    if (order === 'day') return `Day first: ${example} is ${day}`;
    if (order === 'month') return `Month first: ${example} is ${month}`;
  }
  return null;
}

/** How many questions about names there are to answer, and how many rows name someone who is not here. */
export function namesTitle(questions: readonly NameQuestion[]): string {
  const asked = questions.filter(({ choices }) => choices.length > 0).length;
  const strangers = (['client', 'therapist'] as const).flatMap((kind) => {
    const names = questions.filter((each) => each.kind === kind && each.choices.length === 0);
    return names.length === 0 ? [] : [strangersInWords(kind, names)];
  });
  return [...(asked === 0 ? [] : [questionsInWords(asked)]), ...strangers].join('; ');
}

function strangersInWords(kind: NameQuestion['kind'], names: readonly NameQuestion[]): string {
  const rows = names.reduce((sum, each) => sum + each.rows, 0);
  const who = kind === 'client' ? 'child' : 'therapist';
  return `${rowsInWords(rows)} ${rows === 1 ? 'names' : 'name'} a ${who} we do not have`;
}

export const number = (n: number): string => n.toLocaleString('en-US');
export const rowsInWords = (n: number): string => (n === 1 ? '1 row' : `${number(n)} rows`);

/** What should be reviewed, in words: each note with its count. */
export function notesInWords(summary: ImportSummary): { note: ImportNote; words: string }[] {
  const { notes } = summary;
  const say = (note: ImportNote, one: string, many: string): { note: ImportNote; words: string }[] => {
    const n = notes[note] ?? 0;
    // While servers restart, an older one leaves out a newer note.
    return n > 0 ? [{ note, words: n === 1 ? `1 ${one}` : `${number(n)} ${many}` }] : [];
  };
  return [
    ...say('nobody', 'session without a therapist', 'sessions without a therapist'),
    ...say('double_booked', 'double booking (flagged)', 'double bookings (flagged)'),
    ...say(
      'decided_by_time',
      'row with a name that several people have, given to the person who is at the clinic then',
      'rows with a name that several people have, given to the person who is at the clinic then',
    ),
    ...say(
      'off_series',
      'session that may have been moved from a date before the file',
      'sessions that may have been moved from a date before the file',
    ),
    ...say('off_grid', 'session off the quarter hour', 'sessions off the quarter hour'),
    ...say('cancelled_at', 'time of cancellation that cannot be read', 'times of cancellation that cannot be read'),
    ...say('deleted', 'deleted (kept, not shown)', 'deleted (kept, not shown)'),
    ...say('closed', 'session while its location is closed', 'sessions while their location is closed').map((each) => ({
      ...each,
      words: `${each.words} (${closedInWords(summary)})`,
    })),
    ...say('hidden', 'row that the sheet hides', 'rows that the sheet hides'),
  ];
}
