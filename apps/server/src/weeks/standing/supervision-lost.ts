/** Finds the RBTs who get enough supervision in a month without an absence, and too little with it. */
import type { StandingPrice } from '@clinic/contract';
import {
  credentialOn,
  groupBy,
  intersect,
  isAtRisk,
  isoDate,
  minutesOf,
  monthOf,
  overlaps,
  pushTo,
  supervisionOn,
  union,
  type Interval,
  type IsoDate,
  type Service,
  type SupervisedDay,
} from '@clinic/domain';
import { groupOf, type DatedAppointment } from '../../day/facts/day.ts';
import type { Db } from '../../db/connection.ts';
import { selectSupervision } from '../../ledgers/count/supervision.ts';
import type { LoadedStanding } from '../problem/load-standing.ts';

/** A session that the absence takes, and who takes it then. A group's session is one. */
export interface MovedSession extends Interval {
  readonly date: IsoDate;
  readonly service: Service;
  readonly clientIds: readonly string[];
  readonly rows: readonly DatedAppointment[];
  readonly to: string | null;
}

/** The days that the absence adds to a therapist's supervision; what it takes is negative. */
type Added = Map<string, SupervisedDay[]>;

/**
 * A session that the absence takes counts no longer for the therapist who is away, and counts for whoever takes it. With
 * it go the supervisor's minutes in a direct session, and the supervised minutes of whoever has the child meanwhile.
 */
export async function shortOfSupervision(
  db: Db,
  loaded: LoadedStanding,
  moved: readonly MovedSession[],
): Promise<StandingPrice['supervision']> {
  const { facts, away } = loaded;
  const [withIt, without]: [Added, Added] = [new Map(), new Map()];
  const add = (to: Added, id: string | null, date: IsoDate, sign: 1 | -1, day: Omit<SupervisedDay, 'date'>): void => {
    const therapist = id === null ? undefined : facts.therapists.get(id);
    if (!therapist || credentialOn(therapist.specialization, therapist.credentials, date) !== 'RBT') return;
    const { direct, supervised, contacts } = day;
    pushTo(to, therapist.id, { date, direct: sign * direct, supervised: sign * supervised, contacts: sign * contacts });
  };
  const others = othersWith(loaded);
  for (const session of moved) {
    const { date, start, end, service, to } = session;
    // An absence that is recorded counts already: without it, the session would be held.
    const isRecorded = (facts.away(date).get(away.therapist) ?? []).some((each) => overlaps(each, session));
    const gone = isRecorded ? ([without, 1] as const) : ([withIt, -1] as const);
    if (service === 'direct') {
      const day = { direct: end - start, ...together(session, others(session, 'supervision')) };
      add(gone[0], away.therapist, date, gone[1], day);
      add(withIt, to, date, 1, day);
    } else if (service === 'supervision')
      for (const [id, own] of groupBy(others(session, 'direct'), ({ therapistId }) => therapistId)) {
        const day = { direct: 0, ...together(session, own), contacts: 1 };
        add(gone[0], id, date, gone[1], day);
        if (to !== id && to !== null) add(withIt, id, date, 1, day);
      }
  }
  const ids = [...new Set([...withIt.keys(), ...without.keys()])];
  const months = [...new Set(moved.map(({ date }) => monthOf(date).first))].sort();
  const last = months.at(-1);
  if (ids.length === 0 || !months[0] || !last) return [];
  const booked = await selectSupervision(db, ids, [months[0], monthOf(last).last]);
  const inMonth = (id: string, month: IsoDate, added: Added) =>
    supervisionOn([...(booked.get(id) ?? []), ...(added.get(id) ?? [])], month, facts.rules);
  return ids.flatMap((id) =>
    months.flatMap((month) => {
      const after = inMonth(id, month, withIt);
      if (after.direct <= 0 || !isAtRisk(after) || isAtRisk(inMonth(id, month, without))) return [];
      const { needed, before, on, after: rest } = after;
      return [
        {
          name: facts.therapists.get(id)?.name ?? '',
          month: month.slice(0, 7),
          minutes: before.minutes + on.minutes + rest.minutes,
          needed: needed.minutes,
          contacts: before.contacts + on.contacts + rest.contacts,
          contacts_needed: needed.contacts,
        },
      ];
    }),
  );
}

interface Other extends Interval {
  readonly therapistId: string | null;
  readonly visit: string;
}

/** Returns the other therapists' sessions of a service with the same children at the same time; supervision only by BCBAs. */
function othersWith({ facts, away }: LoadedStanding) {
  const byDate = groupBy(facts.sessions, ({ date }) => date);
  return ({ date, clientIds, ...time }: MovedSession, service: 'direct' | 'supervision'): Other[] =>
    (byDate.get(date) ?? []).flatMap((row) => {
      const { clientId, therapistId, start, end } = row;
      if (row.service !== service || therapistId === null || therapistId === away.therapist) return [];
      if (!clientIds.includes(clientId ?? '') || !overlaps(row, time)) return [];
      const therapist = facts.therapists.get(therapistId);
      const isBcba =
        therapist && credentialOn(therapist.specialization, therapist.credentials, isoDate(date)) === 'BCBA';
      return service === 'direct' || isBcba ? [{ therapistId, start, end, visit: groupOf(row) }] : [];
    });
}

const together = (session: Interval, others: readonly Other[]): { supervised: number; contacts: number } => ({
  supervised: minutesOf(union(others.flatMap((each) => intersect(session, each) ?? []))),
  contacts: new Set(others.map(({ visit }) => visit)).size,
});
