import { COVER_NOTE, type OwnChange, type OwnDaySession, type OwnWeek } from '@clinic/contract';
import {
  compareNames,
  ENGLISH,
  languageOf,
  SPANISH,
  formatTime,
  groupBy,
  locationLabel,
  overlaps,
  type Interval,
  type IsoDate,
  type Language,
  type Service,
  type ToldStretch,
} from '@clinic/domain';
import { isoOf } from '../../platform/clock.ts';
import type { WallNow } from '../../platform/wall-clock.ts';
import { presentWindow } from '../../plan/absences/absence-reports.routes.ts';
import { ownVersion } from '../lines/waits.ts';
import type { OwnSession } from './own-day.queries.ts';
import type { OwnDays, OwnLine } from './own-day.service.ts';
import { dayShown, decided } from './undecided.ts';

export function presentOwnWeek(own: OwnDays, now: WallNow): OwnWeek {
  return {
    name: own.name,
    ...(own.language === '' ? {} : { language: languageOf(own.language) }),
    now: now.text,
    earliest: own.earliest,
    latest: own.latest,
    days: own.dates.map((date) => ({
      date,
      sessions: together(own.sessions.filter((session) => session.date === date)).map((rows) =>
        presentSession(rows, own.lines, own.today),
      ),
    })),
    changes: own.lines.map(presentChange),
    reports: own.reports.map((row) => ({
      ...presentWindow(row),
      state: row.decision === 'confirmed' || row.decision === 'declined' ? row.decision : 'open',
    })),
  };
}

/** Joins the rows that have the same time, service and location, such as the sessions of a group. */
const together = <T extends Interval & { readonly service: Service; readonly location?: string; undecided?: boolean }>(
  rows: readonly T[],
): [T, ...T[]][] => [
  ...groupBy(rows, (row) => JSON.stringify([row.start, row.end, row.service, row.location, row.undecided])).values(),
];

function presentSession(
  rows: readonly [OwnSession, ...OwnSession[]],
  lines: readonly OwnLine[],
  today: IsoDate,
): OwnDaySession {
  const [{ location, start, end, service, undecided }] = rows;
  const asked = rows.some((row) => isIn(row, lines, 'asked'));
  return {
    start: formatTime(start),
    end: formatTime(end),
    service,
    clients: rows
      .flatMap((row) => (row.client === null ? [] : [presentClient(row, row.client, lines, today)]))
      .sort((a, b) => compareNames(a.name, b.name)),
    place: locationLabel(location),
    cover: !undecided && !asked && rows.some((row) => row.cover),
    undecided,
    changed: rows.some((row) => isIn(row, lines, 'changes')),
    ...(asked ? { asked } : {}),
  };
}

function presentClient(
  row: OwnSession,
  name: string,
  lines: readonly OwnLine[],
  today: IsoDate,
): OwnDaySession['clients'][number] {
  const { cover, date, note, undecided } = row;
  return {
    name,
    changed: isIn(row, lines, 'changes'),
    no_show: row.status === 'noshow',
    // Only a therapist who covers the client sees the note, and only on that day.
    note:
      cover &&
      !undecided &&
      !isIn(row, lines, 'asked') &&
      date === today &&
      COVER_NOTE.some((part) => note[part] !== '')
        ? note
        : null,
  };
}

/** Whether the therapist has not yet been told of the session, or of a part of it, or is only asked for it. */
export function isIn(row: OwnSession, lines: readonly OwnLine[], of: 'changes' | 'asked'): boolean {
  if (row.undecided) return false;
  const line = lines.find((each) => each.date === row.date && each.location === row.location)?.line;
  return (line?.[of] ?? []).some(
    (change) => change.what === 'new' && change.with === row.clientId && overlaps(change, row),
  );
}

function presentChange({ location, date, line }: OwnLine): OwnChange {
  const last = line.since.findLast((answer) => !answer.takenBack);
  const settled = decided(line);
  const isWhole = line.undecided.length + line.unsettled.length === 0;
  const say = (language: Language): string[] => {
    if (settled.length === 0) return [];
    return [...(isWhole ? line.sayIn(language) : line.sayOf(settled, dayShown(line), language))];
  };
  return {
    date,
    location,
    place: locationLabel(location),
    version: ownVersion(line),
    call: line.call === 'ask' ? 'ask' : 'inform',
    say: say(ENGLISH),
    say_es: say(SPANISH),
    gone: stretchesOf(
      settled.filter((change) => change.what === 'gone'),
      line.nameOf,
    ),
    undecided: stretchesOf([...line.undecided, ...line.unsettled], line.nameOf),
    can_refuse: line.sessions.length > 0 || line.free.some(({ how }) => how !== 'released'),
    seen_at: line.seenAt && isoOf(line.seenAt),
    said_no: last?.answer === 'said-no' && last.version === line.version,
  };
}

const stretchesOf = (stretches: readonly ToldStretch[], nameOf: (id: string) => string): OwnChange['gone'] =>
  together(stretches).map((parts) => {
    const [{ start, end, service }] = parts;
    const clients = parts.flatMap(({ with: client }) => (client === null ? [] : [nameOf(client)]));
    return { start: formatTime(start), end: formatTime(end), service, clients: clients.sort(compareNames) };
  });
