import { groupBy, pushTo, type Interval, type IsoDate, type Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { millisOf } from '../../platform/clock.ts';
import { refusal } from '../../platform/refusal.ts';
import { personKey, selectAnswers, type PersonKey } from '../../tell/memory/call-day.ts';
import { knowledge } from '../../tell/memory/knows.ts';
import type { AbsentPerson } from './absences.queries.ts';

/** A session that a commit had changed and that needs cover again. */
export interface ReturnedSession {
  readonly location: Location;
  readonly commitId: string | null;
  /** The therapist to whom the commit had given the session; null if it gave the session to no one. */
  readonly therapistId: string | null;
  readonly clientId: string | null;
}

/** What changed when the absences of one person on one date were stored. */
export interface StoredChange {
  readonly person: AbsentPerson;
  readonly date: IsoDate;
  /** The location that reported the absence. */
  readonly location: Location;
  readonly before: readonly Interval[];
  readonly after: readonly Interval[];
  readonly returned: readonly ReturnedSession[];
  /** Every location whose day has changed. */
  readonly touched: readonly Location[];
}

/**
 * Refuses (409) to undo part of a commit until the coordinator confirms, and says how many people were told about that
 * part.
 */
export async function askBefore(trx: Db, done: readonly StoredChange[]): Promise<void> {
  const back = done.filter((each) => each.returned.length > 0);
  if (back.length === 0) return;
  const sessions = back.map(({ person, location, returned }) => ({
    name: person.displayName,
    kind: person.kind,
    here: location,
    sessions: returned.map((each) => each.location),
  }));
  const returned = back.reduce((sum, each) => sum + each.returned.length, 0);
  const { told, called } = await whoWasTold(trx, back);
  throw refusal('takes-back-sessions', sessions, told).with({ extra: { returned, called } });
}

/** A session on a date. */
type OnDate = ReturnedSession & { readonly date: IsoDate };

/**
 * Counts the people in these sessions who have been told about their whole day since the commit that changed their
 * session (`told`). Also returns whether anyone was told about these days in a telephone call (`called`).
 */
async function whoWasTold(trx: Db, back: readonly StoredChange[]): Promise<{ told: number; called: boolean }> {
  const all = back.flatMap(({ date, returned }) => returned.map((each) => ({ ...each, date })));
  const { told, called } = await tellings(trx, all);
  return { told: new Set([...told.values()].flat()).size, called };
}

/** The people of each session who have been told about their whole day since the commit that changed the session. */
export async function tellings<S extends OnDate>(
  trx: Db,
  all: readonly S[],
): Promise<{ told: ReadonlyMap<S, PersonKey[]>; called: boolean }> {
  const commits = await committedAt(trx, new Set(all.flatMap(({ commitId }) => commitId ?? [])));
  const told = new Map<S, PersonKey[]>();
  let called = false;
  for (const [, list] of groupBy(all, ({ date, location }) => `${date} ${location}`)) {
    const [first] = list;
    const last = knowledge(await selectAnswers(trx, first.location, first.date));
    called ||= [...last.values()].some((each) => each.whole?.answer === 'told');
    for (const session of list) {
      const since = commits.get(session.commitId ?? '') ?? Infinity;
      for (const person of peopleOf(session.therapistId, session.clientId)) {
        const answer = last.get(person)?.whole;
        if (answer && millisOf(answer.at) >= since) pushTo(told, session, person);
      }
    }
  }
  return { told, called };
}

/** When each of these commits was made, in epoch milliseconds. */
async function committedAt(trx: Db, ids: ReadonlySet<string>): Promise<Map<string, number>> {
  if (ids.size === 0) return new Map();
  const rows = await trx
    .selectFrom('schedule_commit')
    .select(['id', 'committed_at'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, millisOf(row.committed_at)]));
}

const peopleOf = (therapistId: string | null, clientId: string | null): PersonKey[] => [
  ...(therapistId === null ? [] : [personKey('therapist', therapistId)]),
  ...(clientId === null ? [] : [personKey('client', clientId)]),
];
