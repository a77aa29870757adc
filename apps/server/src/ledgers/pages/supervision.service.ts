import { addDays, isAtRisk, monthOf, supervisionOn, type IsoDate, type Location } from '@clinic/domain';
import { loadRules } from '../count/rules.ts';
import { selectRbts, selectSupervisedSessions, selectSupervision } from '../count/supervision.ts';
import type { Db } from '../../db/connection.ts';
import { onSnapshot } from '../../db/retry.ts';
import { withTimes } from '../../db/wall-time.ts';
import { selectLedgerTherapists } from './ledgers.queries.ts';

/** Returns how much supervision a location's RBTs get in the date's month. */
export async function readSupervision(db: Db, location: Location, date: IsoDate) {
  const { first, last } = monthOf(date);
  return onSnapshot(db, async (trx) => {
    const everyone = await selectLedgerTherapists(trx, location, [first, last]);
    const isRbt = await selectRbts(
      trx,
      everyone.map(({ id }) => id),
    );
    const dates = Array.from({ length: 31 }, (_, i) => addDays(first, i)).filter((each) => each <= last);
    const therapists = everyone.filter(({ id }) => dates.some((each) => isRbt(id, each)));
    const rules = await loadRules(trx);
    const ids = therapists.map(({ id }) => id);
    const days = await selectSupervision(trx, ids, [first, last], { rbts: isRbt });
    const all = therapists.map(({ id, display_name: name }) => {
      const supervision = supervisionOn(days.get(id) ?? [], date, rules);
      return { id, name, ...supervision, atRisk: isAtRisk(supervision) };
    });
    const rows = all.filter(({ direct }) => direct > 0);
    return { from: first, until: last, rows, without: all.length - rows.length };
  });
}
export type SupervisionLedger = Awaited<ReturnType<typeof readSupervision>>;

/** Returns the sessions from which an RBT's supervision is counted. */
export async function readSupervisedSessions(db: Db, therapistId: string, date: IsoDate) {
  const { first, last } = monthOf(date);
  const rows = await selectSupervisedSessions(db, therapistId, [first, last]);
  return rows.map(withTimes);
}
export type SupervisedLedgerSession = Awaited<ReturnType<typeof readSupervisedSessions>>[number];
