import type { ActionsReply, CommitSummary } from '@clinic/contract';
import type { CommitRow } from './actions.queries.ts';

/** Instants leave as ISO 8601 in UTC, however the database writes them. */
const instant = (text: string): string => new Date(text).toISOString();

export function presentCommit({ id, location, summary, ...row }: CommitRow): CommitSummary {
  return {
    id,
    location,
    dates: summary.dates,
    committed_at: instant(row.committedAt),
    committed_by: row.committedBy,
    clients: summary.clients,
    option: summary.option,
    changes: summary.changes,
    minutes_kept: summary.minutesKept,
    undone_at: row.undoneAt === null ? null : instant(row.undoneAt),
    undone_by: row.undoneBy,
  };
}

/** A stored reply, its fields named once more on the way out. */
export function presentReply(reply: ActionsReply): ActionsReply {
  return {
    commit: reply.commit,
    actions: reply.actions.map((r) => ({
      date: r.date,
      client: r.client,
      time: r.time,
      from_therapist: r.from_therapist,
      to_therapist: r.to_therapist,
      status: r.status,
      location: r.location,
      subject: r.subject,
      appointment_id: r.appointment_id,
      reason: r.reason,
    })),
    by_therapist: reply.by_therapist.map((r) => ({
      therapist: r.therapist,
      date: r.date,
      time: r.time,
      client: r.client,
      subject: r.subject,
      status: r.status,
    })),
    calls: reply.calls.map(({ who, kind, date, say }) => ({ who, kind, date, say })),
    uncovered: reply.uncovered.map((r) => ({
      date: r.date,
      client: r.client,
      time: r.time,
      minutes: r.minutes,
      subject: r.subject,
      booked_therapist: r.booked_therapist,
    })),
  };
}
