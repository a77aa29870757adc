import type { Contact, CredentialRecord, ImportKind, ImportNote, Need, Tag } from '@clinic/contract';
import type { Gender, Interval, IsoDate, Location, LossSide, Service, Specialization } from '@clinic/domain';
import type { AppointmentStatus } from '../../db/schema.ts';

/** The kinds of export that are read, in the order in which they are imported. */
export { IMPORT_KINDS, type ImportKind } from '@clinic/contract';

/** A file as it was uploaded or named. */
export interface ImportFile {
  /** The name that the person knows, never a path on the server. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A file that cannot be read as a whole. The message is for the person who sent it; nothing was written. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/** Any of the exports; people named in them may already be stored here. */
export type ImportFiles = Readonly<Partial<Record<ImportKind, ImportFile>>>;

/** A row before its columns are known. */
export interface RawRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly original: string;
}

/** A row of a file. */
export interface SourceRow {
  /** Where it starts: 1 is the header's line (CSV) or row (XLSX). */
  readonly line: number;
  /** By the column's name in `columns.ts`; '' if the cell is empty. */
  readonly cells: Readonly<Record<string, string>>;
  /** The row exactly as in the file. */
  readonly original: string;
  /** What is wrong with its shape, found before any cell is read. */
  readonly fault: string | null;
}

/** A column of a file that has no name of ours, or the name of one that another column fills. */
export interface ColumnQuestion {
  /** The key of its answer. */
  readonly key: string;
  /** Its name in the file. */
  readonly column: string;
  readonly examples: readonly string[];
  /** The name of our column, or `IGNORE_COLUMN`; null: no answer yet. */
  readonly answer: string | null;
  /** The answer is from an earlier import. */
  readonly remembered: boolean;
  /** Our column that has this name too, and the column of the file that fills it. */
  readonly twin: FilledColumn | null;
}

/** A column of ours, and the name of the file's column that fills it. */
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
  /** Required columns of ours that no column fills. */
  readonly missing: readonly string[];
}

/** Which of ours a column is, by the keys of `ColumnQuestion`. */
export type ColumnAnswers = ReadonlyMap<string, { readonly answer: string; readonly remembered: boolean }>;

export interface SourceTable {
  readonly file: string;
  readonly columns: FileColumns;
  readonly rows: readonly SourceRow[];
}

export type Tables = Readonly<Partial<Record<ImportKind, SourceTable>>>;

/** What happened to a row: taken (new, changed, unchanged), merged into another row, kept as it is here, or refused. */
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
  /** For people to read; for a row that was taken, what needs review. */
  readonly text: string | null;
  readonly original: string;
  /** What to review of a row that was taken. */
  readonly notes?: readonly ImportNote[];
}

/** A cell that cannot be imported, and why. */
export interface Fault {
  readonly reason: Reason;
  readonly text: string;
}

/** A person that rows name in a way that fits no one, or several: one answer decides about all of them. */
export interface Question {
  readonly key: string;
  readonly kind: 'client' | 'therapist';
  readonly name: string;
  readonly location: Location;
  /** How many rows ask it. */
  rows: number;
  /** The person chosen, by id. */
  readonly answer: string | null;
  readonly choices: readonly { readonly id: string; readonly name: string; readonly location: Location }[];
}

/** A text of an export that means no cause, or no side, that is known here: one answer counts for all its rows. */
export interface CauseQuestion {
  readonly key: string;
  readonly kind: 'cause' | 'side';
  readonly text: string;
  /** How many rows ask it. */
  rows: number;
  /** A cause's id or a side; `IGNORE_COLUMN`: not said; null: no answer yet. */
  readonly answer: string | null;
  readonly remembered: boolean;
}

/** By a question's key, the id of the person meant, or which of our columns a column is. */
export type Answers = Readonly<Record<string, string>>;

export interface Windows extends Interval {
  readonly day: number;
  /** The dates on which it holds; left out where it is not limited, so that the row's hash is as before. */
  readonly from?: IsoDate;
  readonly until?: IsoDate;
}

/** A contact as a row has it. */
export type ImportedContact = Omit<Contact, 'dial'>;

export interface TherapistRecord {
  readonly firstName: string;
  readonly lastName: string;
  readonly location: Location;
  readonly specialization: Specialization;
  readonly gender: Gender;
  readonly startDate: IsoDate;
  /** Left out where the file has none, so that the row's hash is as before there was such a column. */
  readonly endDate?: IsoDate;
  /** Left out where the row has none. */
  readonly weekHours?: number;
  readonly dayHours?: number;
  readonly guaranteedHours?: number;
  readonly consistency: number | null;
  readonly availability: readonly Windows[];
  /** Left out where the row has none: stored ones stay. */
  readonly tags?: readonly Tag[];
  readonly credentials?: readonly CredentialRecord[];
  /** Left out where the row has none: stored ones stay. */
  readonly contacts?: readonly ImportedContact[];
}

export interface ClientRecord {
  readonly firstName: string;
  readonly lastName: string;
  readonly location: Location;
  readonly gender: Gender;
  readonly requiresGender: readonly Gender[];
  /** Ids in the database. */
  readonly excludesTherapist: readonly string[];
  readonly careTeamOnly: boolean;
  readonly rbtOrAbove: boolean;
  readonly twoToOne: boolean;
  /** Left out where the row has none: stored ones stay. */
  readonly needs?: readonly Need[];
  /** Left out where the row has none: stored ones stay. */
  readonly contacts?: readonly ImportedContact[];
}

/** Why, by whom and when a session was cancelled, as far as a row says it. */
export interface ImportedLoss {
  readonly cause: string | null;
  readonly lostBy: LossSide | null;
  /** As a `timestamp`. */
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
  /** The same for all rows of one group. */
  readonly groupKey: string | null;
  /** Left out where the row says nothing of it, so that its hash is as before. */
  readonly loss?: ImportedLoss;
}
