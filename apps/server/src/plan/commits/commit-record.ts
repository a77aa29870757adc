import type { ActionsBody, AuditAction, CommitFigures } from '@clinic/contract';
import { isoDate, type Location } from '@clinic/domain';
import type { StoredSummary } from '../../day/commits.ts';
import type { AppointmentChange } from '../../day/appointment-states.ts';
import type { WallPresent } from '../../day/facts/present.ts';
import type { LocationDay } from '../../day/facts/versions.ts';
import { timestampOf } from '../../db/wall-time.ts';
import type { Db } from '../../db/connection.ts';
import type { Act } from '../../access/act.ts';
import { atEach, auditBy } from '../../access/audit.ts';
import type { Choice } from './choice.ts';
import type { Selected } from '../problem/selection.ts';
import { clientsOf, type CommittedDay } from './report.ts';

/** The location that the page sent, if it differs from the proposal's. It is only recorded. */
export function sentLocation(body: ActionsBody, location: Location): string | null {
  const sent = body.metadata.location;
  return sent === undefined || sent === location ? null : sent.slice(0, 100);
}

/**
 * Returns every location and date that a commit changes: the options' own location, the home locations of therapists
 * who gain or lose time, and the locations of all appointments written.
 */
export function touchedDays(days: readonly CommittedDay[]): LocationDay[] {
  return days.flatMap(({ day, segments, changes }) => {
    const ids = new Set(
      segments.filter((s) => s.status !== 'Scheduled').flatMap((s) => [s.row.therapistId, s.segment.therapistId]),
    );
    const homes = day.therapists.filter((t) => ids.has(t.id)).map((t) => t.location);
    const written = changes.map((change) => change.location);
    return [day.location, ...homes, ...written].map((location) => ({ location, date: day.date }));
  });
}

/** Writes the audit entries of a commit or its undo: one for each location concerned, with what changed there. */
export async function auditCommit(
  trx: Db,
  act: Act,
  done: {
    readonly action: AuditAction;
    readonly commit: string;
    readonly days: readonly LocationDay[];
    readonly changes: readonly AppointmentChange[];
    readonly detail: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const entries = atEach(
    done.days.map((day) => day.location),
    {
      action: done.action,
      subjectKind: 'commit',
      subjectIds: [done.commit],
    },
  );
  const keysAt = (location: Location): string[] =>
    done.changes.flatMap((change) => (change.location === location ? [change.key] : []));
  await auditBy(
    trx,
    act,
    ...entries.map((entry) => ({ ...entry, detail: { ...done.detail, appointments: keysAt(entry.location) } })),
  );
}

/** Audits that an account has read a commit's reply by repeating the commit or its undo. */
export async function auditCommitRead(trx: Db, act: Act, commit: string, location: Location): Promise<void> {
  await auditBy(trx, act, {
    action: 'workbook.read',
    subjectKind: 'commit',
    subjectIds: [commit],
    location,
  });
}

/** A commit's summary, as shown in lists. */
export function summaryOf(
  figures: CommitFigures,
  choice: Choice,
  days: readonly CommittedDay[],
  wall: WallPresent,
): StoredSummary {
  const chosen: Selected[] = [...choice.values()].flat();
  const options = new Set(chosen.map((c) => c.option.name));
  return {
    dates: [...choice.keys()].map(isoDate).sort(),
    clients: clientsOf(days),
    option: options.size === 1 ? ([...options][0] ?? '') : 'Mixed',
    sessions: figures.sessions,
    changes: figures.changes,
    minutesNeeded: figures.minutes_needed,
    minutesKept: figures.minutes_kept,
    minutesUncovered: figures.minutes_uncovered,
    people: figures.people,
    wall: timestampOf(wall.date, wall.minutes),
  };
}
