import { sql } from 'kysely';
import {
  addDays,
  formatTime,
  recogniseRepeats,
  type IsoDate,
  type Location,
  type Repeat,
  type Repeating,
} from '@clinic/domain';
import type { Recognised } from '@clinic/contract';
import { inTransaction } from '../db/retry.ts';
import { minutesAfter } from '../db/wall-time.ts';
import type { Db } from '../db/connection.ts';
import type { Service } from '@clinic/domain';
import type { Act } from '../access/act.ts';
import { auditBy } from '../access/audit.ts';
import { selectNames } from '../people/people.ts';
import type { WallPresent } from '../day/facts/present.ts';
import { insertSeries, joinSeries } from './appointments.queries.ts';

/** How far back sessions are read. */
const WEEKS_BACK = 26;

interface StoredSession extends Repeating {
  readonly key: string;
  readonly service: Service;
}

type StoredRepeat = Repeat<StoredSession>;

/** The sessions that repeat every week but are in no series, with at least one still to come. */
async function loadRepeats(
  db: Db,
  location: Location,
  today: IsoDate,
  { lock = false, clientId }: { readonly lock?: boolean; readonly clientId?: string } = {},
): Promise<StoredRepeat[]> {
  const rows = await db
    .selectFrom('appointment')
    .select([
      'id',
      'client_id',
      'therapist_id',
      'booked_therapist_id',
      'service',
      'subject',
      'starts',
      'ends',
      'occupies',
    ])
    .select(sql<IsoDate>`starts::date`.as('date'))
    .where('location', '=', location)
    .where('series_id', 'is', null)
    .where('parent_id', 'is', null)
    .where('client_id', 'is not', null)
    .where('status', '<>', 'entered-in-error')
    .where(sql<boolean>`starts::date >= ${addDays(today, -7 * WEEKS_BACK)}::date`)
    .orderBy('id')
    .$if(clientId !== undefined, (query) => query.where('client_id', '=', clientId ?? ''))
    .$if(lock, (query) => query.forUpdate())
    .execute();
  const sessions = rows.map((row): StoredSession => ({
    key: row.id,
    client: row.client_id ?? '',
    therapist: row.therapist_id,
    coveredFor: row.booked_therapist_id,
    service: row.service,
    subject: row.subject,
    date: row.date,
    start: minutesAfter(row.date, row.starts),
    end: minutesAfter(row.date, row.ends),
    held: row.occupies,
  }));
  return recogniseRepeats(sessions).filter(({ last }) => last >= today);
}

const keyOf = ({ sessions }: StoredRepeat): string => sessions.at(-1)?.key ?? '';

/** The repeats at the location, or only that of one session, which may not exist. */
async function repeatsOf(db: Db, location: Location, today: IsoDate, session?: string): Promise<StoredRepeat[]> {
  if (session === undefined) return loadRepeats(db, location, today);
  const row = await db
    .selectFrom('appointment')
    .select('client_id')
    .where('id', '=', session)
    .where('location', '=', location)
    .where('series_id', 'is', null)
    .executeTakeFirst();
  if (!row || row.client_id === null) return [];
  const repeats = await loadRepeats(db, location, today, { clientId: row.client_id });
  return repeats.filter(({ sessions }) => sessions.some(({ key }) => key === session));
}

/** Sessions at the location that repeat every week but are in no series yet, with the evidence for it. */
export async function readRecognised(
  db: Db,
  location: Location,
  { date: today }: WallPresent,
  session?: string,
): Promise<{ clients: string[]; series: Recognised[] }> {
  const repeats = await repeatsOf(db, location, today, session);
  const people = repeats.flatMap((each) => [
    each.therapist,
    ...each.sessions.map(({ client }) => client),
    ...each.covered.keys(),
  ]);
  const names = await selectNames(db, people);
  const nameOf = (id: string): string => names.get(id) ?? '';
  const series = repeats.flatMap((each): Recognised[] => {
    const [one] = each.sessions;
    if (!one) return [];
    const { weekday, first, last, weeks, held, cancelled } = each;
    return [
      {
        key: keyOf(each),
        client: nameOf(one.client),
        therapist: nameOf(each.therapist),
        subject: one.subject,
        start: formatTime(one.start),
        end: formatTime(one.end),
        covered: [...each.covered].map(([id, dates]) => ({ therapist: nameOf(id), dates })),
        weekday,
        first,
        last,
        weeks,
        held,
        cancelled,
      },
    ];
  });
  const order = (a: Recognised, b: Recognised): number =>
    a.client.localeCompare(b.client) || a.weekday - b.weekday || (a.start < b.start ? -1 : 1);
  return {
    clients: [...new Set(repeats.flatMap((each) => each.sessions[0]?.client ?? []))],
    series: series.sort(order),
  };
}

/**
 * Makes series of recognised repeats. No session changes; the series ends with the last session that is on the calendar,
 * since the next import brings the sessions after it.
 * @returns how many were made, and how many are no longer there as they were shown
 */
export async function acceptRecognised(
  db: Db,
  act: Act,
  { location, keys }: { readonly location: Location; readonly keys: readonly string[] },
  { date: today }: WallPresent,
): Promise<{ series: number; changed: number }> {
  return inTransaction(db, async (trx) => {
    const wanted = new Set(keys);
    const repeats = (await loadRepeats(trx, location, today, { lock: true })).filter((each) => wanted.has(keyOf(each)));
    for (const { sessions, therapist, weekday, first, last } of repeats) {
      const [one] = sessions;
      if (!one) continue;
      const id = await insertSeries(trx, {
        location,
        client_id: one.client,
        therapist_id: therapist,
        service: one.service,
        subject: one.subject,
        day_of_week: weekday,
        start_minute: one.start,
        end_minute: one.end,
        from_date: first,
        until_date: last,
        made_until: last,
        meeting: false,
      });
      await joinSeries(
        trx,
        sessions.map(({ key }) => key),
        id,
      );
    }
    await auditBy(trx, act, {
      action: 'series.made',
      subjectKind: 'appointment',
      subjectIds: repeats.map(keyOf),
      location,
      detail: { clients: [...new Set(repeats.flatMap(({ sessions }) => sessions[0]?.client ?? []))] },
    });
    return { series: repeats.length, changed: wanted.size - repeats.length };
  });
}
