import type { StoredAbsence } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { AbsencesPanel } from '../cover/absences/components/absences-panel.tsx';
import { savedTimes, windowOf, type AbsenceEntry } from '../cover/absences/model.ts';
import { LeaveDates } from '../leave/leave-dates.tsx';
import { LeaveTag } from '../leave/leave-tag.tsx';
import { rangeWords } from '../leave/words.ts';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import type { CalendarState } from './use-calendar-state.ts';
import type { CoverFlow } from './use-cover-flow.ts';
import type { WorkspaceDay } from './use-workspace-day.ts';

const ReportedAbsences = lazyPart(() =>
  import('../cover/absence-reports/reported-absences.tsx').then((m) => m.ReportedAbsences),
);

/** The times of a window; null while they are not complete. */
function timesOf(entry: AbsenceEntry) {
  if (!windowOf(entry)) return null;
  const { startTime, endTime } = savedTimes(entry);
  return { begin: startTime, end: endTime };
}

/** The dates of which a recorded window is one, in words; null for a window of a single date. */
function rangeOf({ recorded }: AbsenceEntry, stored: readonly StoredAbsence[]): string | null {
  const leave = stored.find(({ id }) => id === recorded?.id)?.leave;
  return leave ? rangeWords(leave) : null;
}

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
      datesOf={(entry, onChange) =>
        rangeOf(entry, stored) ? (
          <p className="small muted">One date of {rangeOf(entry, stored)}. What you save here is for this day only.</p>
        ) : (
          <LeaveDates
            location={location}
            date={date}
            person={{ type: entry.type, name: entry.name }}
            times={timesOf(entry)}
            value={entry.further}
            onChange={onChange}
          />
        )
      }
      leaveOf={(absence) => <LeaveTag absence={absence} location={location} date={date} />}
      busy={cover.options.busy}
      onSaved={cover.onSaved}
      onOptions={cover.backToOptions}
      onSolve={cover.options.askTo}
      onClose={() => state.setPanel(false)}
    />
  );
}
