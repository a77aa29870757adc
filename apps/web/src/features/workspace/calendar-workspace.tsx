import { useCallback, useEffect, useMemo, useState } from 'react';
import type { SlotsReply, StoredAbsence } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import type { SessionSource } from '../appointments/model.ts';
import type { View } from '../calendar/bars.ts';
import { CalendarFoot } from '../calendar/components/calendar-foot.tsx';
import { SlotsFailure } from '../calendar/components/slots-failure.tsx';
import { useDensity } from '../calendar/use-density.ts';
import { useSubmittedToast } from '../cover/commits/use-submitted-toast.ts';
import { NothingNeeded } from '../cover/proposals/components/nothing-needed.tsx';
import type { ShowPeek } from '../cover/proposals/use-peek.ts';
import css from './workspace.module.css';
import { wallClock } from '../../shared/clinic-clock.ts';
import { useShortcuts } from '../../shared/shell/shortcuts.ts';
import { ForeignLocation, isForbidden } from '../../shared/ui/foreign-location.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { useOpening } from '../../shared/ui/use-opening.ts';
import { presentPeople } from './calendar-bridge.ts';
import { DayGrid } from './day-grid.tsx';
import { useCalendarCommands, type Going } from './use-calendar-commands.ts';
import type { CalendarState } from './use-calendar-state.ts';
import { useCoverFlow, type OptionsAsked } from './use-cover-flow.ts';
import { useWorkspaceDay } from './use-workspace-day.ts';

// These parts load after the page: the panel right after it, and the options when the panel opens.
const AbsencesPanel = lazyPart(() =>
  import('../cover/absences/components/absences-panel.tsx').then((m) => m.AbsencesPanel),
);
/** How long after the day's data the panel's code begins to load, so that it does not delay the first rows. */
const PANEL_MS = 200;
const ProposalModal = lazyPart(() => import('../cover/proposals/proposal-modal.tsx').then((m) => m.ProposalModal));
const ReportedAbsences = lazyPart(() =>
  import('../cover/absence-reports/reported-absences.tsx').then((m) => m.ReportedAbsences),
);
const SessionDialog = lazyPart(() => import('../appointments/session-dialog.tsx').then((m) => m.SessionDialog));

export interface CalendarWorkspaceProps {
  location: Location;
  /** Null until the server has sent the clinic's current time. */
  date: IsoDate | null;
  today: IsoDate | null;
  view: View;
  state: CalendarState;
  openOptions: OptionsAsked | null;
  onOptionsOpened: () => void;
  onGo: (to: Going) => void;
}

const NO_ABSENCES: readonly StoredAbsence[] = [];

/** The calendar's day, with the absences panel, the options modal and the session dialog. */
export function CalendarWorkspace(props: CalendarWorkspaceProps) {
  const { location, date, today, view, state, onGo } = props;
  const [peek, setPeek] = useState<{ of: (day: SlotsReply) => SlotsReply } | null>(null);
  const showPeek = useCallback<ShowPeek>((change) => setPeek(change && { of: change }), []);
  const day = useWorkspaceDay(location, date, view, state, peek?.of ?? null);
  const { slots, calendar } = day;
  const stored = slots.data?.absences ?? NO_ABSENCES;
  const cover = useCoverFlow({
    ...props,
    stored,
    version: slots.data?.version,
    onRefreshed: () => void slots.refetch(),
  });
  const { options } = cover;
  const [density, setDensity] = useDensity();
  const [editing, edit, endEditing] = useOpening<SessionSource | 'new'>();
  const people = useMemo(() => presentPeople(slots.data), [slots.data]);
  useSubmittedToast(location);
  const shown = slots.data !== undefined;
  useEffect(() => {
    if (!shown) return;
    const soon = setTimeout(AbsencesPanel.preload, PANEL_MS);
    return () => clearTimeout(soon);
  }, [shown]);
  useEffect(() => {
    if (state.panel) ProposalModal.preload();
  }, [state.panel]);
  useShortcuts([
    { keys: 's', label: 'Add a session', group: 'Calendar', run: () => edit('new') },
    { keys: 'o', label: 'See options for what needs cover', group: 'Calendar', run: cover.toOptions },
  ]);
  useCalendarCommands({ slots: slots.data, location, today, entries: state.entries, act: state.act, onGo });

  return (
    <>
      {isForbidden(slots.error) ? (
        <ForeignLocation location={location} onGo={(to) => onGo({ location: to })} />
      ) : slots.isError ? (
        <SlotsFailure
          loadedAt={slots.data ? wallClock(location, slots.dataUpdatedAt) : null}
          busy={slots.isFetching}
          onRetry={() => void slots.refetch()}
        />
      ) : null}
      {options.failure}
      <DayGrid
        day={day}
        state={state}
        location={location}
        date={date}
        today={today}
        view={view}
        density={density}
        onEdit={edit}
      />
      <CalendarFoot
        needs={day.needs}
        outside={calendar?.day.outside ?? 0}
        density={density}
        onlyOpen={day.onlyOpen}
        busy={options.busy}
        onDensity={setDensity}
        onOnlyOpen={day.setOnlyOpen}
        onOptions={cover.toOptions}
        onAdd={() => edit('new')}
      />
      {state.panel && date !== null ? (
        <AbsencesPanel
          location={location}
          date={date}
          entries={state.entries}
          act={state.act}
          stored={stored}
          sessions={day.sessions}
          availableOf={calendar?.availableOf ?? (() => [])}
          reported={<ReportedAbsences location={location} date={date} />}
          busy={options.busy}
          onSaved={cover.onSaved}
          onOptions={cover.backToOptions}
          onSolve={options.askTo}
          onClose={() => state.setPanel(false)}
          onLoadError={() => state.setPanel(false)}
        />
      ) : null}
      {cover.nothing ? <NothingNeeded anyStored={cover.nothing === 'stored'} onClose={cover.closeNothing} /> : null}
      {editing !== null && date !== null ? (
        <SessionDialog
          key={editing.key}
          source={editing.value === 'new' ? null : editing.value}
          location={location}
          date={date}
          choosing={cover.choosing}
          therapists={people.filter((p) => p.type === 'therapist').map((p) => p.name)}
          clients={people.filter((p) => p.type === 'client').map((p) => p.name)}
          onClose={() => endEditing(editing.key)}
          onLoadError={() => endEditing(editing.key)}
        />
      ) : null}
      {peek ? (
        <p className={css.peek} role="status">
          The calendar with these choices. Nothing is submitted yet.
        </p>
      ) : null}
      {cover.proposal ? (
        <ProposalModal
          key={cover.proposal.reply.metadata.proposal}
          solving={options.busy}
          onSolve={options.askTo}
          reply={cover.proposal.reply}
          kept={cover.proposal.kept}
          location={location}
          behind={{ date, show: showPeek }}
          onClose={cover.closeProposal}
          onLoadError={cover.dropProposal}
        />
      ) : null}
    </>
  );
}
