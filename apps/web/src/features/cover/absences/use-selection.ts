import { useCallback, useEffect, useMemo, useState } from 'react';
import { readDraft, writeDraft } from '../../../shared/session/drafts.ts';
import { reduceAbsences, type AbsenceAction, type AbsenceEntry } from './model.ts';

const NOBODY: readonly AbsenceEntry[] = [];
const load = (key: string): readonly AbsenceEntry[] => readDraft<AbsenceEntry[]>(key) ?? NOBODY;

/**
 * Who is selected as absent on a date at a location. Each day has its own selection, kept in this tab until it is saved
 * or cleared, across reloads and a new sign-in.
 */
export function useAbsenceSelection(
  location: string,
  date: string,
): {
  entries: readonly AbsenceEntry[];
  act: (action: AbsenceAction) => void;
  /** Clears the selection at once and for good. */
  forget: () => void;
  /** It is stored, so it stays only as long as the page and need not survive a reload. */
  saved: () => void;
} {
  const key = `absences:${location}:${date}`;
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
  // Written at once: a reload right after must not find the old selection, and an effect might run too late.
  const forget = useCallback(() => {
    writeDraft(key, null);
    setState({ key, entries: NOBODY });
  }, [key]);
  const saved = useCallback(() => writeDraft(key, null), [key]);
  return { entries, act, forget, saved };
}
