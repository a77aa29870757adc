import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { SlotsReply } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import type { View } from '../calendar/bars.ts';
import { drawRow, needsCoverOf, touching } from '../calendar/model.ts';
import { findRows } from '../calendar/rows.ts';
import { useCalendarDay } from '../calendar/use-calendar-day.ts';
import type { AbsenceEntry } from '../cover/absences/model.ts';
import { queryKeys } from '../../shared/api/query-client.ts';
import { slotsQuery } from '../../shared/api/slots-query.ts';
import { useSessionInfo } from '../../shared/session/session-info.ts';
import { say } from '../../shared/ui/toast.tsx';
import { useAfterPaint } from '../../shared/ui/use-after-paint.ts';
import { awayWindows, careSessions } from './calendar-bridge.ts';

/** A location's day with the selected absences applied: its rows, its sessions, and what needs cover. */
export function useWorkspaceDay(
  location: Location,
  date: IsoDate | null,
  view: View,
  { entries, find }: { entries: readonly AbsenceEntry[]; find: string },
  /** Applies the chosen options to the day, to show what they would do. Null shows the day as it is. */
  peek: ((day: SlotsReply) => SlotsReply) | null,
) {
  const info = useSessionInfo();
  const slots = useQuery({
    queryKey: queryKeys.slots(location, date),
    queryFn: date === null ? skipToken : slotsQuery(location, date).queryFn,
  });
  const shown = useMemo(() => (peek && slots.data ? peek(slots.data) : slots.data), [peek, slots.data]);
  const calendar = useCalendarDay(shown, view, info?.admin_client_name ?? 'Admin');
  const [onlyOpen, setOnlyOpen] = useState(false);
  const selected = useMemo(() => awayWindows(entries), [entries]);
  // The clicked name changes in the same frame; the bars and totals follow in the next frame.
  const settled = useAfterPaint(selected);
  // The totals may appear a moment after the rows.
  const summed = useDeferredValue(calendar, null);
  const { to_cancel: toCancel = 0, wrong = 0 } = slots.data ?? {};
  const needs = useMemo(
    () => ({ ...(summed ? needsCoverOf(summed.day, settled) : { sessions: 0, minutes: 0 }), toCancel, wrong }),
    [summed, settled, toCancel, wrong],
  );
  const sessions = useMemo(() => (summed ? careSessions(summed.day) : []), [summed]);
  const stored = calendar?.day.stored;
  const rows = useMemo(() => {
    const found = findRows(calendar?.rows ?? [], find);
    if (!onlyOpen) return found;
    const away = stored ?? [];
    return found.filter(
      (row) => drawRow(row, view, touching(row, view, settled), touching(row, view, away)).needsCover > 0,
    );
  }, [calendar, find, onlyOpen, stored, view, settled]);
  useSaidCount(find, calendar ? rows.length : null);
  return { slots, calendar, rows, sessions, needs, selected, settled, onlyOpen, setOnlyOpen };
}

/** How long no one types before the number of names found is read out. */
const TYPED_MS = 600;

/** Tells screen readers how many names were found, once typing stops and when the search is cleared. */
function useSaidCount(find: string, found: number | null): void {
  const said = useRef(find);
  useEffect(() => {
    if (found === null || said.current === find) return;
    const soon = setTimeout(() => {
      said.current = find;
      const names = found === 1 ? '1 name' : `${found} names`;
      say(find.trim() === '' ? `All ${names} are shown.` : `${found === 0 ? 'No name' : names} found.`);
    }, TYPED_MS);
    return () => clearTimeout(soon);
  }, [find, found]);
}

export type WorkspaceDay = ReturnType<typeof useWorkspaceDay>;
