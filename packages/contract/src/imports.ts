import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { locationSchema } from './wire.ts';

/** The kinds of export that are read, in the order in which they are imported. */
export const IMPORT_KINDS = ['therapists', 'clients', 'appointments', 'authorizations', 'credentials'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/**
 * One file of an import in numbers: `taken` (new, changed, unchanged), `merged`, `kept` and `refused` add up to all its
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

/** A row's result, in the reports' words: `new`, `changed` and `unchanged` are imported. */
export const importRowSchema = z.object({
  kind: z.enum(IMPORT_KINDS),
  /** In the file; the header is row 1. */
  line: z.number(),
  outcome: z.enum(['new', 'changed', 'unchanged', 'merged', 'kept', 'refused']),
  /** A code for counting; empty when there is none. */
  reason: z.string(),
  /** For people: why, or what to review; may be empty. */
  explanation: z.string(),
  /** The row as text, exactly as in its file. */
  original: z.string(),
  /** What to review, if it is imported. */
  notes: z.optional(z.array(z.enum(IMPORT_NOTES))),
});
export type ImportRow = z.infer<typeof importRowSchema>;

/** Whether a row with this outcome was imported. */
export const isTaken = (outcome: ImportRow['outcome']): boolean => ['new', 'changed', 'unchanged'].includes(outcome);

/** How many questions an import asks at once: the export of another clinic would ask one for every row. */
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
  /** Those that the file must have, and that no column fills: until then all its rows are refused. */
  missing: z.array(z.string()),
  questions: z.array(
    z.object({
      /** To send with the answer. */
      key: z.string(),
      /** Its name in the file. */
      column: z.string(),
      /** Its first different values. */
      examples: z.array(z.string()),
      /** The name of our column, or `IGNORE_COLUMN`; null: no answer yet, and the column is not read. */
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
  /** Imported, but needs review. */
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
        /** To send with the answer. */
        key: z.string(),
        kind: z.enum(['cause', 'side']),
        text: z.string(),
        rows: z.number(),
        /** A cause's id, or a side; `IGNORE_COLUMN`: not said; null: no answer yet, which is not said either. */
        answer: z.nullable(z.string()),
        remembered: z.boolean(),
      }),
    ),
    /** The causes to choose from. */
    choices: z.array(z.object({ id: z.string(), label: z.string() })),
  }),
  /**
   * Names that fit no one or several people, those with most rows first, at most `MOST_QUESTIONS`; an answer decides about
   * all rows that have the name there.
   */
  questions: z.array(
    z.object({
      /** To send with the answer. */
      key: z.string(),
      kind: z.enum(['client', 'therapist']),
      name: z.string(),
      location: locationSchema,
      rows: z.number(),
      /** The id of the person whom the answers sent with the files chose; null: no answer yet. */
      answer: z.nullable(z.string()),
      choices: z.array(z.object({ id: z.string(), name: z.string(), location: locationSchema })),
    }),
  ),
  /**
   * Every refused row, every row with a note, and the first thousand rows of each file with any other outcome, in file
   * order.
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
