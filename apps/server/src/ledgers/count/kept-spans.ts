import { sql } from 'kysely';
import { isRefused, refusedBy } from '../../tell/memory/declines.ts';

type Sql = ReturnType<typeof sql>;
/**
 * The name of the query's table of sessions, which has the columns `id`, `parent_id`, `location`, `client_id`,
 * `therapist_id`, `starts` and `ends`.
 */
type Sessions = 'session' | 'direct' | 'supervision';

/**
 * Defines three SQL tables. `client_away` and `therapist_away` contain the times when the people of these sessions are
 * away, by person and date. `refused` contains the sessions that their therapists declined.
 * @param onDays the condition on `x.date`, the date of an absence or of a declined session
 */
export function awayFrom(tables: readonly Sessions[], onDays: Sql): Sql {
  // Absences are selected by person, because a selection by date would read the absences of everyone.
  const people = (person: 'client_id' | 'therapist_id') =>
    sql`array(${sql.join(
      tables.map((table) => sql`select distinct ${sql.ref(person)} from ${sql.table(table)}`),
      sql` union `,
    )})`;
  const away = (person: 'client_id' | 'therapist_id') => sql`
    select ${sql.ref(`x.${person}`)} as id, x.date, range_agg(tsrange(x.date + make_interval(mins => x.start_minute),
      x.date + make_interval(mins => x.end_minute))) as spans
    from absence x
    where x.withdrawn_at is null and ${onDays} and ${sql.ref(`x.${person}`)} = any(${people(person)})
    group by 1, 2`;
  return sql`client_away as (${away('client_id')}), therapist_away as (${away('therapist_id')}),
    ${refusedBy(people('therapist_id'), onDays)}`;
}

/**
 * Returns an SQL query for these sessions with their `spans`: the times when neither the therapist nor the client is
 * away and the therapist has not declined the session. If `whole` is true, the session is kept from start to end, so
 * its spans need not be added up. The query needs the tables of `awayFrom`. `offset 0` makes PostgreSQL look up each
 * session among the declined ones only once. NOTE: a statement with `s.*` is never kept prepared. A plan for all values
 * would expect one session, and read the absences again for each one.
 * @param takesPlace an SQL condition on a session `s`; a session that does not meet it gets no spans
 */
export const keptSpans = (table: Sessions, takesPlace: Sql = sql`true`): Sql => sql`
  select s.*, s.happens and t.id is null and c.id is null as whole, case when s.happens then
    tsmultirange(tsrange(s.starts, s.ends)) - coalesce(t.spans, '{}') - coalesce(c.spans, '{}') else '{}' end as spans
  from (select s.*, ${takesPlace} and not ${isRefused('s')} as happens from ${sql.table(table)} s offset 0) s
  left join therapist_away t on t.id = s.therapist_id and t.date = s.starts::date
  left join client_away c on c.id = s.client_id and c.date = s.starts::date`;

/** Adds up the minutes of several spans of time, in SQL. */
export const minutesOf = (spans: Sql): Sql =>
  sql`(select coalesce(sum(extract(epoch from upper(d) - lower(d)) / 60), 0) from unnest(${spans}) d)::int`;
