import type { OwnChange, OwnDaySession, OwnWeek } from '@clinic/contract';
import { formatTime, locationLabel, overlaps } from '@clinic/domain';
import { isoOf } from '../../../platform/clock.ts';
import type { WallNow } from '../../../platform/wall-clock.ts';
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
      sessions: own.sessions.filter((session) => session.date === date).map((s) => presentSession(s, own.lines)),
    })),
    changes: own.lines.map(presentChange),
  };
}

function presentSession(session: OwnSessionRow, lines: readonly OwnLine[]): OwnDaySession {
  const { date, location, start, end, client, service, cover, status } = session;
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
