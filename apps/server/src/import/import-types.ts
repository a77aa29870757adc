import type {
  Contact,
  CredentialRecord,
  ImportColumns,
  ImportKind,
  ImportNote,
  NameQuestion,
  Need,
  OpenQuestion,
  Tag,
  WordsQuestion,
} from '@clinic/contract';
import type { Gender, Interval, IsoDate, Location, LossSide, Service, Specialization } from '@clinic/domain';
import type { AppointmentStatus } from '../db/schema/calendar.ts';
import type { ParsedRestrictions } from './rows/fields.ts';

/** The kinds of export, in the order in which they are imported. */
export { IMPORT_KINDS, type ImportKind } from '@clinic/contract';

/** A file that a user uploaded or named on the command line. */
export interface ImportFile {
  /** The name as the user knows it, never a path on the server. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Thrown when the whole file cannot be read. The message is for the user who sent the file; nothing was written. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/** Thrown when an import would have to guess what its rows mean; nothing was written. */
export class UnansweredQuestions extends UnreadableFile {
  readonly questions: readonly OpenQuestion[];

  constructor(questions: readonly OpenQuestion[]) {
    const [first] = questions;
    const more = questions.length > 1 ? ` And ${questions.length - 1} more.` : '';
    super(
      `${questions.length === 1 ? 'A question that can change what rows mean is open' : `${questions.length} questions that can change what rows mean are open`}: ${first?.words ?? ''}${more} Check the files on the import page and answer there.`,
    );
    this.questions = questions;
  }
}

/** One or more export files, by kind. Rows may name people who are in the database but not in these files. */
export type ImportFiles = Readonly<Partial<Record<ImportKind, ImportFile>>>;

/** A row before its columns are known. */
export interface RawRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly original: string;
  /** What a sheet shows in cells whose format adds a text, by their positions. */
  readonly shown?: ReadonlyMap<number, string>;
  /** The positions of formulas that were never calculated. */
  readonly unknown?: readonly number[];
  /** Whether the sheet hides the row, such as by a filter. */
  readonly hidden?: boolean;
}

/** A row of a file. */
export interface SourceRow {
  /** The line (CSV) or row (workbook) on which this row starts; the header has number 1. */
  readonly line: number;
  /** Cells by our names for the columns (`columns.ts`); '' for an empty cell. */
  readonly cells: Readonly<Record<string, string>>;
  /** The row exactly as in the file, and its cells. */
  readonly original: string;
  readonly given: readonly string[];
  /** What is wrong with the row as a whole, found before its cells are read. */
  readonly fault: string | null;
  /** Why an appointment's dates cannot be read yet. */
  readonly waits?: string;
  readonly hidden?: boolean;
}

/** The answers about columns, words and names, by the key of their question. */
export type ColumnAnswers = ReadonlyMap<string, { readonly answer: string; readonly remembered: boolean }>;

export interface SourceTable {
  readonly file: string;
  readonly header: readonly string[];
  readonly columns: ImportColumns;
  readonly rows: readonly SourceRow[];
  /** The questions about the order of day and month. */
  readonly dates: readonly DatesQuestion[];
}

export type Tables = Readonly<Partial<Record<ImportKind, SourceTable>>>;

/** What happened to a row: imported (new, changed, unchanged), merged into another, kept as it is here, or refused. */
export type Outcome = 'new' | 'changed' | 'unchanged' | 'merged' | 'kept' | 'refused';

/** Why a row was refused or kept, for counting. */
export type Reason =
  | 'malformed row'
  | 'missing value'
  | 'bad value'
  | 'unknown status'
  | 'duplicate id'
  | 'unknown client'
  | 'unknown therapist'
  | 'unknown location'
  | 'ambiguous client'
  | 'ambiguous therapist'
  | 'end before start'
  | 'outside the day'
  | 'overlaps here'
  | 'changed here'
  | 'same as another';

/** The explanation for a row that is kept because users have changed it in the product. */
export const CHANGED_HERE = 'it was changed here since it was imported; your changes stay';

/** The explanation for a row with an Id that was given here, as in the product's own export. */
export const MADE_HERE = 'it was made or changed here; what is here stays';

export interface RowOutcome {
  readonly kind: ImportKind;
  readonly line: number;
  readonly outcome: Outcome;
  readonly reason: Reason | null;
  /** An explanation for the user; for an imported row, what to review. */
  readonly text: string | null;
  readonly original: string;
  /** What to review in an imported row. */
  readonly notes?: readonly ImportNote[];
}

/**
 * A session that is different in the file and here, because it was changed here since it was imported. An import leaves
 * it as it is here.
 */
export interface Difference {
  /** The key under which earlier imports stored it, and what identifies the file's version of it. */
  readonly key: string;
  readonly hash: string;
  readonly appointmentId: string;
  /** The version here that was compared. */
  readonly version: number;
  /** Whether the file's version changed as well since it was imported. */
  readonly both: boolean;
  readonly theirs: DifferingSession;
}

/** A session in what the two calendars may disagree about. Times are minutes after midnight. */
export type DifferingSession = Pick<
  AppointmentRecord,
  'location' | 'clientId' | 'therapistId' | 'subject' | 'status' | 'date' | 'start' | 'end'
>;

/** Why a cell cannot be imported. */
export interface Fault {
  readonly reason: Reason;
  readonly text: string;
}

/** A question about a name, with the answer to remember even if it chooses no person; null if there is nothing new. */
export interface Question extends NameQuestion {
  readonly keep: string | null;
}

/** The question whether the dates in some columns of a file are day first (`day`) or month first (`month`). */
export interface DatesQuestion extends WordsQuestion {
  readonly kind: 'dates';
  /** The keys under which the answer is remembered, one for each column. */
  readonly keys: readonly string[];
  readonly file: string;
  readonly examples: string[];
}

/**
 * The answers by the keys of their questions. An answer is the id of a person or cause, a side, one of the
 * `statusChoices`, our name for a column, or `IGNORE_COLUMN`.
 */
export type Answers = Readonly<Record<string, string>>;

export interface Windows extends Interval {
  readonly day: number;
  /**
   * The dates on which the window applies. Left out if the window always applies, so that the row's hash is the same as
   * before windows had dates.
   */
  readonly from?: IsoDate;
  readonly until?: IsoDate;
}

/** A contact in a row. */
export type ImportedContact = Omit<Contact, 'dial'>;

export interface TherapistRecord {
  readonly firstName: string;
  readonly lastName: string;
  readonly location: Location;
  readonly specialization: Specialization;
  readonly gender: Gender;
  readonly startDate: IsoDate;
  /** Left out if the file has no such column, so that the row's hash is the same as before the column existed. */
  readonly endDate?: IsoDate;
  /** The hour limits are left out if the row has no limits. */
  readonly weekHours?: number;
  readonly dayHours?: number;
  readonly guaranteedHours?: number;
  readonly consistency: number | null;
  readonly availability: readonly Windows[];
  /** Left out if the row has none; the stored tags and credentials then stay. */
  readonly tags?: readonly Tag[];
  readonly credentials?: readonly CredentialRecord[];
  /** Left out if the row has none; the stored contacts then stay. */
  readonly contacts?: readonly ImportedContact[];
}

/** The restrictions are left out if the file has no column for them; the stored ones then stay. */
export interface ClientRecord extends Partial<ParsedRestrictions> {
  readonly firstName: string;
  readonly lastName: string;
  readonly location: Location;
  readonly gender: Gender;
  /** Left out if the row has none; the stored last day then stays. */
  readonly endDate?: IsoDate;
  /** Left out if the row has none; the stored needs then stay. */
  readonly needs?: readonly Need[];
  /** Left out if the row has none; the stored contacts then stay. */
  readonly contacts?: readonly ImportedContact[];
}

/** Why and when a session was cancelled, and by whom, as far as the row states it. */
export interface ImportedLoss {
  readonly cause: string | null;
  readonly lostBy: LossSide | null;
  /** When the loss became known, as a PostgreSQL `timestamp`. */
  readonly known: string | null;
}

/** What a status in an export means; for a cancelled session, with the cause and the side if the status says them. */
export interface StatusMeaning {
  readonly status: AppointmentStatus;
  readonly cause: string | null;
  readonly lostBy: LossSide | null;
  /** What one of our own statuses says besides, as in `Cancelled by Provider - Sick`. */
  readonly said?: { readonly by: string | null; readonly words: readonly string[] };
}

/** An appointment merged from its rows, in the form to be stored. Times are minutes after midnight. */
export interface AppointmentRecord extends Interval {
  readonly wireId: string;
  readonly location: Location;
  readonly clientId: string | null;
  readonly therapistId: string | null;
  readonly service: Service;
  readonly subject: string;
  readonly status: AppointmentStatus;
  readonly date: IsoDate;
  /** The same string for all appointments of one group. */
  readonly groupKey: string | null;
  /** Left out if the row has no such values, so that the row's hash is the same as before these columns existed. */
  readonly loss?: ImportedLoss;
}
