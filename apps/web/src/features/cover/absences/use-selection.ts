import { useCallback, useEffect, useMemo, useState } from 'react';
import { absencesDraft, readDraft, writeDraft } from '../../../shared/session/drafts.ts';
import { reduceAbsences, type AbsenceAction, type AbsenceEntry } from './model.ts';

const NOBODY: readonly AbsenceEntry[] = [];
const load = (key: string): readonly AbsenceEntry[] => readDraft<AbsenceEntry[]>(key) ?? NOBODY;

/**
 * The people selected as absent at a location on a date. Each day has its own selection. The tab keeps the selection
 * through reloads and new logins until it is saved or cleared.
 */
export function useAbsenceSelection(
  location: string,
  date: string,
): {
  entries: readonly AbsenceEntry[];
  act: (action: AbsenceAction) => void;
  /** Clears the selection for good: it does not come back after a reload. */
  forget: () => void;
  /** Called once the selection is saved. From then on, a reload no longer restores the selection. */
  saved: () => void;
} {
  const key = absencesDraft(location, date);
  const [state, setState] = useState(() => ({ key, entries: load(key) }));
  const entries = useMemo(() => (state.key === key ? state.entries : load(key)), [state, key]);
  useEffect(() => {
    if (state.key === key) writeDraft(key, state.entries.length === 0 ? null : state.entries);
  }, [state, key]);
  const act = useCallback(
    (action: AbsenceAction) =>
      setState((now) => ({ key, entries: reduceAbsences(now.key === key ? now.entries : load(key), action) })),
    [key],
  );
  // Clears storage at once, so that an immediate reload does not find the old selection.
  const forget = useCallback(() => {
    writeDraft(key, null);
    setState({ key, entries: NOBODY });
  }, [key]);
  const saved = useCallback(() => writeDraft(key, null), [key]);
  return { entries, act, forget, saved };
}
