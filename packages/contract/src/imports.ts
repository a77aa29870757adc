import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { locationSchema } from './wire.ts';

/** The kinds of export that are read, in the order in which they are imported. */
export const IMPORT_KINDS = ['therapists', 'clients', 'appointments', 'authorizations', 'credentials'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/**
 * How an import went for one file. `taken` (new, changed, unchanged), `merged`, `kept` and `refused` add up to all
 * rows.
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

/** What to review of rows that are imported. */
const IMPORT_NOTES = ['nobody', 'double_booked', 'decided_by_time', 'off_grid', 'deleted', 'cancelled_at'] as const;
export type ImportNote = (typeof IMPORT_NOTES)[number];

/** What the import did with a row; rows that are `new`, `changed` or `unchanged` are in the database. */
export const importRowSchema = z.object({
  kind: z.enum(IMPORT_KINDS),
  /** The row's number in its file; the header is row 1. */
  line: z.number(),
  outcome: z.enum(['new', 'changed', 'unchanged', 'merged', 'kept', 'refused']),
  /** The code of the reason, by which rows are counted; empty when there is none. */
  reason: z.string(),
  /** The reason for people: why the row was refused, or what to review; may be empty. */
  explanation: z.string(),
  /** The row as text, exactly as in its file. */
  original: z.string(),
  /** What to review in a row that is imported. */
  notes: z.optional(z.array(z.enum(IMPORT_NOTES))),
});
export type ImportRow = z.infer<typeof importRowSchema>;

/** Whether a row with this result is in the database. */
export const isTaken = (outcome: ImportRow['outcome']): boolean => ['new', 'changed', 'unchanged'].includes(outcome);

/** The most questions that one import asks. The export of another clinic would ask one for every row. */
export const MOST_QUESTIONS = 200;

/** The answer for a column that is not to be read. */
export const IGNORE_COLUMN = '-';

/** A column of ours, and the column of the file that fills it. */
const filledColumnSchema = z.object({ name: z.string(), column: z.nullable(z.string()) });

/** The columns of a file that have no name of ours, or the name of one that another column fills. */
const importColumnsSchema = z.object({
  kind: z.enum(IMPORT_KINDS),
  file: z.string(),
  /** All columns to choose from. */
  ours: z.array(filledColumnSchema),
  /**
   * Columns that the file must have and that none of its columns fills. Until each is known, all its rows are refused.
   */
  missing: z.array(z.string()),
  questions: z.array(
    z.object({
      /** The key to send with the answer. */
      key: z.string(),
      /** The column's name in the file. */
      column: z.string(),
      /** The column's first few different values. */
      examples: z.array(z.string()),
      /** The name of our column, or `IGNORE_COLUMN`; null when there is no answer yet, and the column is not read. */
      answer: z.nullable(z.string()),
      /** The answer is from an earlier import. */
      remembered: z.boolean(),
      /** Our column that has this name too, and the column that fills it. */
      twin: z.nullable(filledColumnSchema),
    }),
  ),
});

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
    cancelled_at: z.number(),
  }),
  /** Files with columns to ask about; an answer is remembered for later imports of such files. */
  columns: z.array(importColumnsSchema),
  /** Texts for why or by whom sessions were cancelled that are not known here; an answer is remembered. */
  causes: z.object({
    questions: z.array(
      z.object({
        /** The key to send with the answer. */
        key: z.string(),
        kind: z.enum(['cause', 'side']),
        text: z.string(),
        rows: z.number(),
        /**
         * A cause's id, or a side; `IGNORE_COLUMN` when it stays unsaid; null when there is no answer yet, which also
         * leaves it unsaid.
         */
        answer: z.nullable(z.string()),
        remembered: z.boolean(),
      }),
    ),
    /** The causes to choose from. */
    choices: z.array(z.object({ id: z.string(), label: z.string() })),
  }),
  /**
   * Names in the files that match no one, or several people: at most `MOST_QUESTIONS`, those with the most rows
   * first. One answer decides about all rows with the name.
   */
  questions: z.array(
    z.object({
      /** The key by which an answer names its question. */
      key: z.string(),
      kind: z.enum(['client', 'therapist']),
      name: z.string(),
      location: locationSchema,
      rows: z.number(),
      /** The person chosen by an answer that was sent with the files; null when there is no answer yet. */
      answer: z.nullable(z.string()),
      choices: z.array(z.object({ id: z.string(), name: z.string(), location: locationSchema })),
    }),
  ),
  /**
   * The results in file order: every refused row, every row with a note, and of other rows the first thousand of each
   * file.
   */
  rows: z.array(importRowSchema),
});
export type ImportSummary = z.infer<typeof importSummarySchema>;

/** An uploaded file: CSV or XLSX. */
const fileSchema = z.custom<Uint8Array>().check(z.meta({ type: 'string', format: 'binary' }));

export const importsEndpoints = {
  importFiles: endpoint({
    method: 'POST',
    path: '/imports',
    access: 'admin',
    summary: 'Import exports of therapists, clients, appointments, authorizations and credentials, or try it',
    bodyType: 'multipart/form-data',
    body: z.object({
      therapists: z.optional(fileSchema),
      clients: z.optional(fileSchema),
      appointments: z.optional(fileSchema),
      authorizations: z.optional(fileSchema),
      credentials: z.optional(fileSchema),
      /** JSON: by a question's key, the id of the person meant, or which of our columns a column is. */
      answers: z.optional(z.string()),
    }),
    query: z.object({ dry_run: z.optional(z.enum(['true', 'false'])) }),
    reply: importSummarySchema,
  }),
};
