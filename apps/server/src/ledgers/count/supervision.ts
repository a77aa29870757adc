import { sql } from 'kysely';
import { addDays, credentialOn, groupBy, type IsoDate, type SupervisedDay } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { together } from '../../db/snapshot.ts';
import { dateIn } from '../../db/wall-time.ts';
import { selectCredentials } from '../../people/therapists.queries.ts';
import type { SessionRow } from './session-row.ts';
import { awayFrom, keptSpans, minutesOf } from './kept-spans.ts';

/**
 * In SQL, whether the therapist of a row `a` is a BCBA on the row's date, by the same rule as the domain's
 * `credentialOn`. The subqueries return values, because PostgreSQL would turn `exists` into a join and read every
 * session of these clients.
 */
const isBcba = sql`coalesce((
  select t.specialization = 'BCBA' and coalesce((
    select bool_or(daterange(c.from_date, c.until_date, '[]') @> a.starts::date) from therapist_credential c
    where c.therapist_id = t.id and c.credential = 'BCBA'), true)
  from therapist t where t.id = a.therapist_id), false)`;

type Days = readonly [from: IsoDate, until: IsoDate];

/**
 * Defines two SQL tables for these days, at any location. `own`: these therapists' direct sessions, each with the time
 * when neither therapist nor client is away (none if the therapist declined). `pair`: these direct sessions, each
 * paired with an overlapping supervision session of the same client by another therapist who is a BCBA on the date, and
 * the time when both sessions take place. A supervisor's sessions with the children of a group are one `visit`. The
 * query reads only the sessions of these days.
 */
function supervised(therapistIds: readonly string[], [from, until]: Days, asBooked: IsoDate | null = null) {
  const inDays = sql`a.occupies and a.starts >= ${from}::timestamp and a.starts < ${addDays(until, 1)}::timestamp`;
  const columns = sql`a.id, a.parent_id, a.therapist_id, a.client_id, a.location, a.starts, a.ends, a.subject,
    coalesce(a.group_key, coalesce(a.parent_id, a.id)::text) as visit`;
  const asOnRecord = sql`x.date between ${from} and ${until} and x.date is distinct from ${asBooked}::date`;
  return sql`
    with direct as (
      select ${columns} from appointment a
      where a.therapist_id = ${anyOf(therapistIds)} and a.service = 'direct' and ${inDays}
    ), supervision as (
      select ${columns} from appointment a
      where a.client_id = any(array(select distinct client_id from direct)) and a.service = 'supervision'
        and ${isBcba} and ${inDays}
    ), ${awayFrom(['direct', 'supervision'], asOnRecord)},
    own as (${keptSpans('direct')}), pair as (
      select o.id, o.therapist_id, o.starts::date as date, s.visit, o.spans * s.spans as spans
      from own o join (${keptSpans('supervision')}) s on s.client_id = o.client_id and s.therapist_id <> o.therapist_id
        and s.starts < o.ends and o.starts < s.ends
      where not isempty(o.spans * s.spans)
    )`;
}

/** Whether a therapist is an RBT on a date. */
type IsRbt = (therapistId: string, date: IsoDate) => boolean;

/**
 * Returns a function that says whether a therapist is an RBT on a date. A BCBA without a valid BCBA credential counts
 * as an RBT. An RBT without a valid credential counts as a BT, and no rule requires supervision of a BT.
 */
export async function selectRbts(db: Db, therapistIds: readonly string[]): Promise<IsRbt> {
  const [therapists, credentials] = await together(
    db.selectFrom('therapist').select(['id', 'specialization']).where('id', '=', anyOf(therapistIds)).execute(),
    selectCredentials(db, therapistIds),
  );
  const records = groupBy(credentials, (each) => each.therapist_id);
  const profiles = new Map(therapists.map(({ id, specialization }) => [id, specialization]));
  return (id, date) => credentialOn(profiles.get(id) ?? 'BT', records.get(id) ?? [], date) === 'RBT';
}

/**
 * Selects the days on which these therapists have direct sessions as RBTs, with the minutes supervised.
 * @param asBooked a date on which absences and declined sessions are ignored, because the date is about to be planned
 * @param rbts what `selectRbts` returned for these therapists, if it is known already
 */
export async function selectSupervision(
  db: Db,
  therapistIds: readonly string[],
  days: Days,
  { asBooked = null, rbts }: { asBooked?: IsoDate | null; rbts?: IsRbt } = {},
): Promise<Map<string, SupervisedDay[]>> {
  const found = new Map<string, SupervisedDay[]>(therapistIds.map((id) => [id, []]));
  if (therapistIds.length === 0) return found;
  const read = sql<SupervisedDay & { therapist: string }>`${supervised(therapistIds, days, asBooked)}
    select d.therapist_id as therapist, d.date::text as date, ${minutesOf(sql`d.spans`)} as direct,
      ${minutesOf(sql`coalesce(p.spans, '{}')`)} as supervised, coalesce(p.contacts, 0)::int as contacts
    from (select therapist_id, starts::date as date, range_agg(spans) as spans from own group by 1, 2) d
    left join (
      select therapist_id, date, range_agg(spans) as spans, count(distinct visit) as contacts from pair group by 1, 2
    ) p using (therapist_id, date)
    order by 1, 2`.execute(db);
  const [{ rows }, isRbt] = await together(read, rbts ?? selectRbts(db, therapistIds));
  for (const { therapist, ...day } of rows) if (isRbt(therapist, day.date)) found.get(therapist)?.push(day);
  return found;
}

/** A direct session of an RBT, and how many of its minutes were supervised. */
export interface SupervisedSession extends SessionRow {
  readonly direct: number;
  readonly supervised: number;
}

/** Returns the direct sessions behind an RBT's supervision figure, in chronological order. */
export async function selectSupervisedSessions(db: Db, therapistId: string, days: Days): Promise<SupervisedSession[]> {
  const read = sql<SupervisedSession>`${supervised([therapistId], days)}
    select o.id, o.location, o.starts, o.ends, o.subject, c.display_name as client, ${minutesOf(sql`o.spans`)} as direct,
      ${minutesOf(sql`coalesce((select range_agg(p.spans) from pair p where p.id = o.id), '{}')`)} as supervised
    from own o join client c on c.id = o.client_id
    order by o.starts, o.id`.execute(db);
  const [{ rows }, isRbt] = await together(read, selectRbts(db, [therapistId]));
  return rows.filter(({ starts }) => isRbt(therapistId, dateIn(starts)));
}
