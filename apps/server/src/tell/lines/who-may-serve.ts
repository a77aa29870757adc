import { modelOf, serveFault } from '@clinic/cover-engine';
import { overlaps, slotStart, type IsoDate } from '@clinic/domain';
import { loadClinicDay } from '../../day/clinic-day.ts';
import type { ClinicDay, DayAppointment } from '../../day/facts/day.ts';
import { selectFamiliarity } from '../../ledgers/count/familiarity.queries.ts';
import { cutAt, type WallPresent } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import { toProblem } from '../../plan/problem/to-problem.ts';
import type { CallData } from './line.ts';

/** Reads who may serve which of a day's sessions, by the engine's own rules. */
export async function loadServes(
  db: Db,
  { location, date }: Pick<ClinicDay, 'location' | 'date'>,
  wall: WallPresent,
): Promise<CallData['serves']> {
  const day = await loadClinicDay(db, location, date, { wall });
  const { problem, sessions } = toProblem(day, { now: cutAt(wall, day.isDemo)(date) });
  const model = modelOf(problem);
  const sessionOf = new Map(sessions.flatMap(({ id, rows }) => rows.map(({ key }) => [key, id] as const)));
  return (therapistId, { key }, window) => {
    const therapist = model.therapistById.get(therapistId);
    // A piece that only a plan has is named by its appointment's key, and a number.
    const session = model.sessionById.get(sessionOf.get(key.split(' ')[0] ?? '') ?? '');
    if (!therapist || !session || serveFault(therapist, session) !== null) return false;
    return therapist.free.some(
      (is, slot) => is === 1 && overlaps(window, { start: slotStart(slot), end: slotStart(slot + 1) }),
    );
  };
}

/** Finds the therapists and clients of these supervisions who have not met: `THERAPIST CLIENT`. */
export async function selectUnmet(
  db: Db,
  sessions: readonly Pick<DayAppointment, 'service' | 'therapistId' | 'clientId'>[],
  date: IsoDate,
): Promise<ReadonlySet<string>> {
  const pairs = sessions.flatMap(({ service, therapistId, clientId }) =>
    service === 'supervision' && therapistId !== null && clientId !== null ? [{ therapistId, clientId }] : [],
  );
  const ids = (of: 'clientId' | 'therapistId'): string[] => [...new Set(pairs.map((pair) => pair[of]))];
  const known = await selectFamiliarity(db, ids('clientId'), ids('therapistId'), date);
  const met = new Set(known.map((pair) => `${pair.therapistId} ${pair.clientId}`));
  return new Set(pairs.map((pair) => `${pair.therapistId} ${pair.clientId}`).filter((pair) => !met.has(pair)));
}
