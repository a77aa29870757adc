// This file is over 250 lines because it lists the columns of every kind of file, with the other names that exports use.
import { IGNORE_COLUMN } from '@clinic/contract';
import { mapValues, tidyText } from '@clinic/domain';
import {
  CLIENT_IDS,
  CLIENT_PARTS,
  idColumn,
  nameColumns,
  partColumns,
  PROVIDER_IDS,
  PROVIDER_PARTS,
} from './composed.ts';
import { CONTACT_COLUMNS } from './contact-columns.ts';
import { LOSS_COLUMNS } from './loss-column-names.ts';
import { CREDENTIAL_COLUMNS } from './tag-columns.ts';
import { LIMITS } from './limits.ts';
import { AUTHORIZATION_COLUMNS, CREDENTIAL_FILE_COLUMNS } from './detail-rows.ts';
import {
  IMPORT_KINDS,
  UnreadableFile,
  type ColumnAnswers,
  type ColumnQuestion,
  type FileColumns,
  type FilledColumn,
  type ImportKind,
} from './import-types.ts';

interface Column {
  readonly name: string;
  /** Other names that exports use for the column. */
  readonly also?: readonly string[];
  /** `if-all-known`: a file may lack the column, but only if none of the file's columns is unknown and could hold it. */
  readonly optional?: true | 'if-all-known';
  /** The columns that together can take its place (`composed.ts`). */
  readonly from?: readonly string[];
  /** The columns of which each can take its place. */
  readonly orAny?: readonly string[];
  /** If the file has this column, then `from` cannot take this one's place. */
  readonly unless?: string;
}

const PROVIDERS = [
  'Provider',
  'Provider Name',
  'Rendering Provider',
  'Therapist',
  'Therapist Name',
  'Staff',
  'Staff Name',
];
const SITES = ['Location Name', 'Clinic', 'Site', 'Office'];

/** The columns of each export; DATA-01 names the columns of appointments. */
const COLUMNS: Readonly<Record<ImportKind, readonly Column[]>> = {
  therapists: [
    { name: 'id', also: PROVIDER_IDS },
    ...nameColumns(['Therapist', 'Provider', 'Staff', 'Employee']),
    { name: 'location', also: [...SITES, 'Office Location', 'Primary Location', 'Home Location', 'Work Location'] },
    { name: 'specialization', also: ['Credential', 'Credentials', 'Certification', 'Job Title', 'Position'] },
    { name: 'gender', also: ['Sex'] },
    { name: 'start_date', also: ['Hire Date', 'Date of Hire', 'Date Hired', 'Employment Start Date'] },
    { name: 'end_date', optional: true, also: ['last_day', 'termination_date', 'separation_date', 'last_day_worked'] },
    { name: 'week_hours', optional: true, also: ['max_weekly_hours', 'weekly_hours', 'max_hours_per_week'] },
    { name: 'day_hours', optional: true, also: ['max_daily_hours', 'max_hours_per_day'] },
    { name: 'guaranteed_hours', optional: true, also: ['minimum_hours', 'min_weekly_hours'] },
    { name: 'consistency', optional: true },
    { name: 'availability' },
    ...CREDENTIAL_COLUMNS,
    { name: 'tags', optional: true, also: ['skills', 'languages', 'trainings', 'certifications'] },
    ...CONTACT_COLUMNS,
  ],
  clients: [
    { name: 'id', also: CLIENT_IDS },
    ...nameColumns(['Client', 'Patient', 'Learner', 'Student']),
    { name: 'location', also: [...SITES, 'Primary Location', 'Home Location', 'Service Location'] },
    { name: 'gender', also: ['Sex'] },
    { name: 'restrictions', optional: 'if-all-known' },
    { name: 'needs', optional: true, also: ['required_skills', 'skills_required'] },
    { name: 'prefers', optional: true, also: ['preferred_skills', 'skills_preferred'] },
    ...CONTACT_COLUMNS,
  ],
  appointments: [
    // Without Ids, sessions are found again by their content.
    { name: 'Id', optional: 'if-all-known', also: ['Appointment Id', 'Appt Id', 'Session Id', 'Event Id'] },
    {
      name: 'StartDateTime',
      also: [
        'Start',
        'Start Time',
        'Appointment Start',
        'Appointment Start Time',
        'Appt Start Time',
        'Scheduled Start',
        'Session Start',
        'Time In',
      ],
      from: ['Time'],
      unless: 'EndDateTime',
    },
    {
      name: 'EndDateTime',
      also: [
        'End',
        'End Time',
        'Appointment End',
        'Appointment End Time',
        'Appt End Time',
        'Scheduled End',
        'Session End',
        'Time Out',
      ],
      from: ['Time'],
      unless: 'StartDateTime',
      orAny: ['Hours', 'Minutes', 'Duration', 'Units'],
    },
    // How long the session takes, in exports without an end.
    {
      name: 'Hours',
      optional: true,
      also: ['Hrs', 'Duration Hours', 'Duration Hrs', 'Total Hours', 'Scheduled Hours', 'Session Hours'],
    },
    {
      name: 'Minutes',
      optional: true,
      also: ['Mins', 'Duration Minutes', 'Duration Mins', 'Duration Min', 'Total Minutes', 'Scheduled Minutes'],
    },
    {
      name: 'Duration',
      optional: true,
      also: ['Session Duration', 'Appointment Duration', 'Length', 'Session Length'],
    },
    // The 15-minute units that are billed for a session.
    {
      name: 'Units',
      optional: true,
      also: [
        'Unit',
        'Billed Units',
        'Billable Units',
        'Scheduled Units',
        'Session Units',
        'Total Units',
        'Units Billed',
      ],
    },
    // Some exports have both times in one column: `8:00 AM - 11:00 AM`.
    {
      name: 'Time',
      optional: true,
      also: ['Session Time', 'Appointment Time', 'Appt Time', 'Scheduled Time', 'Time Range', 'Time Slot'],
    },
    // Some exports have the date in a column of its own, and only times of day in `StartDateTime` and `EndDateTime`.
    {
      name: 'Date',
      optional: true,
      also: ['Appointment Date', 'Appt Date', 'Session Date', 'Service Date', 'Date of Service'],
    },
    {
      name: 'Subject',
      also: [
        'Appointment Type',
        'Session Type',
        'Service',
        'Service Type',
        'Service Code',
        'CPT Code',
        'Procedure Code',
        'CPT',
        'Service Name',
        'Service Description',
        'Procedure',
        'Billing Code',
        'Type',
      ],
    },
    {
      name: 'Preferred_Provider_Name',
      also: [...PROVIDERS, ...PROVIDER_IDS],
      from: PROVIDER_PARTS,
    },
    idColumn('Provider Id', PROVIDER_IDS),
    ...partColumns(PROVIDER_PARTS, ['Provider', 'Rendering Provider', 'Therapist', 'Staff', 'Employee']),
    { name: 'Appointment_Status', also: ['Status', 'Session Status'] },
    {
      name: 'Client Name',
      also: ['Client', 'Patient', 'Patient Name', 'Learner', 'Learner Name', 'Student', 'Student Name', ...CLIENT_IDS],
      from: CLIENT_PARTS,
    },
    idColumn('Client Id', CLIENT_IDS),
    ...partColumns(CLIENT_PARTS, ['Client', 'Patient', 'Learner', 'Student']),
    { name: 'Location', also: [...SITES, 'Service Location'] },
    { name: 'Location Group', optional: true }, // this column is optional because the location decides the group
    ...LOSS_COLUMNS,
  ],
  authorizations: AUTHORIZATION_COLUMNS,
  credentials: CREDENTIAL_FILE_COLUMNS,
};

/** For each kind of file, the columns in which a cell may say that it has no value. */
export const EMPTIABLE: Readonly<Record<ImportKind, ReadonlySet<string>>> = mapValues(
  COLUMNS,
  (columns) =>
    new Set(
      columns.flatMap(({ name, optional }) => (optional || name === 'Id' || name === 'availability' ? [name] : [])),
    ),
);

const LONGEST_NAME = 100;

/** Reduces a name to letters and digits in one case, for comparison. Text too long for a column's name is cut. */
export const headerKey = (text: string): string =>
  text
    .slice(0, LONGEST_NAME)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Counts how many of the columns of this kind of export the header contains. */
export function knownColumns(header: readonly string[], kind: ImportKind): number {
  const keys = new Set(header.map(headerKey));
  return COLUMNS[kind].filter(({ name, also = [] }) => [name, ...also].some((each) => keys.has(headerKey(each))))
    .length;
}

/** The header is looked for in this many rows, because files often have titles above it. */
export const HEADER_WITHIN = 20;

/**
 * Finds the index of the header: the row with the most known columns, if everything above it is nearly empty, such as a
 * title or `sep=;`. Otherwise the first row, so that no row of a table is taken for a title.
 */
export function headerAt(rows: readonly (readonly string[])[], kind: ImportKind): number {
  const top = rows.slice(0, HEADER_WITHIN).map((row) => row.slice(0, LIMITS.columns));
  const known = top.map((row) => knownColumns(row, kind));
  const at = known.indexOf(Math.max(...known));
  const filled = top.map((row) => row.filter((cell) => cell.trim() !== '').length);
  return at > 0 && filled.slice(0, at).every((cells) => cells * 2 < (filled[at] ?? 0)) ? at : 0;
}

/** What a header means: where each of our columns is, and what to ask about the file's other columns. */
export interface Header {
  /** The position of each column that was found, by our name for the column. */
  readonly found: ReadonlyMap<string, number>;
  readonly columns: FileColumns;
  /** The position of the column that each question is about. */
  readonly asked: readonly number[];
}

/** Makes the key of the answer about a column. */
export const columnKey = (kind: ImportKind, key: string): string => `column ${kind} ${key}`;

/**
 * Finds our columns in a header, first by the answers, then by name. Order, letter case and additional columns do not
 * matter. Throws UnreadableFile when a required column occurs twice, or when so many are missing that the file must be
 * another kind of export.
 */
export function findColumns(
  header: readonly string[],
  kind: ImportKind,
  file: string,
  answers: ColumnAnswers = new Map(),
): Header {
  const keys = header.map(headerKey);
  const answerTo = (key: string) => {
    const given = answers.get(columnKey(kind, key));
    const known = given?.answer === IGNORE_COLUMN || COLUMNS[kind].some(({ name }) => name === given?.answer);
    return known ? given : undefined;
  };
  const found = new Map<string, number>();
  for (const [at, key] of keys.entries()) {
    const chosen = answerTo(key)?.answer;
    const ours = COLUMNS[kind].find(({ name }) => name === chosen);
    if (ours && !found.has(ours.name) && keys.indexOf(key) === at) found.set(ours.name, at);
  }
  for (const column of COLUMNS[kind]) {
    if (found.has(column.name)) continue;
    const at = findByName(column, header, file, (key) => answerTo(key) === undefined);
    if (at !== null) found.set(column.name, at);
  }
  const asked = keys.flatMap((key, at) => {
    const named = answerTo(key) === undefined && [...found.values()].some((used) => keys[used] === key);
    return key === '' || named || keys.indexOf(key) !== at ? [] : [at];
  });
  const filledBy = ({ name }: Column): FilledColumn => ({ name, column: nameAt(header, found.get(name)) });
  const questions = asked.map((at): ColumnQuestion => {
    const key = keys[at] ?? '';
    const given = answerTo(key);
    const twin = COLUMNS[kind].find(
      (column) => namesOf(column).includes(key) && found.has(column.name) && found.get(column.name) !== at,
    );
    const valid = given && (given.answer === IGNORE_COLUMN || found.get(given.answer) === at);
    return {
      key: columnKey(kind, key),
      column: nameAt(header, at) ?? '',
      examples: [],
      answer: valid ? given.answer : null,
      remembered: valid ? given.remembered : false,
      twin: twin ? filledBy(twin) : null,
    };
  });
  const allKnown = questions.every(({ answer }) => answer !== null);
  const required = COLUMNS[kind].filter(({ optional }) => optional !== true && !(optional && allKnown));
  const composes = ({ from, unless = '', orAny = [] }: Column) =>
    (from !== undefined && !found.has(unless) && from.every((part) => found.has(part))) ||
    orAny.some((part) => found.has(part));
  const missing = required.flatMap((column) => (found.has(column.name) || composes(column) ? [] : [column.name]));
  const columns: FileColumns = { kind, file, ours: COLUMNS[kind].map(filledBy), questions, missing };
  if (missing.length === 0) return { found, columns, asked };
  // A file without some of our columns (up to half of them) may still be an export of this kind, with those columns
  // under unknown names. The user is asked which column is which.
  const other = likelyKind(header, kind);
  const alike = missing.length * 2 <= required.length && questions.length > 0 && other === undefined;
  if (!alike) throw new UnreadableFile(missingText(kind, file, missing, other));
  return { found, columns, asked };
}

const nameAt = (header: readonly string[], at: number | undefined): string | null =>
  at === undefined ? null : tidyText((header[at] ?? '').slice(0, LONGEST_NAME).replace(/\p{Cc}+/gu, ' '));

const namesOf = ({ name, also = [] }: Column): string[] => [name, ...also].map(headerKey);

/** Returns the position of the column that has our name or else one of the other names; null if there is none. */
function findByName(
  column: Column,
  header: readonly string[],
  file: string,
  free: (key: string) => boolean,
): number | null {
  const keys = header.map(headerKey);
  const called = namesOf(column).find((key) => keys.includes(key) && free(key));
  if (called === undefined) return null;
  const at = keys.indexOf(called);
  if (keys.includes(called, at + 1))
    throw new UnreadableFile(`${file} has the column ${nameAt(header, at) ?? column.name} twice: remove one of them.`);
  return at;
}

/** Finds another kind of export whose required columns are all in this header. */
const likelyKind = (header: readonly string[], kind: ImportKind): ImportKind | undefined =>
  IMPORT_KINDS.find(
    (k) =>
      k !== kind &&
      COLUMNS[k].every((c) => c.optional === true || header.some((text) => headerKey(text) === headerKey(c.name))),
  );

function missingText(
  kind: ImportKind,
  file: string,
  missing: readonly string[],
  other: ImportKind | undefined,
): string {
  const hint = other ? ` It looks like an export of ${other}.` : '';
  const article = kind.startsWith('a') ? 'an' : 'a';
  return `${file} does not look like ${article} ${kind.slice(0, -1)} export: it has no column ${missing.join(', ')}.${hint}`;
}
