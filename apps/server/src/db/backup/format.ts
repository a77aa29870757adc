/**
 * A backup file is gzip-compressed lines of JSON that each end with `
 * `: a header; for each table, a line with its name and columns and then a line for each row; the sequences; and a
 * footer with each table's row count and the SHA-256 of all previous lines. A file without a footer, or with another
 * hash, is not a backup. A row is written as by PostgreSQL's `row_to_json`, except that json and jsonb columns are
 * strings, because JSON cannot distinguish their `null` from a missing value.
 */
export const FORMAT = 'clinic-backup/2';
/** The format until November 2026: tables have no list of columns, and json and jsonb columns are not texts. */
export const FIRST_FORMAT = 'clinic-backup/1';

export interface Header {
  format: typeof FORMAT | typeof FIRST_FORMAT;
  /** In ISO 8601, UTC. */
  madeAt: string;
  /** The migrations that had been applied to the database. */
  migrations: { name: string; checksum: string }[];
}

export interface TableLine {
  table: string;
  /** Left out in files of the first format, which have every column that can be written. */
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
