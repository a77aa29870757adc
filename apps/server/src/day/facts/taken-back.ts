import { sql } from 'kysely';
import { overlaps, type Interval, type IsoDate, type Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';

/** A no of a day, also one that has ended, with the times for which its therapist is away that day. */
type NoRow = Awaited<ReturnType<typeof selectNoes>>[number];

export const selectNoes = (db: Db, location: Location, date: IsoDate) =>
  db
    .selectFrom('call_decline as d')
    .select(['d.answer_id', 'd.repeated_by', 'd.ended_at', 'd.sessions', 'd.away'])
    .select(
      sql<Interval[]>`coalesce((
        select jsonb_agg(jsonb_build_object('start', x.start_minute, 'end', x.end_minute)) from absence x
        where x.date = d.date and x.therapist_id = d.therapist_id and x.withdrawn_at is null), '[]')`.as('absent'),
    )
    .where('d.location', '=', location)
    .where('d.date', '=', date)
    .execute();

/**
 * Whether a no that has not ended still holds. One that was stored only as an absence does not while that absence is
 * withdrawn: the therapist is back.
 * @param absent when the therapist is away that day
 */
export const holds = (
  { sessions, away }: { readonly sessions: readonly string[]; readonly away: readonly Interval[] },
  absent: readonly Interval[],
): boolean =>
  sessions.length > 0 || away.length === 0 || away.some((window) => absent.some((each) => overlaps(window, each)));

/**
 * Whether a no was taken back: nothing that it stored, or that it repeated, still stands. A no to nothing in particular
 * cannot be taken back.
 */
export function isTakenBack(answerId: string, noes: readonly NoRow[]): boolean {
  const own = noes.filter((no) => no.answer_id === answerId || no.repeated_by.includes(answerId));
  return own.length > 0 && own.every((no) => no.ended_at !== null || !holds(no, no.absent));
}
