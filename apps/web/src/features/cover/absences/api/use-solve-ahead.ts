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
  const isSaving = useRef(saving);
  useEffect(() => {
    isSaving.current = saving;
  });
  useEffect(() => {
    if (entries.length === 0 || entries.some(problemOf)) return;
    const stop = new AbortController();
    const soon = setTimeout(() => {
      if (isSaving.current) return;
      const body = { queries: toQueries(entries, date, location), date, location };
      call(absencesEndpoints.solveAhead, { body, signal: stop.signal }).catch(() => undefined);
    }, SETTLED_MS);
    return () => {
      clearTimeout(soon);
      stop.abort();
    };
  }, [entries, date, location]);
}
