import { useEffect, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { addDays, isoDate, locationLabel, longDate, type IsoDate, type Location } from '@clinic/domain';
import css from './calendar-page.module.css';
import type { View } from '../features/calendar/bars.ts';
import { slotsQuery } from '../shared/api/slots-query.ts';
import { readDaySearch, useDay } from '../shared/day-search.ts';
import { navigate, placeOf, useSearch } from '../shared/router/history.ts';
import { useShortcuts } from '../shared/shell/shortcuts.ts';
import { saveLocation } from '../shared/storage/keys.ts';
import { DayFaces } from '../shared/ui/day-faces.tsx';
import { DatePicker, DateWait } from '../shared/ui/date-picker.tsx';
import { SearchBox } from '../shared/ui/plain-field.tsx';
import { lazyPart } from '../shared/ui/lazy-part.tsx';
import { LocationSelect } from '../shared/ui/location-select.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { PageWait } from '../shared/ui/page-wait.tsx';
import { PrintedTitle } from '../shared/ui/printed-title.tsx';
import { Segmented } from '../shared/ui/segmented.tsx';
import { AbsencesButton } from '../features/workspace/absences-button.tsx';
import { SpanChoice, VIEWS } from './calendar-choices.tsx';
import { forgetAsked, optionsAsked } from '../features/workspace/asked-options.ts';
import { CalendarWorkspace } from '../features/workspace/calendar-workspace.tsx';
import type { Going } from '../features/workspace/calendar-commands.ts';
import { useCalendarState } from '../features/workspace/use-calendar-state.ts';

const WeekPage = lazyPart(
  () => import('./week-page.tsx').then((m) => m.WeekPage),
  <PageWait path="/calendar" title="Calendar" />,
);

/** What is not needed at once loads this long after the day's data, so that it does not delay the first rows. */
const LATE_MS = 200;

/** Whether the day has been there for a moment. */
function useLate(location: Location, date: IsoDate | null): boolean {
  const [late, setLate] = useState(false);
  const { data } = useQuery({ ...slotsQuery(location, date ?? isoDate('2000-01-01')), enabled: false });
  const shown = data !== undefined;
  useEffect(() => {
    if (!shown) return;
    const soon = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(soon);
  }, [shown]);
  return late;
}

/** The calendar of a day, or of a week. */
export const CalendarPage = () => (useSearch()['span'] === 'week' ? <WeekPage /> : <DayPage />);

/**
 * Writes the location and view into the address, so that people can share it, and removes a date that does not exist,
 * and the request for the panel, which is open by now.
 */
function useShared(location: Location, view: View): void {
  useEffect(() => {
    saveLocation(location);
    // A click may have opened another page before this runs; that page's address is left alone.
    if (placeOf(window.location.href).path === '/calendar')
      navigate({
        search: (now) => ({ ...now, location, view, date: readDaySearch(now).date, absences: undefined }),
        replace: true,
      });
  }, [location, view]);
}

/** The calendar (CAL-01 to CAL-04). The address determines the day; the workspace keeps the selected people. */
function DayPage() {
  const values = useSearch();
  const { location, today, date } = useDay();
  const view: View = values['view'] === 'client' ? 'client' : 'therapist';
  const state = useCalendarState(location, date, values);
  const find = useRef<HTMLInputElement>(null);
  const late = useLate(location, date);

  const go = (part: Going): void => {
    navigate({ search: (now) => ({ ...now, location, ...part }) });
  };

  useShared(location, view);
  useShortcuts([
    { keys: 'a', label: 'Absences', group: 'Calendar', run: () => state.setPanel(!state.panel) },
    { keys: '/', label: 'Find a name', group: 'Calendar', run: () => find.current?.focus() },
    {
      keys: 'v',
      label: 'Switch the view',
      group: 'Calendar',
      run: () => go({ view: view === 'client' ? 'therapist' : 'client' }),
    },
    { keys: 'n', label: 'Next day', group: 'Calendar', run: () => date && go({ date: addDays(date, 1) }) },
    { keys: 'p', label: 'Previous day', group: 'Calendar', run: () => date && go({ date: addDays(date, -1) }) },
    { keys: 'w', label: 'Week', group: 'Calendar', run: () => go({ span: 'week' }) },
    { keys: 't', label: 'Today', group: 'Calendar', run: () => today && go({ date: today }) },
  ]);

  return (
    <Page
      title="Calendar"
      toolbar={
        <>
          <h1 className="sr">Calendar</h1>
          <DayFaces counts={late} />
          {date && today ? (
            <DatePicker value={date} today={today} onChange={(next) => go({ date: next })} />
          ) : (
            <DateWait />
          )}
          <LocationSelect value={location} onChange={(next) => go({ location: next })} />
          <Segmented label="View" value={view} options={VIEWS} onChange={(next) => go({ view: next })} />
          <SpanChoice value="day" onChange={() => go({ span: 'week' })} />
          <span className="grow" />
          <SearchBox
            ref={find}
            className={css.search}
            placeholder="Find a name"
            value={state.find}
            onChange={state.setFind}
          />
          <AbsencesButton state={state} />
        </>
      }
    >
      <Sheet className={css.day}>
        {date ? <PrintedTitle>{`${locationLabel(location)}, ${longDate(date)}`}</PrintedTitle> : null}
        <CalendarWorkspace
          location={location}
          date={date}
          today={today}
          view={view}
          state={state}
          openOptions={optionsAsked(values)}
          onOptionsOpened={forgetAsked}
          onGo={go}
          late={late}
        />
      </Sheet>
    </Page>
  );
}
