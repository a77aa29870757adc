import { useEffect, useRef } from 'react';
import { absencesEndpoints } from '@clinic/contract';
import { call } from '../../../../shared/api/client.ts';
import type { IsoDate, Location } from '@clinic/domain';
import { problemOf, toQueries, type AbsenceEntry } from '../model.ts';

/** How long a selection stays as it is before it is solved. */
const SETTLED_MS = 250;

/**
 * Has the server solve the day as it would be after saving the selection, so that saving finds its options solved. A
 * change drops what was asked for before. It is only ever a gain: that it fails is not shown.
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
  // By what is asked: leaving a time's field, as the click on Save does, makes other entries that say the same.
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
