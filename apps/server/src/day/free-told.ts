import { sql } from 'kysely';
import { subtract, type FreeTime, type Interval, type IsoDate, type Location } from '@clinic/domain';
import type { QueryRow } from '../db/query-row.ts';
import type { Db } from '../db/connection.ts';
import { personKey, type Answer } from '../tell/memory/call-day.ts';
import type { FreeTold } from './facts/day.ts';
import { answersThatCount } from '../tell/memory/knows.ts';

type Said = Pick<Answer, 'person' | 'answer' | 'day' | 'free'>;

/**
 * Puts together what a therapist's calls said, oldest first: a later call holds for its time, and someone who was told of
 * a session is not free then. A message that was left counts as heard.
 */
export function freeTold(answers: readonly Said[]): FreeTold {
  let { released, standBy }: FreeTold = { released: [], standBy: [] };
  for (const { day, free } of answersThatCount(answers)) {
    const of = (how: FreeTime['how']): Interval[] => free.filter((each) => each.how === how);
    // Whoever is told to stay near the phone may have gone home before.
    released = subtract([...subtract(released, of('stand-by')), ...of('released')], day ?? []);
    standBy = subtract([...subtract(standBy, free), ...of('stand-by')], day ?? []);
  }
  return { released, standBy };
}

/** The answers of the therapists to whom a call said something about free time, oldest first. */
export const freeToldQuery = (db: Db, { location, date }: { location: Location; date: IsoDate }) =>
  db
    .selectFrom('call_answer as c')
    .select(['c.therapist_id', 'c.answer', 'c.day', 'c.free'])
    .where('c.location', '=', location)
    .where('c.date', '=', date)
    .where(
      sql<boolean>`c.therapist_id in (select f.therapist_id from call_answer f
        where f.location = c.location and f.date = c.date and f.free is not null)`,
    )
    .orderBy('c.id');

/** What these answers told each therapist, by id. */
export function freeToldOf(rows: readonly QueryRow<typeof freeToldQuery>[]): ReadonlyMap<string, FreeTold> {
  const said = new Map<string, Said[]>();
  for (const { therapist_id: id, answer, day, free } of rows)
    if (id !== null)
      said.set(id, [...(said.get(id) ?? []), { person: personKey('therapist', id), answer, day, free: free ?? [] }]);
  return new Map([...said].map(([id, answers]) => [id, freeTold(answers)]));
}
