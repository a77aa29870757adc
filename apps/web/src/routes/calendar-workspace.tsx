import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { ProposalReply } from '@clinic/contract';
import { longDate, type IsoDate, type Location } from '@clinic/domain';
import type { SessionSource } from '../features/appointments/model.ts';
import { AbsencesPanel } from '../features/absences/components/absences-panel.tsx';
import { isStored } from '../features/absences/model.ts';
import { useSlots } from '../features/calendar/api/use-slots.ts';
import type { View } from '../features/calendar/bars.ts';
import { CalendarFoot } from '../features/calendar/components/calendar-foot.tsx';
import { CalendarGrid } from '../features/calendar/components/calendar-grid.tsx';
import { CalendarSkeleton } from '../features/calendar/components/calendar-skeleton.tsx';
import { SlotsFailure } from '../features/calendar/components/slots-failure.tsx';
import { drawRow, needsCoverOf, touching } from '../features/calendar/model.ts';
import { findRows, type BaseRow } from '../features/calendar/rows.ts';
import { useCalendarDay } from '../features/calendar/use-calendar-day.ts';
import { useDensity } from '../features/calendar/use-density.ts';
import { useWallMinutes, wallClock } from '../shared/clinic-clock.ts';
import { useSessionInfo } from '../shared/session/session-info.ts';
import { useShortcuts } from '../shared/shell/shortcuts.ts';
import { part } from '../shared/ui/part.tsx';
import { useAfterPaint } from '../shared/ui/use-after-paint.ts';
import { useOpening } from '../shared/ui/use-opening.ts';
import { awayWindows, careSessions, presentPeople, sessionSource, storedEntry } from './calendar-bridge.ts';
import { EmptyDay, UnloadedDay } from './empty-day.tsx';
import { NothingNeeded } from './nothing-needed.tsx';
import { useCalendarCommands, type Going } from './use-calendar-commands.ts';
import type { CalendarState } from './use-calendar-state.ts';
import { useFlash } from './use-flash.ts';
import { useOptions } from './use-options.tsx';

// The modal is opened after a solve, so it need not be part of the first load.
const SolutionsModal = part(() => import('../features/solutions/solutions-modal.tsx').then((m) => m.SolutionsModal));
const SessionDialog = part(() => import('../features/appointments/session-dialog.tsx').then((m) => m.SessionDialog));

/** The day with its absences panel and its options: composes the calendar, absences and solutions features. */
export function CalendarWorkspace({
  location,
  date,
  today,
  view,
  state,
  openOptions,
  onOptionsOpened,
  onGo,
}: {
  location: Location;
  /** Null until the clinic's present is known. */
  date: IsoDate | null;
  today: IsoDate | null;
  view: View;
  state: CalendarState;
  /** The address asks for the options at once. */
  openOptions: boolean;
  onOptionsOpened: () => void;
  onGo: (to: Going) => void;
}) {
  const { entries, act, panel, setPanel, find } = state;
  const info = useSessionInfo();
  const slots = useSlots(location, date);
  const calendar = useCalendarDay(slots.data, view, info?.admin_client_name ?? 'Admin');
  const minutes = useWallMinutes(location);
  const [density, setDensity] = useDensity();
  const [onlyOpen, setOnlyOpen] = useState(false);
  const [proposal, setProposal] = useState<ProposalReply | null>(null);
  const [nothing, setNothing] = useState<'stored' | 'none' | null>(null);
  const [editing, edit, endEditing] = useOpening<SessionSource | 'new'>();
  useFlash(location);

  const selected = useMemo(() => awayWindows(entries), [entries]);
  // The name answers the click in its frame; what that means for bars and sums is drawn in the next.
  const settled = useAfterPaint(selected);
  // A day's sums may come a moment after its rows.
  const summed = useDeferredValue(calendar, null);
  const needs = useMemo(
    () => (summed ? needsCoverOf(summed.day, settled) : { sessions: 0, minutes: 0 }),
    [summed, settled],
  );
  const sessions = useMemo(() => (summed ? careSessions(summed.day) : []), [summed]);
  const stored = calendar?.day.stored;
  const rows = useMemo(() => {
    const found = findRows(calendar?.rows ?? [], find);
    const away = stored ?? [];
    return onlyOpen
      ? found.filter(
          (row) => drawRow(row, view, touching(row, view, settled), touching(row, view, away)).needsCover > 0,
        )
      : found;
  }, [calendar, find, onlyOpen, stored, view, settled]);

  const storedAbsences = slots.data?.absences;
  const onToggle = useCallback(
    (row: BaseRow) => {
      if (row.person) act({ do: 'toggle', person: row.person, stored: storedEntry(storedAbsences, row.person) });
    },
    [act, storedAbsences],
  );

  const show = (reply: ProposalReply, saved = false): void => {
    if (Object.keys(reply.data).length === 0) {
      setNothing(saved || (storedAbsences ?? []).length > 0 ? 'stored' : 'none');
      return;
    }
    setPanel(false);
    setProposal(reply);
  };
  const options = useOptions(location, date, show);
  const onOptions = (): void => {
    // Options are for what is stored: what is only selected here is saved first.
    if (entries.every((entry) => isStored(entry, storedAbsences ?? []))) options.ask();
    else setPanel(true);
  };

  const asked = useRef(false);
  useEffect(() => {
    if (!openOptions || asked.current || date === null) return;
    asked.current = true;
    onOptionsOpened();
    options.ask();
  });

  useShortcuts([
    { keys: 's', label: 'Add a session', group: 'Calendar', run: () => edit('new') },
    { keys: 'o', label: 'See options for what needs cover', group: 'Calendar', run: onOptions },
  ]);
  useCalendarCommands({ slots: slots.data, location, today, entries, act, onGo });

  const namesOf = (type: 'therapist' | 'client'): string[] =>
    presentPeople(slots.data)
      .filter((p) => p.type === type)
      .map((p) => p.name);

  const close = (how: { refreshed: boolean; submitted: boolean }): void => {
    setProposal(null);
    // SOL-18: a refresh that just happened leaves everything as it is.
    if (how.refreshed && !how.submitted) void slots.refetch();
    else {
      state.forget();
      window.location.reload();
    }
  };

  return (
    <>
      {slots.isError ? (
        <SlotsFailure
          loadedAt={slots.data ? wallClock(location, slots.dataUpdatedAt) : null}
          busy={slots.isFetching}
          onRetry={() => void slots.refetch()}
        />
      ) : null}
      {options.failure ? options.failure : null}
      {!calendar || date === null ? (
        slots.isError ? (
          <UnloadedDay />
        ) : (
          <CalendarSkeleton />
        )
      ) : rows.length === 0 ? (
        <EmptyDay
          find={find}
          onlyOpen={onlyOpen}
          view={view}
          location={location}
          onAll={() => {
            state.setFind('');
            setOnlyOpen(false);
          }}
        />
      ) : (
        <CalendarGrid
          label={`${view === 'client' ? 'Clients' : 'Therapists'}, ${longDate(date)}`}
          rows={rows}
          view={view}
          newest={selected}
          selected={settled}
          stored={calendar.day.stored}
          now={date === today ? minutes : null}
          density={density}
          credentialOf={calendar.credentialOf}
          onToggle={onToggle}
          onOpen={(bar) => {
            const source = sessionSource(bar);
            if (source) edit(source);
          }}
        />
      )}
      <CalendarFoot
        needs={needs}
        outside={calendar?.day.outside ?? 0}
        density={density}
        onlyOpen={onlyOpen}
        busy={options.busy}
        onDensity={setDensity}
        onOnlyOpen={setOnlyOpen}
        onOptions={onOptions}
        onAdd={() => edit('new')}
      />
      {panel && date !== null ? (
        <AbsencesPanel
          location={location}
          date={date}
          entries={entries}
          act={act}
          stored={slots.data?.absences ?? []}
          sessions={sessions}
          availableOf={calendar?.availableOf ?? (() => [])}
          busy={options.busy}
          onSaved={(reply) => {
            state.saved();
            show(reply, true);
          }}
          onOptions={() => options.ask()}
          onClose={() => setPanel(false)}
        />
      ) : null}
      {nothing ? (
        <NothingNeeded
          anyStored={nothing === 'stored'}
          onClose={() => {
            setNothing(null);
            setPanel(false);
            act({ do: 'clear' });
          }}
        />
      ) : null}
      {editing !== null && date !== null ? (
        <SessionDialog
          key={editing.key}
          source={editing.value === 'new' ? null : editing.value}
          location={location}
          date={date}
          therapists={namesOf('therapist')}
          clients={namesOf('client')}
          onClose={() => endEditing(editing.key)}
          onUnloaded={() => endEditing(editing.key)}
        />
      ) : null}
      {proposal ? (
        <SolutionsModal reply={proposal} location={location} onClose={close} onUnloaded={() => setProposal(null)} />
      ) : null}
    </>
  );
}
