import type { PersonHistory } from '@clinic/contract';
import { addDays, groupBy, type IsoDate, type Location, type PersonKind } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { onSnapshot } from '../../db/retry.ts';
import { KNOWN_DAYS, TEAM_DAYS } from '../../day/facts/day.ts';
import { continuityOf } from '../../ledgers/count/continuity.ts';
import { selectMet } from '../../ledgers/count/familiarity.queries.ts';
import { selectNames } from '../../people/people.ts';
import { requireLocation } from '../../access/caller.ts';
import type { Caller } from '../../access/sessions.ts';
import { isoOf } from '../../platform/clock.ts';
import { refusal } from '../../platform/refusal.ts';
import { wordsOf } from './history-words.ts';
import { selectEventsOf, type SessionEvent } from './history.queries.ts';

/** How many acts are shown. */
const MOST_LINES = 8;

/**
 * Whom a person met in the weeks before today, and what happened to their sessions of the last 90 days and later. Of a
 * therapist who also works where the caller may not, only what happened at the caller's locations.
 */
export function readPersonHistory(
  db: Db,
  caller: Caller,
  who: { readonly type: PersonKind; readonly id: string },
  todayAt: (location: Location) => IsoDate,
): Promise<{ location: Location; clients: readonly string[]; reply: PersonHistory }> {
  return onSnapshot(db, async (trx) => {
    const person = await trx.selectFrom(who.type).select('location').where('id', '=', who.id).executeTakeFirst();
    if (!person) throw refusal(`no-such-${who.type}`);
    const { location } = person;
    requireLocation(caller, location);
    const today = todayAt(location);
    const metAt = who.type === 'client' ? null : caller.locations;
    const { met, continuity } = continuityOf(await selectMet(trx, who, today, metAt), today);
    const events = await selectEventsOf(trx, who, addDays(today, -KNOWN_DAYS), caller.locations);
    const ids = met.map(({ id }) => id);
    const names = await selectNames(trx, [...ids, ...events.flatMap(therapistsIn)]);
    const credentials = new Map(
      (await trx.selectFrom('therapist').select(['id', 'specialization']).where('id', '=', anyOf(ids)).execute()).map(
        (row) => [row.id, row.specialization],
      ),
    );
    return {
      location,
      clients: who.type === 'client' ? [who.id] : ids,
      reply: {
        from: addDays(today, -TEAM_DAYS),
        until: addDays(today, -1),
        continuity,
        met: met.map(({ id, team, isNew, days, last }) => ({
          id,
          name: names.get(id) ?? '',
          credential: who.type === 'client' ? (credentials.get(id) ?? null) : null,
          team,
          is_new: isNew,
          days: days.map(({ date, minutes }) => ({ date, minutes })),
          last,
        })),
        lines: linesOf(events, (id) => names.get(id) ?? 'a therapist'),
      },
    };
  });
}

const therapistsIn = ({ before, after }: SessionEvent): string[] =>
  [before, after].flatMap((state) => [state?.therapistId, state?.bookedTherapistId]).filter((id) => id != null);

/** One line for each act: what it did to the first of its sessions, and how many more it changed so. */
function linesOf(events: readonly SessionEvent[], nameOf: (id: string) => string): PersonHistory['lines'] {
  const acts = [...groupBy(events, ({ at, by, what }) => [at, by, what].join('|')).values()];
  return acts.slice(0, MOST_LINES).flatMap((act) => {
    const first = act.at(-1); // the newest event comes first
    if (!first) return [];
    const words = wordsOf(first, nameOf);
    const more = act.length - 1;
    return [{ at: isoOf(first.at), by: first.by, words: more === 0 ? words : `${words}, and ${more} more` }];
  });
}
