import { absencesEndpoints } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call } from '../../../../shared/api/client.ts';
import { useAhead } from '../../../../shared/api/use-ahead.ts';
import { isWrong, type AbsenceEntry } from '../model.ts';
import { toQueries } from '../saving.ts';

/** Has the server solve the day as if the selection were saved, so that Save finds the options ready. */
export function useSolveAhead(
  entries: readonly AbsenceEntry[],
  { location, date, saving }: { location: Location; date: IsoDate; saving: boolean },
): void {
  const queries = isWrong(entries) ? [] : toQueries(entries, date, location);
  const body = { queries, date, location };
  // Compares the queries instead of the entries, since leaving a form field creates new entries with the same content.
  useAhead(JSON.stringify(body), (signal) =>
    saving || queries.length === 0 ? null : call(absencesEndpoints.solveAhead, { body, signal }),
  );
}
