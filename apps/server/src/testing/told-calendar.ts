import { sql } from 'kysely';
import type { IsoDate } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { minuteOf, type Minutes } from './told-model.ts';

/** The calendar as it is now, read directly from the database, and who is away when. */
export interface Calendar {
  readonly rows: readonly {
    readonly client: string | null;
    readonly therapist: string | null;
    readonly m: number;
    readonly rest: string;
    readonly no: boolean;
  }[];
  readonly away: ReadonlyMap<string, ReadonlySet<number>>;
}

export async function calendarNow(db: Db, date: IsoDate): Promise<Calendar> {
  const { rows } = await sql<Calendar['rows'][number]>`
    select client_id as client, therapist_id as therapist, service as rest,
      generate_series(extract(epoch from starts - starts::date)::int / 60,
        extract(epoch from ends - starts::date)::int / 60 - 1) as m,
      exists (select from call_decline d where d.therapist_id = a.therapist_id and d.date = a.starts::date
        and d.ended_at is null and coalesce(a.parent_id, a.id)::text = any(d.sessions)) as no
    from appointment a where location = 'altamonte' and starts::date = ${date}::date
      and status not in ('cancelled', 'entered-in-error')`.execute(db);
  return { rows, away: await awayNow(db, date) };
}

/**
 * The day that a person who knows `known` should know. Leaves out new time for which the person or their client is away.
 * In a family's day, new time has no therapist if that therapist is away.
 */
export function dayFor({ rows, away }: Calendar, person: string, known: Minutes): Minutes {
  const day = new Set<string>();
  for (const { client, therapist, m, rest, no } of rows) {
    const clientAway = away.get(`client:${client}`)?.has(m) ?? false;
    const therapistAway = !no && (away.get(`therapist:${therapist}`)?.has(m) ?? false);
    const [own, family] = [`${m} ${client ?? '-'} ${rest}`, `${m} ${therapist ?? '-'} ${rest}`];
    if (person === `therapist:${therapist}` && ((!clientAway && !therapistAway) || known.has(own))) day.add(own);
    if (person !== `client:${client}`) continue;
    if (known.has(family)) day.add(family);
    else if (!clientAway) day.add(therapistAway ? `${m} - ${rest}` : family);
  }
  return day;
}

/** The minutes at which a person who knows a day must be told something. */
export function changed(now: Calendar, person: string, known: Minutes): number[] {
  const is = dayFor(now, person, known);
  const gone = [...known].filter((each) => !is.has(each) && !now.away.get(person)?.has(minuteOf(each)));
  return [...gone, ...[...is].filter((each) => !known.has(each))].map(minuteOf);
}

async function awayNow(db: Db, date: IsoDate): Promise<Map<string, Set<number>>> {
  const rows = await db
    .selectFrom('absence')
    .select(['therapist_id', 'client_id', 'start_minute', 'end_minute'])
    .where('withdrawn_at', 'is', null)
    .where('date', '=', date)
    .execute();
  const away = new Map<string, Set<number>>();
  for (const row of rows) {
    const person = row.therapist_id === null ? `client:${row.client_id}` : `therapist:${row.therapist_id}`;
    const minutes = away.get(person) ?? new Set();
    for (let m = row.start_minute; m < row.end_minute; m++) minutes.add(m);
    away.set(person, minutes);
  }
  return away;
}

export const peopleIn = ({ rows }: Calendar): string[] =>
  rows.flatMap(({ client, therapist }) => [
    ...(client === null ? [] : [`client:${client}`]),
    ...(therapist === null ? [] : [`therapist:${therapist}`]),
  ]);
