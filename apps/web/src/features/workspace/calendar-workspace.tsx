import { useEffect, useState } from 'react';
import type { StoredAbsence } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import type { View } from '../calendar/bars.ts';
import { CalendarFoot } from '../calendar/components/calendar-foot.tsx';
import { SlotsFailure } from '../calendar/components/slots-failure.tsx';
import { useDensity } from '../calendar/use-density.ts';
import { useSubmittedToast } from '../cover/commits/use-submitted-toast.ts';
import type { Peeked, ShowPeek } from '../cover/proposals/use-peek.ts';
import css from './workspace.module.css';
import { wallClock } from '../../shared/clinic-clock.ts';
import { useShortcuts } from '../../shared/shell/shortcuts.ts';
import { ForeignLocation, isForbidden } from '../../shared/ui/foreign-location.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { useOpening } from '../../shared/ui/use-opening.ts';
import { outsideSessions, presentPeople } from './calendar-bridge.ts';
import { DayGrid } from './day-grid.tsx';
import type { Opened } from './session-form.tsx';
import type { Going } from './calendar-commands.ts';
import type { CalendarState } from './use-calendar-state.ts';
import { useCoverFlow, type CoverFlow, type OptionsAsked } from './use-cover-flow.ts';
import { useWorkspaceDay, type WorkspaceDay } from './use-workspace-day.ts';

// These parts load after the page: the panel right after it, and the options when the panel opens.
const DayPanel = lazyPart(() => import('./day-panel.tsx').then((m) => m.DayPanel));
const NothingNeeded = lazyPart(() =>
  import('../cover/proposals/components/nothing-needed.tsx').then((m) => m.NothingNeeded),
);
const ProposalModal = lazyPart(() => import('../cover/proposals/proposal-modal.tsx').then((m) => m.ProposalModal));
// Only another back end's days have rows that cannot be read.
const UnreadRows = lazyPart(() => import('../calendar/components/unread-rows.tsx').then((m) => m.UnreadRows));
// What the palette finds, which opens on a key.
const CalendarCommands = lazyPart(() => import('./calendar-commands.ts').then((m) => m.CalendarCommands), null, true);
const SessionForm = lazyPart(() => import('./session-form.tsx').then((m) => m.SessionForm));

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
  /** Whether the day has been shown for a moment, so that what is not needed at once may load. */
  late: boolean;
}

const NO_ABSENCES: readonly StoredAbsence[] = [];

/** The calendar's day, with the absences panel, the options modal and the session dialog. */
export function CalendarWorkspace(props: CalendarWorkspaceProps) {
  const { location, date, today, view, state, late, onGo } = props;
  const [peek, showPeek] = useState<Peeked | null>(null);
  const day = useWorkspaceDay(location, date, view, state, peek?.of ?? null);
  const { slots, calendar } = day;
  const stored = slots.data?.absences ?? NO_ABSENCES;
  const cover = useCoverFlow({ ...props, stored, onRefreshed: () => void slots.refetch() });
  const [density, setDensity] = useDensity();
  const [editing, edit, endEditing] = useOpening<Opened>();
  useSubmittedToast(location);
  useLaterParts(late, state.panel);
  const group = 'Calendar';
  useShortcuts([
    { keys: 's', writes: true, label: 'Add a session', group, run: () => edit('new') },
    { keys: 'o', writes: true, label: 'See options for what needs cover', group, run: cover.toOptions },
  ]);

  return (
    <>
      <DayFailure slots={slots} location={location} onGo={onGo} />
      {cover.options.failure}
      {late ? (
        <CalendarCommands {...{ location, today, onGo }} slots={slots.data} entries={state.entries} act={state.act} />
      ) : null}
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
        outside={outsideSessions(calendar?.day)}
        density={density}
        onlyOpen={day.onlyOpen}
        busy={cover.options.busy}
        late={late}
        onDensity={setDensity}
        onOnlyOpen={day.setOnlyOpen}
        onOptions={cover.toOptions}
        onOutside={edit}
        onAdd={() => edit('new')}
      />
      {state.panel && date !== null ? (
        <DayPanel
          location={location}
          date={date}
          state={state}
          day={day}
          stored={stored}
          cover={cover}
          onLoadError={() => state.setPanel(false)}
        />
      ) : null}
      {editing !== null && date !== null ? (
        <SessionForm
          key={editing.key}
          source={editing.value}
          people={presentPeople(slots.data)}
          location={location}
          date={date}
          choosing={cover.choosing}
          onClose={() => endEditing(editing.key)}
          onLoadError={() => endEditing(editing.key)}
        />
      ) : null}
      {peek ? (
        <p className={css.peek} role="status">
          {peek.words}
        </p>
      ) : null}
      <OpenCover cover={cover} location={location} behind={{ date, show: showPeek }} />
    </>
  );
}

/** Loads the panel's code soon after the day is shown, and the options' code when the panel opens. */
function useLaterParts(late: boolean, panel: boolean): void {
  useEffect(() => {
    if (late) DayPanel.preload();
  }, [late]);
  useEffect(() => {
    if (!panel) return;
    ProposalModal.preload();
    NothingNeeded.preload();
  }, [panel]);
}

/** Why the day, or a part of it, could not be loaded or read. Renders nothing if all of it is there. */
function DayFailure({
  slots,
  location,
  onGo,
}: Pick<WorkspaceDay, 'slots'> & Pick<CalendarWorkspaceProps, 'location' | 'onGo'>) {
  if (isForbidden(slots.error)) return <ForeignLocation location={location} onGo={(to) => onGo({ location: to })} />;
  const unread = slots.data?.unread;
  if (!slots.isError) return unread && Object.values(unread).some(Boolean) ? <UnreadRows unread={unread} /> : null;
  return (
    <SlotsFailure
      loadedAt={slots.data ? wallClock(location, slots.dataUpdatedAt) : null}
      busy={slots.isFetching}
      onRetry={() => void slots.refetch()}
    />
  );
}

/** The open options, or the message that nothing has to change. */
function OpenCover({
  cover,
  location,
  behind,
}: {
  cover: CoverFlow;
  location: Location;
  behind: { date: IsoDate | null; show: ShowPeek };
}) {
  const { options, proposal, nothing } = cover;
  return (
    <>
      {nothing ? (
        <NothingNeeded anyStored={nothing === 'stored'} onClose={cover.closeNothing} onLoadError={cover.closeNothing} />
      ) : null}
      {proposal ? (
        <ProposalModal
          key={proposal.reply.metadata.proposal}
          solving={options.busy}
          onSolve={options.askTo}
          reply={proposal.reply}
          kept={proposal.kept}
          location={location}
          behind={behind}
          onClose={cover.closeProposal}
          onLoadError={cover.dropProposal}
        />
      ) : null}
    </>
  );
}
