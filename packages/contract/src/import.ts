import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { dateText, locationSchema } from './wire.ts';

/** The kinds of exported data that can be imported, in the order of their import. */
export const IMPORT_KINDS = ['therapists', 'clients', 'appointments', 'authorizations', 'credentials'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/**
 * An import's result for one file. `taken` (new, changed or unchanged), `merged`, `kept` and `refused` add up to all of
 * its rows.
 */
export const importFileSchema = z.object({
  kind: z.enum(IMPORT_KINDS),
  file: z.string(),
  rows: z.number(),
  taken: z.number(),
  new: z.number(),
  changed: z.number(),
  unchanged: z.number(),
  merged: z.number(),
  kept: z.number(),
  refused: z.number(),
  /** How many rows were refused for each reason. */
  reasons: z.record(z.string(), z.number()),
});
export type ImportFileSummary = z.infer<typeof importFileSchema>;

/** The reasons why an imported row should be reviewed. */
const IMPORT_NOTES = [
  'nobody',
  'double_booked',
  'decided_by_time',
  'off_series',
  'off_grid',
  'deleted',
  'cancelled_at',
  'hidden',
  'closed',
] as const;
export type ImportNote = (typeof IMPORT_NOTES)[number];

/** What the import did with a row; rows that are `new`, `changed` or `unchanged` are in the database. */
export const importRowSchema = z.object({
  kind: z.enum(IMPORT_KINDS),
  /** The row's number in its file; the header is row 1. */
  line: z.number(),
  outcome: z.enum(['new', 'changed', 'unchanged', 'merged', 'kept', 'refused']),
  /** The reason's code, as in the file's `reasons`; empty when there is no reason. */
  reason: z.string(),
  /** Why the row was refused, or what to review, in words; may be empty. */
  explanation: z.string(),
  /** The row as text, exactly as in its file. */
  original: z.string(),
  /** Why the imported row should be reviewed. */
  notes: z.optional(z.array(z.enum(IMPORT_NOTES))),
});
export type ImportRow = z.infer<typeof importRowSchema>;

/** Whether a row with this result is in the database. */
export const isTaken = (outcome: ImportRow['outcome']): boolean => ['new', 'changed', 'unchanged'].includes(outcome);

/** The size of the largest file that the import page may send, in MB. */
export const LARGEST_IMPORT_MB = 20;

/** The maximum number of questions in one import. Another clinic's export could raise a question for every row. */
export const MOST_QUESTIONS = 200;

/** The answer for a column or value that should be ignored. */
export const IGNORE_COLUMN = '-';

/** One of our columns, and the file's column that fills it. */
const filledColumnSchema = z.object({ name: z.string(), column: z.nullable(z.string()) });

/**
 * The columns of a file that the import asks about. Their names are unknown, or belong to one of our columns that is
 * already filled.
 */
const importColumnsSchema = z.object({
  kind: z.enum(IMPORT_KINDS),
  file: z.string(),
  /** All of our columns, from which the user chooses. */
  ours: z.array(filledColumnSchema),
  /**
   * Our required columns that none of the file's columns fills. While any is missing, all rows of the file are refused.
   */
  missing: z.array(z.string()),
  /** Like `missing`, but the value can be said once for all rows of the file. */
  unsaid: z.array(z.string()),
  questions: z.array(
    z.object({
      /** The key to send with the answer. */
      key: z.string(),
      /** The column's name in the file. */
      column: z.string(),
      /** The first few different values in the column. */
      examples: z.array(z.string()),
      /** The name of our column, or `IGNORE_COLUMN`; null when there is no answer yet, so the column is not read. */
      answer: z.nullable(z.string()),
      /** Whether the answer is from an earlier import. */
      remembered: z.boolean(),
      /** Our column with the same name, and the file's column that fills it; null when there is none. */
      twin: z.nullable(filledColumnSchema),
      /** Whether the column may change what the rows mean: an import waits for the answer. */
      matters: z.optional(z.boolean()),
      /** Our column that the name suggests. */
      like: z.optional(z.string()),
    }),
  ),
});
export type ImportColumns = z.infer<typeof importColumnsSchema>;
export type ColumnQuestion = ImportColumns['questions'][number];

const wordsQuestionSchema = z.object({
  /** The key to send with the answer. */
  key: z.string(),
  kind: z.enum(['status', 'location', 'cause', 'side', 'dates']),
  /** The words; for `dates`, the columns. Empty if the question is what holds for all rows of `file`. */
  text: z.string(),
  rows: z.number(),
  /**
   * The id of a choice; for a `side`, the party that caused the loss. `IGNORE_COLUMN` leaves the cause or the party
   * empty, or leaves out the rows with the status, location or dates; null means that there is no answer yet.
   */
  answer: z.nullable(z.string()),
  /** Whether the answer is from an earlier import. */
  remembered: z.boolean(),
  /** The file that the question is about, if it is about one. */
  file: z.optional(z.string()),
  /** Some of the dates that the question is about. */
  examples: z.optional(z.array(z.string())),
});

export type WordsQuestion = z.infer<typeof wordsQuestionSchema>;

/** Unknown words in the files, with the answers to choose from. One answer applies to all rows with the words. */
const wordsSchema = z.object({
  questions: z.array(wordsQuestionSchema),
  /** The causes or locations to choose from, or what a status may mean. */
  choices: z.array(z.object({ id: z.string(), label: z.string() })),
});
export type AskedWords = z.infer<typeof wordsSchema>;

/** A name in the files that matches no one, or several people. */
const nameQuestionSchema = z.object({
  /** The key that an answer uses to name its question. */
  key: z.string(),
  kind: z.enum(['client', 'therapist']),
  name: z.string(),
  location: locationSchema,
  rows: z.number(),
  /** The id of the person chosen in an answer; null when there is no answer yet, or when it is `IGNORE_COLUMN`. */
  answer: z.nullable(z.string()),
  /** Whether the answer is from an earlier import. */
  remembered: z.boolean(),
  choices: z.array(z.object({ id: z.string(), name: z.string(), location: locationSchema })),
});
export type NameQuestion = z.infer<typeof nameQuestionSchema>;

/** A file's header, and the cells of some of its rows, by their line. */
const importTableSchema = z.object({
  kind: z.enum(IMPORT_KINDS),
  header: z.array(z.string()),
  cells: z.record(z.string(), z.array(z.string())),
});
export type ImportTable = z.infer<typeof importTableSchema>;

export const importSummarySchema = z.object({
  dry_run: z.boolean(),
  files: z.array(importFileSchema),
  /** How many rows are imported and should be reviewed. */
  notes: z.object({
    nobody: z.number(),
    off_grid: z.number(),
    deleted: z.number(),
    decided_by_time: z.number(),
    double_booked: z.number(),
    off_series: z.number(),
    cancelled_at: z.number(),
    /** Rows that the workbook hides, such as by a filter; not sent if there are none. */
    hidden: z.optional(z.number()),
    /** Sessions while their location is closed; not sent if there are none. */
    closed: z.optional(z.number()),
  }),
  /** The sessions while their location is closed, for each date; not sent if there are none. */
  closed: z.optional(z.array(z.object({ place: z.string(), date: dateText, name: z.string(), sessions: z.number() }))),
  /** Files with columns to ask about; an answer is remembered for later imports of such files. */
  columns: z.array(importColumnsSchema),
  /** Words in the files that match no known cause of a cancellation and no known party. Answers are remembered. */
  causes: wordsSchema,
  /** Statuses in the files that are unknown. Their rows are refused until there is an answer, which is remembered. */
  statuses: wordsSchema,
  /** Locations in the files that are unknown. Their rows are refused until there is an answer, which is remembered. */
  locations: wordsSchema,
  /**
   * Columns whose dates may be day first (`day`) or month first (`month`). Their rows are refused until there is an answer,
   * which is remembered.
   */
  dates: wordsSchema,
  /**
   * Names in the files that match no one, or several people: at most `MOST_QUESTIONS`, those with the most rows
   * first. One answer applies to all rows with the name. Importing remembers the answers about names that match no one.
   */
  questions: z.array(nameQuestionSchema),
  /**
   * The results in file order: every refused row, every row with a note, and the first thousand other rows of each
   * file.
   */
  rows: z.array(importRowSchema),
  /**
   * Each file's header, and the cells of the first 20,000 of the `rows`, for a report that can be corrected and imported
   * again.
   */
  tables: z.array(importTableSchema),
});
export type ImportSummary = z.infer<typeof importSummarySchema>;

/** An uploaded file: CSV or a workbook. */
const fileSchema = z.custom<Uint8Array>().check(z.meta({ type: 'string', format: 'binary' }));

export const importsEndpoints = {
  importFiles: endpoint('POST', '/imports', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Import exports of therapists, clients, appointments, authorizations and credentials, or only check them',
    bodyType: 'multipart/form-data',
    body: z.object({
      therapists: z.optional(fileSchema),
      clients: z.optional(fileSchema),
      appointments: z.optional(fileSchema),
      authorizations: z.optional(fileSchema),
      credentials: z.optional(fileSchema),
      /**
       * JSON: each question's key, with the answer: a person's id, one of our columns, the id of a choice, or the party
       * that caused a loss.
       */
      answers: z.optional(z.string()),
    }),
    query: z.object({ dry_run: z.optional(z.enum(['true', 'false'])) }),
    reply: importSummarySchema,
  }),
};
