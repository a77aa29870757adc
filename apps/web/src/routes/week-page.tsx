import { addDays, byName, locationLabel, type IsoDate } from '@clinic/domain';
import css from './calendar-page.module.css';
import { weekWords } from '../features/calendar/week.ts';
import type { View } from '../features/calendar/bars.ts';
import { useDay } from '../shared/day-search.ts';
import { navigate, useSearch, type SearchValues } from '../shared/router/history.ts';
import { useShortcuts } from '../shared/shell/shortcuts.ts';
import { DayFaces } from '../shared/ui/day-faces.tsx';
import { DatePicker, DateWait } from '../shared/ui/date-picker.tsx';
import { Options } from '../shared/ui/field.tsx';
import { PlainSelect } from '../shared/ui/plain-field.tsx';
import { LocationSelect } from '../shared/ui/location-select.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { PrintedTitle } from '../shared/ui/printed-title.tsx';
import { Segmented } from '../shared/ui/segmented.tsx';
import type { ShownWeek } from '../features/workspace/person-week.tsx';
import { useShownWeek, WeekWorkspace } from '../features/workspace/week-workspace.tsx';
import { SpanChoice, VIEWS } from './calendar-choices.tsx';

/** The calendar of a week (`span=week`): a person's, or that of everyone at a location. */
export function WeekPage() {
  const values = useSearch();
  const { location, today, date } = useDay();
  const view: View = values['view'] === 'client' ? 'client' : 'therapist';
  const person = values['person'] ?? null;
  if (!date)
    return (
      <Page title="Calendar, week" toolbar={<DateWait />}>
        <Sheet className={css.day}>{null}</Sheet>
      </Page>
    );
  return <Week location={location} today={today} date={date} view={view} person={person} />;
}

function Week(shown: ShownWeek & { date: IsoDate }) {
  const { location, today, date, view, person } = shown;
  const week = useShownWeek(shown);
  const go = (part: SearchValues): void => navigate({ search: (now) => ({ ...now, location, ...part }) });
  const toDay = (): void => go({ span: undefined, person: undefined });
  useShortcuts([
    { keys: '[', label: 'Previous week', group: 'Week', run: () => go({ date: addDays(date, -7) }) },
    { keys: ']', label: 'Next week', group: 'Week', run: () => go({ date: addDays(date, 7) }) },
    { keys: 't', label: 'This week', group: 'Week', run: () => today && go({ date: today }) },
    { keys: 'd', label: 'Day', group: 'Week', run: toDay },
    {
      keys: 'v',
      label: 'Switch the view',
      group: 'Week',
      run: () => go({ view: view === 'client' ? 'therapist' : 'client', person: undefined }),
    },
  ]);
  const people = byName(
    week.people.filter(({ type }) => type === view),
    (each) => each.name,
  );
  const name = people.find(({ id }) => id === person)?.name;
  const title = name === undefined ? `Week at ${locationLabel(location)}` : `Week of ${name}`;
  return (
    <Page
      title={title}
      toolbar={
        <>
          <h1 className="sr">{title}</h1>
          <DayFaces />
          {today ? (
            <DatePicker value={date} today={today} week={weekWords(date)} onChange={(next) => go({ date: next })} />
          ) : (
            <DateWait />
          )}
          <LocationSelect value={location} onChange={(next) => go({ location: next, person: undefined })} />
          <Segmented
            label="View"
            value={view}
            options={VIEWS}
            onChange={(next) => go({ view: next, person: undefined })}
          />
          <SpanChoice value="week" onChange={toDay} />
          <PlainSelect
            aria-label="Person"
            className={css.person}
            value={person ?? ''}
            onChange={({ target }) => go({ person: target.value })}
          >
            <option value="">{view === 'client' ? 'All clients' : 'All therapists'}</option>
            <Options of={people.map(({ id, name: own }) => [id, own])} />
          </PlainSelect>
        </>
      }
    >
      <Sheet className={css.day}>
        <PrintedTitle>{`${name ?? locationLabel(location)}, ${weekWords(date)}`}</PrintedTitle>
        <WeekWorkspace {...shown} week={week} />
      </Sheet>
    </Page>
  );
}
