/**
 * A backup file is gzip-compressed lines of JSON that each end with `\n`: a header; for each table, a line with its
 * name and columns and then a line for each row; the sequences; and a footer with each table's row count and the
 * SHA-256 of all previous lines. A file without a footer, or with a wrong hash, is not a backup. A row has the form
 * that PostgreSQL's `row_to_json` gives it, except that json and jsonb columns are strings, because JSON cannot
 * distinguish their `null` from a missing value.
 */
export const FORMAT = 'clinic-backup/2';
/** The format used until November 2026: a table's line lists no columns, and json and jsonb columns are not strings. */
export const FIRST_FORMAT = 'clinic-backup/1';

export interface Header {
  format: typeof FORMAT | typeof FIRST_FORMAT;
  /** When the backup was made, in ISO 8601, UTC. */
  madeAt: string;
  /** The migrations that had been applied to the database when the backup was made. */
  migrations: { name: string; checksum: string }[];
}

export interface TableLine {
  table: string;
  /** Missing in the first format, whose rows have every writable column. */
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

/** How many rows of each table a backup contains, and when it was made (ISO 8601, UTC). */
export interface BackupSummary {
  rows: Record<string, number>;
  madeAt: string;
}

export const totalRows = (rows: Record<string, number>): number => Object.values(rows).reduce((sum, n) => sum + n, 0);
