import { COVER_NOTE, type OwnChange, type OwnDaySession, type OwnWeek } from '@clinic/contract';
import { formatTime, locationLabel, overlaps, type IsoDate } from '@clinic/domain';
import { isoOf } from '../../../platform/clock.ts';
import type { WallNow } from '../../../platform/wall-clock.ts';
import { presentWindow } from '../absences/absence-reports.routes.ts';
import type { OwnSessionRow } from './own-day.queries.ts';
import type { OwnDays, OwnLine } from './own-day.service.ts';

export function presentOwnWeek(own: OwnDays, now: WallNow): OwnWeek {
  return {
    name: own.name,
    now: now.text,
    earliest: own.earliest,
    latest: own.latest,
    days: own.dates.map((date) => ({
      date,
      sessions: own.sessions
        .filter((session) => session.date === date)
        .map((session) => presentSession(session, own.lines, own.today)),
    })),
    changes: own.lines.map(presentChange),
    reports: own.reports.map((row) => ({
      ...presentWindow(row),
      state: row.decision === 'confirmed' || row.decision === 'declined' ? row.decision : 'open',
    })),
  };
}

function presentSession(session: OwnSessionRow, lines: readonly OwnLine[], today: IsoDate): OwnDaySession {
  const { date, location, start, end, client, service, cover, status, note } = session;
  const line = lines.find((each) => each.date === date && each.location === location)?.line;
  const fresh = line?.changes.filter((change) => change.what === 'new' && change.with === session.clientId) ?? [];
  return {
    start: formatTime(start),
    end: formatTime(end),
    client,
    service,
    place: locationLabel(location),
    cover,
    changed: fresh.some((change) => overlaps(change, session)),
    no_show: status === 'noshow',
    // Only a therapist who covers the client sees the note, and only on that day.
    note: cover && date === today && COVER_NOTE.some((part) => note[part] !== '') ? note : null,
  };
}

function presentChange({ location, date, line, seenAt }: OwnLine): OwnChange {
  return {
    date,
    location,
    place: locationLabel(location),
    version: line.version,
    call: line.call === 'ask' ? 'ask' : 'inform',
    say: [...line.say],
    gone: line.changes
      .filter((change) => change.what === 'gone')
      .map(({ start, end, with: client, service }) => {
        const name = client === null ? null : line.nameOf(client);
        return { start: formatTime(start), end: formatTime(end), client: name, service };
      }),
    seen_at: seenAt === null ? null : isoOf(seenAt),
    said_no: line.since.at(-1)?.answer === 'said-no' && line.since.at(-1)?.version === line.version,
  };
}
