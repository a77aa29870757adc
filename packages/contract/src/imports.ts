import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/**
 * One file of an import in numbers: `taken` (new, changed, unchanged), `merged`, `kept` and `refused` add up to all its
 * rows.
 */
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

/** A row's result, in the reports' words: `new`, `changed` and `unchanged` are imported. */
export const importRowSchema = z.object({
  kind: z.enum(['therapists', 'clients', 'appointments']),
  /** In the file; the header is row 1. */
  line: z.number(),
  outcome: z.enum(['new', 'changed', 'unchanged', 'merged', 'kept', 'refused']),
  /** A code for counting; empty when there is none. */
  reason: z.string(),
  /** For people: why, or what to review; may be empty. */
  explanation: z.string(),
  /** The row as text, exactly as in its file. */
  original: z.string(),
});
export type ImportRow = z.infer<typeof importRowSchema>;

/** Whether a row with this outcome was imported. */
export const isTaken = (outcome: ImportRow['outcome']): boolean => ['new', 'changed', 'unchanged'].includes(outcome);

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
  }),
  /** Every refused row, and the first thousand rows of each file with any other outcome, in file order. */
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
    summary: 'Import exports of therapists, clients and appointments (CSV or XLSX), or try it',
    bodyType: 'multipart/form-data',
    body: z.object({
      therapists: z.optional(fileSchema),
      clients: z.optional(fileSchema),
      appointments: z.optional(fileSchema),
    }),
    query: z.object({ dry_run: z.optional(z.enum(['true', 'false'])) }),
    reply: importSummarySchema,
  }),
};
