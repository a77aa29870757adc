import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { millisOf } from '../platform/clock.ts';

type NoRow = Awaited<ReturnType<typeof selectNoes>>[number];

/**
 * All noes of a day, also those that have ended, and whether each still stands. A no that was stored only as an absence
 * does not while that absence is withdrawn: the therapist is back.
 */
export const selectNoes = (db: Db, location: Location, date: IsoDate) =>
  db
    .selectFrom('call_decline as d')
    .select(['d.therapist_id', 'd.client_id', 'd.answer_id', 'd.at', 'd.ended_at'])
    .select(
      sql<boolean>`d.ended_at is null and (d.sessions <> '{}' or d.away = '[]' or exists (
        select from absence x, jsonb_array_elements(d.away) w
        where x.date = d.date and x.therapist_id = d.therapist_id and x.withdrawn_at is null
          and x.start_minute < (w ->> 'end')::int and (w ->> 'start')::int < x.end_minute))`.as('stands'),
    )
    .where('d.location', '=', location)
    .where('d.date', '=', date)
    .execute();

/** A `said-no` as it is stored. */
interface NoAnswer {
  readonly id: string;
  readonly therapist_id: string | null;
  readonly client_id: string | null;
  readonly at: string;
}

/**
 * Whether a no was taken back: nothing that it stored still stands. A no that repeats others stores nothing, and is
 * taken back with them.
 */
export function isTakenBack(answer: NoAnswer, noes: readonly NoRow[]): boolean {
  const at = millisOf(answer.at);
  const isTheirs = (no: NoRow): boolean =>
    no.client_id === answer.client_id && (answer.client_id !== null || no.therapist_id === answer.therapist_id);
  const stood = (no: NoRow): boolean => millisOf(no.at) <= at && (no.ended_at === null || millisOf(no.ended_at) > at);
  const own = noes.filter((no) => no.answer_id === answer.id);
  const stored = own.length > 0 ? own : noes.filter((no) => isTheirs(no) && stood(no));
  return stored.length > 0 && stored.every((no) => !no.stands);
}
