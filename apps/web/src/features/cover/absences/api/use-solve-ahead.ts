import { useEffect, useRef } from 'react';
import { absencesEndpoints } from '@clinic/contract';
import { call } from '../../../../shared/api/client.ts';
import type { IsoDate, Location } from '@clinic/domain';
import { problemOf, toQueries, type AbsenceEntry } from '../model.ts';

/** How long a selection must stay unchanged before it is solved. */
const SETTLED_MS = 250;

/**
 * Has the server solve the day as if the selection were saved, so that Save finds the options ready. Changing the
 * selection cancels the earlier request. Failures are not shown, since nothing depends on this request.
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
  // Compares the queries, not the entries: leaving a field makes new entries with the same content.
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
