import {
  addDays,
  CARE_DAYS,
  CARE_WEEK,
  codeOf,
  compareText,
  groupBy,
  NO_CARE,
  priorityOf,
  USUAL_PRIORITY,
  type BillingCode,
  type Care,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import { selectAuthorizations, type LiveAuthorization } from '../count/authorizations.ts';
import { loadBilling } from '../count/billing.ts';
import { careNow, careOfDate } from '../count/care-hours.ts';
import { selectAbsencesOf, selectCareSessions, selectClientSessions } from '../count/care-hours.queries.ts';
import { selectClients } from '../../people/clients.queries.ts';
import { countSessions, type CountedSession } from '../count/count-sessions.ts';
import { cutOf } from '../../day/facts/present.ts';
import { awayWindows } from '../../day/facts/uncovered.ts';
import type { Db } from '../../db/connection.ts';
import { onSnapshot } from '../../db/retry.ts';
import { together } from '../../db/snapshot.ts';
import type { WallNow } from '../../platform/wall-clock.ts';

/**
 * Returns the care of a location's clients in the 28 days before the date, and the priorities that they have in a plan
 * for the date.
 */
export async function readCare(db: Db, location: Location, date: IsoDate, now: WallNow) {
  const from = addDays(date, -CARE_DAYS);
  return onSnapshot(db, async (trx) => {
    const clients = await selectClients(trx, location, date);
    const ids = clients.map(({ id }) => id);
    // `countCare` comes first, because it computes while the database answers the other query.
    const [{ counted: all, silent }, { live, clients: known }, onDate] = await together(
      countCare(trx, ids, date, now),
      selectAuthorizations(trx, ids, date, null),
      selectCareOfDate(trx, location, date),
    );
    const counted = groupBy(all, ({ session }) => session.clientId ?? '');
    const authorized = groupBy(live, ({ client }) => client);
    const rows = clients.map(({ id, displayName, priority }) => {
      const own = counted.get(id) ?? [];
      const care = sumOf(own);
      const week = sumOf(own.filter(({ session }) => session.date >= addDays(date, -CARE_WEEK)));
      return {
        id,
        name: displayName,
        ...care,
        /** The date of the oldest lost session; null if nothing was lost. */
        lostSince: lostSince(own),
        priority: priorityOf(priority, { ...care, week }, onDate.get(id) ?? NO_CARE),
        byHand: priority !== USUAL_PRIORITY,
        authorized: known.has(id) ? authorizedFor(own, authorized.get(id) ?? []) : null,
      };
    });
    return { from, until: addDays(date, -1), rows, without: ids.length - known.size, silent };
  });
}

/** Counts these clients' sessions in the 28 days before the date, as reports do. */
async function countCare(trx: Db, ids: readonly string[], date: IsoDate, now: WallNow) {
  const days = [addDays(date, -CARE_DAYS), addDays(date, -1)] as const;
  const [sessions, cut, billing] = await together(
    selectClientSessions(trx, ids, ...days),
    cutOf(trx, now),
    loadBilling(trx, ids, days),
  );
  const absences = await selectAbsencesOf(trx, sessions, days);
  const at = careNow(now, cut);
  return { counted: countSessions(sessions, absences, () => at, billing), silent: billing.silent };
}

/** Counts care as plans for the date do, which ask what is lost if no one comes. */
async function selectCareOfDate(trx: Db, location: Location, date: IsoDate): Promise<Map<string, Care>> {
  const sessions = await selectCareSessions(trx, location, date, date);
  const absences = await selectAbsencesOf(trx, sessions, [date, date]);
  return careOfDate(sessions, awayWindows({ absences }));
}

const lostSince = (counted: readonly CountedSession[]): IsoDate | null =>
  counted.flatMap(({ session, hours }) => (hours.lost > 0 ? [session.date] : [])).sort()[0] ?? null;

/** Minutes lost to one cause; `cause` is null for minutes without a recorded cause. */
interface LostBy {
  readonly cause: string | null;
  readonly label: string | null;
  readonly minutes: number;
}

function sumOf(counted: readonly CountedSession[]) {
  const sum = (figure: 'booked' | 'kept' | 'billable' | 'lost' | 'made_up'): number =>
    counted.reduce((n, { hours }) => n + hours[figure], 0);
  const causes = new Map<string | null, LostBy>();
  for (const { cause, label, minutes } of counted.flatMap(({ losses }) => losses))
    causes.set(cause, { cause, label, minutes: (causes.get(cause)?.minutes ?? 0) + minutes });
  return {
    booked: sum('booked'),
    delivered: sum('kept'),
    billable: sum('billable'),
    lost: sum('lost'),
    madeUp: sum('made_up'),
    lostBy: [...causes.values()].sort((a, b) => b.minutes - a.minutes || compareText(a.cause ?? '', b.cause ?? '')),
  };
}

/** A code of the care that a client has booked, and a valid authorization for it; null when there is none. */
export interface AuthorizedCode {
  readonly code: BillingCode;
  readonly authorization: LiveAuthorization | null;
}

/** The valid authorizations for the codes of these sessions, in the order of the codes. */
function authorizedFor(counted: readonly CountedSession[], live: readonly LiveAuthorization[]): AuthorizedCode[] {
  const codes = new Set(counted.flatMap(({ session }) => codeOf(session.service, session.subject) ?? []));
  return [...codes].sort(compareText).flatMap((code): AuthorizedCode[] => {
    const own = live.filter((each) => each.code === code);
    return own.length === 0 ? [{ code, authorization: null }] : own.map((authorization) => ({ code, authorization }));
  });
}

export type CareLedger = Awaited<ReturnType<typeof readCare>>;

/** Returns the sessions from which a client's care is counted. */
export async function readCareSessions(db: Db, clientId: string, date: IsoDate, now: WallNow) {
  return onSnapshot(db, async (trx) =>
    (await countCare(trx, [clientId], date, now)).counted.map((each) => ({ ...each.session, ...sumOf([each]) })),
  );
}
export type CareSession = Awaited<ReturnType<typeof readCareSessions>>[number];
