/**
 * A backup file: gzip over JSON lines that end with `\n`. First a header, then for each table a line that names it and
 * its columns and one line for each row, then the sequences, and last a footer with the number of rows of each table and
 * the SHA-256 of all lines before it. A file without its footer, or with another hash, is not a backup.
 *
 * A row is what PostgreSQL's `row_to_json` writes, with columns of type json and jsonb as text: JSON cannot tell
 * their `null` from a value that is missing.
 */
export const FORMAT = 'clinic-backup/2';
/** Written until November 2026: tables without their columns, json and jsonb as they are. */
export const FIRST_FORMAT = 'clinic-backup/1';

export interface Header {
  format: typeof FORMAT | typeof FIRST_FORMAT;
  /** ISO 8601 UTC. */
  madeAt: string;
  /** The schema the rows belong to. */
  migrations: { name: string; checksum: string }[];
}

export interface TableLine {
  table: string;
  /** Missing in files of the first format, which have all writable columns. */
  columns?: string[];
}

export interface SequenceLine {
  sequence: string;
  lastValue: string;
  isCalled: boolean;
}

export interface Footer {
  rows: Record<string, number>;
  sha256: string;
}

/** How many rows of each table a backup holds. */
export interface BackupSummary {
  rows: Record<string, number>;
  madeAt: string;
}

export const totalRows = (rows: Record<string, number>): number => Object.values(rows).reduce((sum, n) => sum + n, 0);
