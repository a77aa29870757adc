import { useEffect, useRef } from 'react';
import { absencesEndpoints } from '@clinic/contract';
import { call } from '../../../../shared/api/client.ts';
import type { IsoDate, Location } from '@clinic/domain';
import { problemOf, toQueries, type AbsenceEntry } from '../model.ts';

/** A selection must stay the same for this long before it is solved. */
const SETTLED_MS = 250;

/**
 * Lets the server solve the day as it would be after saving the selection, so that the options are ready when it is
 * saved. A change of the selection stops the earlier request. Failures are not shown, since nothing depends on this.
 */
export function useSolveAhead(
  entries: readonly AbsenceEntry[],
  { location, date, saving }: { location: Location; date: IsoDate; saving: boolean },
): void {
  const queries = entries.some(problemOf) ? [] : toQueries(entries, date, location);
  const latest = useRef({ queries, saving });
  useEffect(() => {
    latest.current = { queries, saving };
  });
  // Compares what is asked, not the entries: leaving a field makes new entries that say the same.
  const asked = JSON.stringify(queries);
  useEffect(() => {
    const stop = new AbortController();
    const soon = setTimeout(() => {
      const now = latest.current;
      if (now.saving || now.queries.length === 0) return;
      const body = { queries: now.queries, date, location };
      call(absencesEndpoints.solveAhead, { body, signal: stop.signal }).catch(() => undefined);
    }, SETTLED_MS);
    return () => {
      clearTimeout(soon);
      stop.abort();
    };
  }, [asked, date, location]);
}
