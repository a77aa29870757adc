import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** One of the files of an import, in figures: `taken` (new, changed, unchanged), `merged`, `kept` and `refused` are all its rows. */
export const importFileSchema = z.object({
  kind: z.enum(['therapists', 'clients', 'appointments']),
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

/** A row's result, in the words of the reports: `new`, `changed` and `unchanged` are imported. */
export const importRowSchema = z.object({
  kind: z.enum(['therapists', 'clients', 'appointments']),
  /** In the file: 1 is the header. */
  line: z.number(),
  outcome: z.enum(['new', 'changed', 'unchanged', 'merged', 'kept', 'refused']),
  /** For counting; empty where there is none. */
  reason: z.string(),
  /** For people: why, or what to review; empty where there is nothing to say. */
  explanation: z.string(),
  /** The row as it stands in the file: text, whatever it looks like. */
  original: z.string(),
});
export type ImportRow = z.infer<typeof importRowSchema>;

/** Whether a row with this outcome was imported. */
export const isTaken = (outcome: ImportRow['outcome']): boolean => ['new', 'changed', 'unchanged'].includes(outcome);

export const importSummarySchema = z.object({
  dry_run: z.boolean(),
  files: z.array(importFileSchema),
  /** Imported, to be reviewed. */
  notes: z.object({
    nobody: z.number(),
    off_grid: z.number(),
    deleted: z.number(),
    decided_by_time: z.number(),
    double_booked: z.number(),
  }),
  /** Every refused row, and of each file the first thousand of every other outcome, in the order of the files. */
  rows: z.array(importRowSchema),
});
export type ImportSummary = z.infer<typeof importSummarySchema>;

export const importsEndpoints = {
  /** The body is `multipart/form-data` with up to three files, in the fields `therapists`, `clients`, `appointments`. */
  importFiles: endpoint({
    method: 'POST',
    path: '/imports',
    access: 'admin',
    summary: 'Import exports of therapists, clients and appointments (CSV or XLSX), or try it',
    query: z.object({ dry_run: z.optional(z.enum(['true', 'false'])) }),
    reply: importSummarySchema,
  }),
};
