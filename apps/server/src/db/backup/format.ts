/**
 * A backup file: gzip over JSON lines. First a header, then for each table a line that names it and one line a row (the
 * row as PostgreSQL's `to_jsonb` writes it), then the sequences, and last a footer with the number of rows of each table
 * and the SHA-256 of all lines before it. A file without its footer, or with another hash, is not a backup.
 */
export const FORMAT = 'clinic-backup/1';

export interface Header {
  format: typeof FORMAT;
  /** ISO 8601 UTC. */
  madeAt: string;
  /** The schema the rows belong to. */
  migrations: { name: string; checksum: string }[];
}

export interface TableLine {
  table: string;
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

export type Line = Header | TableLine | SequenceLine | Footer | { row: unknown };

/** How many rows of each table a backup holds. */
export interface BackupSummary {
  rows: Record<string, number>;
  madeAt: string;
}

export const totalRows = (rows: Record<string, number>): number => Object.values(rows).reduce((sum, n) => sum + n, 0);
