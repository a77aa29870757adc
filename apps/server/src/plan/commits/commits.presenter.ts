import type { ActionsReply, CommitFigures } from '@clinic/contract';

/** Copies the named fields of a stored reply, so that no other field can leave the server. */
export function presentReply(reply: ActionsReply): ActionsReply {
  return {
    commit: reply.commit,
    ...(reply.figures ? { figures: presentFigures(reply.figures) } : {}),
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

const presentFigures = (f: CommitFigures): CommitFigures => ({
  sessions: f.sessions,
  changes: f.changes,
  minutes_needed: f.minutes_needed,
  minutes_kept: f.minutes_kept,
  minutes_uncovered: f.minutes_uncovered,
  people: f.people,
});
