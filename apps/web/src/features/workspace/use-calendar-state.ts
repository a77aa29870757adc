import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { IsoDate, Location } from '@clinic/domain';
import type { AbsenceAction, AbsenceEntry } from '../cover/absences/model.ts';
import { isPanelAtWork } from '../cover/absences/panel-work.ts';
import { useAbsenceSelection } from '../cover/absences/use-selection.ts';
import { ABSENCES_OPEN } from '../../shared/day-search.ts';

export interface CalendarState {
  find: string;
  setFind: (typed: string) => void;
  /** Whether the absences panel is open. */
  panel: boolean;
  /** Opens or closes the panel. While it saves, it stays open. */
  setPanel: (open: boolean) => void;
  entries: readonly AbsenceEntry[];
  act: (action: AbsenceAction) => void;
  /** Clears the selection for good; see `useAbsenceSelection`. */
  forget: () => void;
  saved: () => void;
}

/**
 * The part of the calendar page's state that is not in its address. When the command palette changes `find` in the
 * address, the search field follows.
 */
export function useCalendarState(
  location: Location,
  date: IsoDate | null,
  { find = '', absences }: Readonly<Record<string, string>>,
): CalendarState {
  const [typed, setTyped] = useState({ from: find, text: find });
  const [panel, setPanel] = useState(absences === ABSENCES_OPEN.absences);
  const queries = useQueryClient();
  const { entries, act, forget, saved } = useAbsenceSelection(location, date ?? '');
  if (typed.from !== find) setTyped({ from: find, text: find });
  return {
    find: typed.text,
    setFind: (text) => setTyped({ from: find, text }),
    panel,
    setPanel: (open) => {
      if (open || !isPanelAtWork(queries)) setPanel(open);
    },
    entries,
    act,
    forget,
    saved,
  };
}
