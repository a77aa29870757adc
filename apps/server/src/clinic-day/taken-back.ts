import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { millisOf } from '../platform/clock.ts';

type NoRow = Awaited<ReturnType<typeof selectNoes>>[number];

/** All noes of a day, also those that have ended. */
export const selectNoes = (db: Db, location: Location, date: IsoDate) =>
  db
    .selectFrom('call_decline')
    .select(['therapist_id', 'client_id', 'answer_id', 'at', 'ended_at'])
    .where('location', '=', location)
    .where('date', '=', date)
    .execute();

/** A `said-no` as it is stored. */
interface NoAnswer {
  readonly id: string;
  readonly therapist_id: string | null;
  readonly client_id: string | null;
  readonly at: string;
}

/**
 * Whether a no was taken back: all that it stored has ended. A no that repeats others stores nothing, and is taken back
 * with them.
 */
export function isTakenBack(answer: NoAnswer, noes: readonly NoRow[]): boolean {
  const at = millisOf(answer.at);
  const isTheirs = (no: NoRow): boolean =>
    no.client_id === answer.client_id && (answer.client_id !== null || no.therapist_id === answer.therapist_id);
  const stood = (no: NoRow): boolean => millisOf(no.at) <= at && (no.ended_at === null || millisOf(no.ended_at) > at);
  const own = noes.filter((no) => no.answer_id === answer.id);
  const stored = own.length > 0 ? own : noes.filter((no) => isTheirs(no) && stood(no));
  return stored.length > 0 && stored.every((no) => no.ended_at !== null);
}
