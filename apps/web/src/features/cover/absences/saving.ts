import type { AbsenceLossBody, absencesEndpoints, BodyOf, StoredAbsence } from '@clinic/contract';
import { byPerson, isFor, savedTimes, type AbsenceEntry } from './model.ts';

/** The request body that Save sends. */
export type ProcessBody = BodyOf<typeof absencesEndpoints.process>;
type AbsenceQuery = ProcessBody['queries'][number];

/**
 * The queries that Save sends (ABS-05), one for each window. They replace the recorded absences of each person on the
 * date.
 */
export function toQueries(
  entries: readonly AbsenceEntry[],
  date: string,
  location: AbsenceQuery['location'],
): AbsenceQuery[] {
  return entries.map((entry): AbsenceQuery => {
    const { startTime: begin, endTime: end } = savedTimes(entry);
    const { name, loss, recorded, further } = entry;
    const window = {
      date,
      begin,
      end,
      location,
      replaces: true,
      ...(recorded && isUuid(recorded.id) && { id: recorded.id }),
      ...(loss && !isSaid(loss, recorded?.loss) && { loss }),
      ...(further && { leave: further }),
    };
    return entry.type === 'therapist'
      ? { type: 'therapist_cancel', ...window, therapist: name }
      : { type: 'client_cancel', ...window, client: name };
  });
}

/** Another back end may send absences with ids of another kind; they are not sent back. */
const isUuid = (id: unknown): boolean => typeof id === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

/** Whether all selected absences are recorded just so. */
export function areStored(entries: readonly AbsenceEntry[], stored: readonly StoredAbsence[]): boolean {
  return byPerson(entries).every(({ person, windows }) => {
    const own = stored.filter((each) => isFor(each, person));
    return own.length === windows.length && windows.every(({ window }) => own.some((each) => isSame(window, each)));
  });
}

function isSame(entry: AbsenceEntry, stored: StoredAbsence): boolean {
  const { startTime, endTime } = savedTimes(entry);
  const isThen = !entry.further && startTime === stored.startTime && endTime === stored.endTime;
  return isThen && (entry.loss === undefined || isSaid(entry.loss, { ...stored.loss, untold: stored.untold }));
}

/** Whether a cause is recorded already. What it leaves out stays as it is recorded. */
const isSaid = (
  loss: AbsenceLossBody,
  recorded: (Pick<AbsenceLossBody, 'lost_by' | 'untold'> & { cause?: string | null }) | undefined,
): boolean =>
  loss.cause === (recorded?.cause ?? null) &&
  (loss.lost_by ?? recorded?.lost_by) === recorded?.lost_by &&
  (loss.untold ?? recorded?.untold) === recorded?.untold &&
  loss.known === undefined;
