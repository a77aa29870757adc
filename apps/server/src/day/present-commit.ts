import type { CommitSummary } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { isoOf } from '../platform/clock.ts';

/** A commit as the API's lists show it. */
export function presentCommit(commit: {
  readonly id: string;
  readonly location: Location;
  readonly summary: {
    readonly dates: string[];
    readonly clients: string[];
    readonly option: string;
    readonly changes: number;
    readonly minutesKept: number;
    readonly sessions?: number;
    readonly minutesNeeded?: number;
    readonly minutesUncovered?: number;
    readonly people?: number;
  };
  readonly committedAt: string;
  readonly committedBy: string;
  readonly undoneAt: string | null;
  readonly undoneBy: string | null;
  readonly cannotUndo?: string | null;
}): CommitSummary {
  const { id, location, summary } = commit;
  return {
    id,
    location,
    dates: summary.dates,
    committed_at: isoOf(commit.committedAt),
    committed_by: commit.committedBy,
    clients: summary.clients,
    option: summary.option,
    changes: summary.changes,
    minutes_kept: summary.minutesKept,
    ...(summary.sessions === undefined ? {} : { sessions: summary.sessions }),
    ...(summary.minutesNeeded === undefined ? {} : { minutes_needed: summary.minutesNeeded }),
    ...(summary.minutesUncovered === undefined ? {} : { minutes_uncovered: summary.minutesUncovered }),
    ...(summary.people === undefined ? {} : { people: summary.people }),
    undone_at: commit.undoneAt === null ? null : isoOf(commit.undoneAt),
    undone_by: commit.undoneBy,
    ...(commit.cannotUndo === undefined ? {} : { cannot_undo: commit.cannotUndo }),
  };
}
