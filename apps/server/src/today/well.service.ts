import type { CoverWrongBody, WellDay } from '@clinic/contract';
import { addDays, type IsoDate, type Location } from '@clinic/domain';
import type { UnfitSession } from '../day/future-sessions.ts';
import { isDemoClinic, cutAt, isOver, type WallOf } from '../day/facts/present.ts';
import { lockUnfit, takeOff } from '../day/unfit-sessions.ts';
import { bumpDays } from '../day/facts/versions.ts';
import { countToSubmit, loadWell } from '../day/well.ts';
import type { Db } from '../db/connection.ts';
import { inTransaction, onSnapshot } from '../db/retry.ts';
import { together } from '../db/snapshot.ts';
import type { Act } from '../access/act.ts';
import { auditBy } from '../access/audit.ts';
import type { WallNow } from '../platform/wall-clock.ts';
import { selectReported } from './today.queries.ts';

const DAYS = 7;

/** Counts what is open at these locations on seven days. */
export async function readWeek(
  db: Db,
  locations: readonly Location[],
  from: IsoDate,
  wallOf: WallOf,
): Promise<WellDay[]> {
  const dates = Array.from({ length: DAYS }, (_, i) => addDays(from, i));
  const to = addDays(from, DAYS - 1);
  const [wellOf, isDemo, reported] = await onSnapshot(db, (trx) =>
    together(loadWell(trx, [from, to], wallOf), isDemoClinic(trx), selectReported(trx, from, to)),
  );
  return locations.flatMap((location) => {
    const wall = wallOf(location);
    return dates.map((date) => {
      const well = wellOf(location, date);
      const toSubmit = countToSubmit(well);
      return {
        location,
        date,
        over: isOver(date, wall, cutAt(wall, isDemo)),
        booked: well.booked,
        needs_cover: well.open,
        to_submit: toSubmit,
        wrong: well.wrong.length - toSubmit,
        reported: reported.find((each) => each.location === location && each.date === date)?.therapists ?? 0,
      };
    });
  });
}

/**
 * Takes the therapists off those of these sessions that still break a rule which another therapist would keep, so that
 * cover is found for them. Returns how many.
 */
export async function coverWrong(
  db: Db,
  { location, date, sessions }: CoverWrongBody & { readonly date: IsoDate },
  now: WallNow,
  act: Act,
): Promise<number> {
  const asked = new Set(sessions);
  return inTransaction(db, async (trx) => {
    const find = async (): Promise<UnfitSession[]> => {
      const { wrong } = (await loadWell(trx, [date, date], () => now))(location, date);
      return wrong.flatMap((each) =>
        each.kind === 'rule' && asked.has(each.session.id)
          ? [{ session: each.session, why: each.broken[0]?.why ?? '', byCover: each.byCover }]
          : [],
      );
    };
    const unfit = await lockUnfit(trx, find);
    const days = await takeOff(trx, act, { name: '', why: 'Against a rule' }, unfit);
    if (unfit.length === 0) return 0;
    await bumpDays(trx, days);
    await auditBy(trx, act, {
      action: 'appointment.changed',
      subjectKind: 'appointment',
      subjectIds: unfit.map(({ session }) => session.id),
      location,
      detail: { clients: unfit.map(({ session }) => session.client.id), unassigned: unfit.map((u) => u.session.id) },
    });
    return unfit.length;
  });
}
