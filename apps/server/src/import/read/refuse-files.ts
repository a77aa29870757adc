import { openQuestions, type ImportColumns } from '@clinic/contract';
import type { Session } from '../plan/appointment-plan.ts';
import { UnansweredQuestions, UnreadableFile } from '../import-types.ts';
import { beyond, LIMITS } from './limits.ts';

/**
 * A dry run reports missing columns and asks about them. An import does nothing until every required column is found.
 */
export function refuseMissingColumns(files: readonly ImportColumns[]): void {
  for (const { file, missing } of files)
    if (missing.length > 0)
      throw new UnreadableFile(
        `${file} has no column ${missing.join(', ')}. Check the file on the import page, and choose which of its columns to use.`,
      );
}

/** An import does nothing while an answer could change what its rows mean. */
export function refuseUnanswered(asked: Parameters<typeof openQuestions>[0]): void {
  const open = openQuestions(asked);
  if (open.length > 0) throw new UnansweredQuestions(open);
}

export function refuseFullDates(file: string, sessions: readonly Session[]): void {
  const counts = new Map<string, number>();
  for (const { record } of sessions) counts.set(record.date, (counts.get(record.date) ?? 0) + 1);
  for (const [date, count] of counts) if (count > LIMITS.rowsOnADate) throw beyond.date(file, date, count);
}
