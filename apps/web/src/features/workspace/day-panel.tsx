import type { StoredAbsence } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { AbsencesPanel } from '../cover/absences/components/absences-panel.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import type { CalendarState } from './use-calendar-state.ts';
import type { CoverFlow } from './use-cover-flow.ts';
import type { WorkspaceDay } from './use-workspace-day.ts';

const ReportedAbsences = lazyPart(() =>
  import('../cover/absence-reports/reported-absences.tsx').then((m) => m.ReportedAbsences),
);

/** The absences panel of the calendar's day. Loaded right after the page. */
export function DayPanel({
  location,
  date,
  state,
  day,
  stored,
  cover,
}: {
  location: Location;
  date: IsoDate;
  state: CalendarState;
  day: WorkspaceDay;
  stored: readonly StoredAbsence[];
  cover: CoverFlow;
}) {
  return (
    <AbsencesPanel
      location={location}
      date={date}
      entries={state.entries}
      act={state.act}
      stored={stored}
      sessions={day.sessions}
      availableOf={day.calendar?.availableOf ?? (() => [])}
      reported={<ReportedAbsences location={location} date={date} />}
      busy={cover.options.busy}
      onSaved={cover.onSaved}
      onOptions={cover.backToOptions}
      onSolve={cover.options.askTo}
      onClose={() => state.setPanel(false)}
    />
  );
}
