import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { dateText, instantText, locationSchema, textSchema, timeText } from './wire.ts';

/** The last set of files from the folder for imports, in figures. */
const folderImportSchema = z.object({
  id: z.string(),
  at: instantText,
  /** `waiting`: someone must decide first. `failed`: a file could not be read. `superseded`: a newer set came. */
  state: z.enum(['waiting', 'imported', 'superseded', 'failed']),
  files: z.number(),
  new: z.number(),
  changed: z.number(),
  refused: z.number(),
  /** How many of the refused rows were not refused in the set imported before. */
  newly_refused: z.number(),
  /** How many questions are open. */
  questions: z.number(),
  /** Why the files could not be read; empty if they could. */
  fault: z.string(),
  /** Where the files and their report are, below the folder for imports. */
  folder: z.string(),
  /** Whether someone has asked for it once more, which takes up to a minute. */
  wanted: z.boolean(),
});
export type FolderImport = z.infer<typeof folderImportSchema>;

const sideSchema = z.object({
  date: dateText,
  start: timeText,
  end: timeText,
  location: locationSchema,
  client: z.nullable(z.string()),
  therapist: z.nullable(z.string()),
  subject: z.string(),
  status: z.string(),
});
export type DifferenceSide = z.infer<typeof sideSchema>;

/** A session that the other system has otherwise. */
const differenceSchema = z.object({
  key: z.string(),
  version: z.number(),
  theirs: sideSchema,
  ours: sideSchema,
  /** Whether both changed since the last import, or only ours. */
  both: z.boolean(),
  /** When ours was changed last, and by whom; null when not known. */
  changed_at: z.nullable(instantText),
  changed_by: z.nullable(z.string()),
});
export type ImportDifference = z.infer<typeof differenceSchema>;

/** How many differences one reply lists, and one request decides. */
export const MOST_DIFFERENCES = 500;

export const importFolderEndpoints = {
  folderImport: endpoint('GET', '/folder-imports/last', {
    access: 'clinic',
    at: 'none',
    audit: 'none',
    summary: 'What came of the last files in the folder for imports',
    reply: z.object({ last: z.nullable(folderImportSchema), differences: z.number() }),
  }),
  differences: endpoint('GET', '/folder-imports/differences', {
    access: 'clinic',
    at: 'none',
    audit: 'differences.read',
    summary: 'The sessions that the imported system has otherwise, because they were changed here: at most 500',
    reply: z.object({ differences: z.array(differenceSchema) }),
  }),
  decideDifferences: endpoint('POST', '/folder-imports/differences', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Take the imported system’s version of sessions, or keep ours',
    body: z.object({
      take: z.enum(['theirs', 'ours']),
      rows: z
        .array(z.object({ key: textSchema(400), version: z.number() }))
        .check(z.minLength(1), z.maxLength(MOST_DIFFERENCES)),
    }),
    reply: z.object({ decided: z.number() }),
    refusals: ['stale-version'],
  }),
  /** The import begins within a minute. Rows that are refused stay out; open questions still stop it. */
  importWaiting: endpoint('POST', '/folder-imports/waiting/:id', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Import a set of files that waits, without the rows that are refused',
    params: z.object({ id: z.uuid() }),
    status: 204,
  }),
};
