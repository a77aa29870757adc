import { sql } from 'kysely';

type Sql = ReturnType<typeof sql>;
/** The name of a table of sessions in the query, with `client_id`, `therapist_id`, `starts` and `ends`. */
type Sessions = 'session' | 'direct' | 'supervision';

/**
 * The tables `client_away` and `therapist_away` in SQL: when the people of these sessions are away, by person and date.
 * @param onDays the condition for the date `x.date` of an absence
 */
export function awayFrom(tables: readonly Sessions[], onDays: Sql): Sql {
  // Selected by person: selected by date, it would read everyone's absences.
  const away = (person: 'client_id' | 'therapist_id') => sql`
    select ${sql.ref(`x.${person}`)} as id, x.date, range_agg(tsrange(x.date + make_interval(mins => x.start_minute),
      x.date + make_interval(mins => x.end_minute))) as spans
    from absence x
    where x.withdrawn_at is null and ${onDays} and ${sql.ref(`x.${person}`)} = any(array(${sql.join(
      tables.map((table) => sql`select distinct ${sql.ref(person)} from ${sql.table(table)}`),
      sql` union `,
    )}))
    group by 1, 2`;
  return sql`client_away as (${away('client_id')}), therapist_away as (${away('therapist_id')})`;
}

/**
 * A query in SQL of these sessions with their `spans`: the time in which neither the therapist nor the client is away.
 * It reads the tables of `awayFrom`.
 * @param takesPlace the condition for a session `s` to have any such time
 */
export const keptSpans = (table: Sessions, takesPlace: Sql = sql`true`): Sql => sql`
  select s.*, case when ${takesPlace} then
    tsmultirange(tsrange(s.starts, s.ends)) - coalesce(t.spans, '{}') - coalesce(c.spans, '{}') else '{}' end as spans
  from ${sql.table(table)} s
  left join therapist_away t on t.id = s.therapist_id and t.date = s.starts::date
  left join client_away c on c.id = s.client_id and c.date = s.starts::date`;

/** The total minutes of several spans of time, in SQL. */
export const minutesOf = (spans: Sql): Sql =>
  sql`(select coalesce(sum(extract(epoch from upper(d) - lower(d)) / 60), 0) from unnest(${spans}) d)::int`;
