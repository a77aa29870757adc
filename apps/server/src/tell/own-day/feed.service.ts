import { OWN_DAYS_AHEAD } from '@clinic/contract';
import {
  addDays,
  groupBy,
  isoDate,
  locationOf,
  SERVICE_LABELS,
  type Interval,
  type IsoDate,
  type Location,
  type Service,
} from '@clinic/domain';
import { makeSecret, hashOf } from '../../access/secret.ts';
import type { Act } from '../../access/act.ts';
import { audit } from '../../access/audit.ts';
import { hasLeft, type Caller } from '../../access/sessions.ts';
import type { WallOf } from '../../day/facts/present.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connection.ts';
import { inTransaction, onSnapshot } from '../../db/retry.ts';
import { together } from '../../db/snapshot.ts';
import { minutesAfter } from '../../db/wall-time.ts';
import { isoAt } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import { deleteFeed, putFeed, selectFeedAccount, selectLostSessions, touchFeed } from './feed.queries.ts';
import { icsText, type IcsEvent } from './ics-text.ts';
import { selectSelf, type OwnSession } from './own-day.queries.ts';
import { isIn } from './own-day.presenter.ts';
import { ownLines, sessionsOf, type OwnLine } from './own-day.service.ts';

/** How far a feed reaches, in days before and after today. */
const DAYS_BACK = 14;
const DAYS_AHEAD = 56;

/** Makes a new secret for the feed of the caller's account. The one before stops working. */
export async function makeFeed(db: Db, act: Act): Promise<string> {
  const { secret, hash } = makeSecret();
  await inTransaction(db, async (trx) => {
    await putFeed(trx, act.caller.id, hash, isoAt(act.at));
    await record(trx, act, 'calendar-feed.made');
  });
  return secret;
}

export async function endFeed(db: Db, act: Act): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (await deleteFeed(trx, act.caller.id)) await record(trx, act, 'calendar-feed.ended');
  });
}

const record = (trx: Db, { caller, at, requestId }: Act, action: 'calendar-feed.made' | 'calendar-feed.ended') =>
  audit(trx, at, { action, subjectKind: 'account', subjectIds: [caller.id], accountId: caller.id, requestId });

/**
 * Returns the account that a feed's secret belongs to. Refuses (`not-found`) an unknown secret, a disabled account, and a
 * therapist who has left.
 */
export async function feedCaller(db: Db, secret: string, now: number): Promise<Caller & { therapistId: string }> {
  const row = await selectFeedAccount(db, hashOf(secret));
  if (!row || row.disabled_at !== null || hasLeft(row, now)) throw new Refusal('not-found');
  const { id, email, name, demo, therapist_id: therapistId } = row;
  await touchFeed(db, id, isoAt(now)).catch(() => undefined); // a calendar can be read while nothing can be written
  return {
    id,
    email,
    name,
    demo,
    therapistId,
    role: 'therapist',
    locations: [],
    sessionId: '',
    way: null,
    mustSetUp: false,
    sessionEnds: now,
  };
}

/** Where a therapist's feed has sessions, and its text. */
export interface Feed {
  readonly locations: readonly Location[];
  readonly text: string;
}

/** How a feed names clients; a session that is no longer the therapist's never names one. */
type FeedNames = Config['feedNames'];

/** Reads a therapist's feed in one snapshot. */
export async function readFeed(
  db: Db,
  wallOf: WallOf,
  { therapistId, names, now }: { readonly therapistId: string; readonly names: FeedNames; readonly now: number },
): Promise<Feed> {
  return onSnapshot(db, async (trx) => {
    const self = await selectSelf(trx, therapistId);
    const wall = wallOf(self.location);
    const [first, last] = [addDays(wall.date, -DAYS_BACK), addDays(wall.date, DAYS_AHEAD)];
    const [sessions, { lines }, lost] = await together(
      sessionsOf(trx, therapistId, first, last, wall),
      ownLines(trx, wallOf, therapistId, wall.date, addDays(wall.date, OWN_DAYS_AHEAD)),
      selectLostSessions(trx, therapistId, first, last),
    );
    const own = [...groupBy(sessions, ({ id }) => id).values()].map((parts) => ownEvent(parts, lines, names));
    const gone = lost.map((row) => {
      const date = isoDate(row.starts.slice(0, 10));
      const time = { start: minutesAfter(date, row.starts), end: minutesAfter(date, row.ends) };
      return eventOf({ ...row, ...time, date }, 'CANCELLED', SERVICE_LABELS[row.service]);
    });
    const locations = [self.location, ...sessions.map((s) => s.location), ...lost.map((s) => s.location)];
    return {
      locations: [...new Set(locations)].sort(),
      text: icsText('My sessions', [...own, ...gone], isoAt(now)),
    };
  });
}

type Row = Interval & { id: string; version: number; date: IsoDate; location: Location; service: Service };

/** The event of a session, from its parts. What the therapist is asked for, and what is being decided, is tentative. */
function ownEvent(
  parts: readonly [OwnSession, ...OwnSession[]],
  lines: readonly OwnLine[],
  names: FeedNames,
): IcsEvent {
  const [one] = parts;
  const whole = {
    ...one,
    start: Math.min(...parts.map(({ start }) => start)),
    end: Math.max(...parts.map(({ end }) => end)),
  };
  const name = [SERVICE_LABELS[one.service], ...nameIn(one.client, names)].join(', ');
  if (parts.some((part) => isIn(part, lines, 'asked'))) return eventOf(whole, 'TENTATIVE', `We ask you: ${name}`);
  if (parts.some(({ undecided }) => undecided)) return eventOf(whole, 'TENTATIVE', `Being decided: ${name}`);
  return eventOf(whole, 'CONFIRMED', name);
}

function nameIn(client: string | null, names: FeedNames): string[] {
  if (client === null || names === 'off') return [];
  if (names === 'names') return [client];
  return [
    client
      .split(/\s+/)
      .map((part) => `${[...part][0] ?? ''}.`)
      .join(' '),
  ];
}

function eventOf(row: Row, status: IcsEvent['status'], summary: string): IcsEvent {
  const { label, zone } = locationOf(row.location);
  const { date, start, end } = row;
  return {
    uid: `${row.id}@clinic-scheduler`,
    sequence: row.version,
    date,
    start,
    end,
    zone,
    status,
    summary,
    place: label,
  };
}
