import {
  credentialOn,
  groupBy,
  hoursWindow,
  isEmployed,
  minutesLeft,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import { selectCredentials } from '../../people/therapists.queries.ts';
import { hoursOn, limitsOf, selectWorkedDays, type WorkedDay } from '../count/hours.ts';
import { loadRules } from '../count/rules.ts';
import type { Db } from '../../db/connection.ts';
import { withTimes } from '../../db/wall-time.ts';
import { onSnapshot } from '../../db/retry.ts';
import { countWithoutCredential, selectLedgerSessions, selectLedgerTherapists } from './ledgers.queries.ts';

type Therapist = Awaited<ReturnType<typeof selectLedgerTherapists>>[number];

/** Returns the therapists' hours around a date, in minutes, and their limits. */
export async function readHours(db: Db, location: Location, date: IsoDate, now: string) {
  return onSnapshot(db, async (trx) => {
    const { monday, sunday, coverFrom } = hoursWindow(date);
    const therapists = await selectLedgerTherapists(trx, location, [monday, sunday]);
    const ids = therapists.map(({ id }) => id);
    const days = await selectWorkedDays(trx, ids, [coverFrom, sunday], now);
    const rules = await loadRules(trx);
    const credentials = groupBy(await selectCredentials(trx, ids), (row) => row.therapist_id);
    const rowOf = (therapist: Therapist) => {
      const own = days.filter((day) => day.therapistId === therapist.id);
      const hours = hoursOn(own, date);
      const limits = limitsOf(therapist, rules);
      const credential = credentialOn(therapist.specialization, credentials.get(therapist.id) ?? [], date);
      return {
        ...therapist,
        credential,
        hours,
        limits,
        worked: workedIn(own, monday),
        left: isEmployed(therapist, date) ? minutesLeft(hours, limits) : 0,
      };
    };
    const without = await countWithoutCredential(trx, ids);
    return { from: monday, until: sunday, rows: therapists.map(rowOf), without };
  });
}
export type HoursLedger = Awaited<ReturnType<typeof readHours>>;

const workedIn = (days: readonly WorkedDay[], monday: IsoDate): number =>
  days.reduce((n, day) => n + (day.date >= monday ? day.worked : 0), 0);

/**
 * Returns the sessions from which a therapist's hours are counted: in the 28 days up to the date, and in the date's
 * week.
 */
export async function readHoursSessions(db: Db, therapistId: string, date: IsoDate) {
  const { sunday, coverFrom } = hoursWindow(date);
  const rows = await selectLedgerSessions(db, therapistId, [coverFrom, sunday]);
  return rows.map(withTimes);
}
export type HoursSession = Awaited<ReturnType<typeof readHoursSessions>>[number];
