import type { Contact, CredentialRecord, ImportKind, ImportNote, Need, Tag } from '@clinic/contract';
import type { Gender, Interval, IsoDate, Location, LossSide, Service, Specialization } from '@clinic/domain';
import type { AppointmentStatus } from '../../db/schema.ts';

/** The kinds of export that are read, in the order in which they are imported. */
export { IMPORT_KINDS, type ImportKind } from '@clinic/contract';

/** A file that a person uploaded or named on the command line. */
export interface ImportFile {
  /** The name as the person knows it, never a path on the server. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The whole file cannot be read. The message is for the person who sent it; nothing was written. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/** Any of the exports. Rows may name people who are only stored here. */
export type ImportFiles = Readonly<Partial<Record<ImportKind, ImportFile>>>;

/** A row before its columns are known. */
export interface RawRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly original: string;
}

/** A row of a file. */
export interface SourceRow {
  /** The line (CSV) or row (XLSX) on which it starts; the header's is 1. */
  readonly line: number;
  /** Cells by our names for the columns (`columns.ts`); '' for an empty cell. */
  readonly cells: Readonly<Record<string, string>>;
  /** The row exactly as in the file. */
  readonly original: string;
  /** What is wrong with the row as a whole, found before any cell is read. */
  readonly fault: string | null;
}

/**
 * A column of a file whose name we do not know, or whose name belongs to a column of ours that another column fills.
 */
export interface ColumnQuestion {
  /** The key under which its answer is stored. */
  readonly key: string;
  /** Its name in the file. */
  readonly column: string;
  readonly examples: readonly string[];
  /** The name of our column, or `IGNORE_COLUMN`; null: no answer yet. */
  readonly answer: string | null;
  /** Whether the answer comes from an earlier import. */
  readonly remembered: boolean;
  /** Our column that also has this name, and the file's column that fills it. */
  readonly twin: FilledColumn | null;
}

/** One of our columns, and the name of the file's column that fills it. */
export interface FilledColumn {
  readonly name: string;
  readonly column: string | null;
}

export interface FileColumns {
  readonly kind: ImportKind;
  readonly file: string;
  readonly ours: readonly FilledColumn[];
  /** In the file's order. */
  readonly questions: readonly ColumnQuestion[];
  /** Our required columns that no column of the file fills. */
  readonly missing: readonly string[];
}

/** Which of our columns each column is, by the key of its `ColumnQuestion`. */
export type ColumnAnswers = ReadonlyMap<string, { readonly answer: string; readonly remembered: boolean }>;

export interface SourceTable {
  readonly file: string;
  readonly columns: FileColumns;
  readonly rows: readonly SourceRow[];
}

export type Tables = Readonly<Partial<Record<ImportKind, SourceTable>>>;

/**
 * What happened to a row: it was taken (new, changed, unchanged), merged into another row, kept as it is here, or
 * refused.
 */
export type Outcome = 'new' | 'changed' | 'unchanged' | 'merged' | 'kept' | 'refused';

/** Why a row was refused or kept, for counting. */
export type Reason =
  | 'malformed row'
  | 'missing value'
  | 'bad value'
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

export interface RowOutcome {
  readonly kind: ImportKind;
  readonly line: number;
  readonly outcome: Outcome;
  readonly reason: Reason | null;
  /** A text for people; for a row that was taken, it says what to review. */
  readonly text: string | null;
  readonly original: string;
  /** What to review in a row that was taken. */
  readonly notes?: readonly ImportNote[];
}

/** A cell that cannot be imported, and why. */
export interface Fault {
  readonly reason: Reason;
  readonly text: string;
}

/** A name in rows that fits no person, or several. One answer decides about all these rows. */
export interface Question {
  readonly key: string;
  readonly kind: 'client' | 'therapist';
  readonly name: string;
  readonly location: Location;
  /** How many rows wait for the answer. */
  rows: number;
  /** The id of the person chosen. */
  readonly answer: string | null;
  readonly choices: readonly { readonly id: string; readonly name: string; readonly location: Location }[];
}

/** A text of an export that we do not know as a cause or a side. One answer counts for all its rows. */
export interface CauseQuestion {
  readonly key: string;
  readonly kind: 'cause' | 'side';
  readonly text: string;
  /** How many rows wait for the answer. */
  rows: number;
  /** The id of a cause, or a side; `IGNORE_COLUMN` when it stays unsaid, null when there is no answer yet. */
  readonly answer: string | null;
  readonly remembered: boolean;
}

/** The answers by the keys of their questions: the id of the person meant, or our name of a column. */
export type Answers = Readonly<Record<string, string>>;

export interface Windows extends Interval {
  readonly day: number;
  /**
   * The dates on which it holds. Left out where it always holds, so that the row's hash stays what it was before there
   * were dates.
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
  /** Left out when the file has no such column, so that the row's hash stays what it was before there was one. */
  readonly endDate?: IsoDate;
  /** Left out when the row has none. */
  readonly weekHours?: number;
  readonly dayHours?: number;
  readonly guaranteedHours?: number;
  readonly consistency: number | null;
  readonly availability: readonly Windows[];
  /** Left out when the row has none: stored ones stay. */
  readonly tags?: readonly Tag[];
  readonly credentials?: readonly CredentialRecord[];
  /** Left out when the row has none: stored ones stay. */
  readonly contacts?: readonly ImportedContact[];
}

export interface ClientRecord {
  readonly firstName: string;
  readonly lastName: string;
  readonly location: Location;
  readonly gender: Gender;
  readonly requiresGender: readonly Gender[];
  /** Ids as in the database. */
  readonly excludesTherapist: readonly string[];
  readonly careTeamOnly: boolean;
  readonly rbtOrAbove: boolean;
  readonly twoToOne: boolean;
  /** Left out when the row has none: stored ones stay. */
  readonly needs?: readonly Need[];
  /** Left out when the row has none: stored ones stay. */
  readonly contacts?: readonly ImportedContact[];
}

/** Why, by whom and when a session was cancelled, as far as the row says so. */
export interface ImportedLoss {
  readonly cause: string | null;
  readonly lostBy: LossSide | null;
  /** Written as a `timestamp`. */
  readonly known: string | null;
}

/** What an appointment's rows say, in the form to be stored. Times are minutes after midnight. */
export interface AppointmentRecord extends Interval {
  readonly wireId: string;
  readonly location: Location;
  readonly clientId: string | null;
  readonly therapistId: string | null;
  readonly service: Service;
  readonly subject: string;
  readonly status: AppointmentStatus;
  readonly date: IsoDate;
  /** The same text for all rows of one group. */
  readonly groupKey: string | null;
  /** Left out when the row says nothing about it, so that the row's hash stays as it was. */
  readonly loss?: ImportedLoss;
}
