import { dayOfWeek, groupBy, pushTo, type IsoDate } from '@clinic/domain';
import { occupies, type Session } from '../plan/appointment-plan.ts';
import type { ImportStore } from '../plan/import-store.ts';
import { KEYS_AT_ONCE, readParts } from '../plan/snapshot.ts';

/** An appointment that an earlier import made of a row with this Id, and the row's key. */
interface Occurrence {
  readonly id: string;
  readonly key: string;
  readonly hash: string;
  readonly date: IsoDate;
  readonly start: number;
}

const hasId = ({ key }: Session): boolean => key.startsWith('id:');

/** Reads the earlier occurrences of Ids that lie on several dates, in the file or on the calendar. */
export function readOccurrences(store: Pick<ImportStore, 'read'>, sessions: readonly Session[]): Promise<Occurrence[]> {
  const byId = groupBy(sessions.filter(hasId), ({ record }) => record.wireId);
  const ids = [...byId].map(([id, own]) => ({ id, many: datesOf(own).size > 1 }));
  return readParts<Occurrence>(store, 'occurrences', ids, KEYS_AT_ONCE);
}

/**
 * Gives the occurrences of a series their keys. Some exports repeat an Id each week: numbered by time, `id:S#2` would be
 * this Wednesday's session in one file and next Wednesday's in the next, and the import would move it. So the sessions of
 * an Id that lies on several dates are found again by their dates, and a new one gets a key with its date. That a session
 * moved to another date is recognized only within the dates of the file. A new one that may have been moved from before
 * them gets a note. Pure.
 */
export function withSeriesKeys(sessions: readonly Session[], occurrences: readonly Occurrence[]): readonly Session[] {
  const stored = groupBy(occurrences, ({ id }) => id);
  const days = sessions.map(({ record }) => record.date).sort();
  const inFile = ({ date }: Occurrence): boolean => (days[0] ?? '') <= date && date <= (days.at(-1) ?? '');
  const keys = new Map<Session, string>();
  const offSeries = new Set<Session>();
  for (const [id, own] of groupBy(sessions.filter(hasId), ({ record }) => record.wireId)) {
    const before = stored.get(id) ?? [];
    if (before.length === 0 && datesOf(own).size < 2) continue;
    const { found, left } = pairUp(id, own, before, inFile);
    for (const session of movedIn(own, left, before, days[0] ?? '')) offSeries.add(session);
    for (const [session, key] of found) keys.set(session, key);
    const taken = new Set(before.map(({ key }) => key));
    for (const session of left) {
      const base = datedKey(id, session.record.date);
      let key = base;
      for (let n = 2; taken.has(key); n++) key = `${base}#${n}`;
      taken.add(key);
      keys.set(session, key);
    }
  }
  return sessions.map((session) => ({
    ...session,
    key: keys.get(session) ?? session.key,
    notes: offSeries.has(session) ? [...session.notes, 'off_series'] : session.notes,
  }));
}

/**
 * The new sessions of a series that has no other session on the same day of the week at the same time, but had sessions
 * before the dates of the file: one of those may have been moved.
 */
function movedIn(
  sessions: readonly Session[],
  left: ReadonlySet<Session>,
  occurrences: readonly Occurrence[],
  first: string,
): Session[] {
  if (occurrences.every(({ date }) => date >= first)) return [];
  const times = groupBy(
    [...occurrences, ...sessions.map(({ record }) => record)],
    ({ date, start }) => `${dayOfWeek(date)} ${start}`,
  );
  return [...left].filter(
    ({ record }) => occupies(record) && times.get(`${dayOfWeek(record.date)} ${record.start}`)?.length === 1,
  );
}

const datesOf = (sessions: readonly Session[]): Set<IsoDate> => new Set(sessions.map(({ record }) => record.date));
const datedKey = (id: string, date: IsoDate): string => `id:${id} on ${date}`;

/** Finds the stored occurrence of each session: unchanged, of the same date, or moved within the dates of the file. */
function pairUp(
  id: string,
  sessions: readonly Session[],
  occurrences: readonly Occurrence[],
  inFile: (occurrence: Occurrence) => boolean,
) {
  const found = new Map<Session, string>();
  const left = new Set(sessions);
  const free = new Set(occurrences);
  const pair = (of: (session: Session) => string, to: (occurrence: Occurrence) => string | null): void => {
    const waiting = new Map<string, Occurrence[]>();
    for (const each of [...free].reverse()) pushTo(waiting, to(each) ?? '', each); // the first is taken from the end
    for (const session of left) {
      const match = waiting.get(of(session))?.pop();
      if (!match) continue;
      found.set(session, match.key);
      left.delete(session);
      free.delete(match);
    }
  };
  pair(
    ({ hash }) => hash,
    ({ hash }) => hash,
  );
  pair(
    ({ record }) => datedKey(id, record.date),
    ({ key }) => key,
  );
  pair(
    ({ record: { date, start } }) => `${date} ${start}`,
    ({ date, start }) => `${date} ${start}`,
  );
  pair(
    ({ record }) => record.date,
    ({ date }) => date,
  );
  pair(
    () => 'moved',
    (occurrence) => (inFile(occurrence) ? 'moved' : null),
  );
  return { found, left };
}
