import { useState } from 'react';
import type { IsoDate, Location } from '@clinic/domain';
import { useCallCount, useDaySheet } from '../features/cover/calls/api/use-calls.ts';
import { DaySheet, type SheetPages } from '../features/cover/calls/components/day-sheet.tsx';
import { DaySheetAlert } from '../features/cover/calls/components/day-sheet-alert.tsx';
import { useToday } from '../shared/clinic-clock.ts';
import { readDaySearch } from '../shared/day-search.ts';
import { instantWords } from '../shared/instant-words.ts';
import { Link } from '../shared/router/link.tsx';
import { navigate, useSearch } from '../shared/router/history.ts';
import { usePickedLocation } from '../shared/session/session-info.ts';
import { Button, buttonClass } from '../shared/ui/button.tsx';
import { DatePicker } from '../shared/ui/date-picker.tsx';
import { ForeignLocation, isForbidden } from '../shared/ui/foreign-location.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { LocationSelect } from '../shared/ui/location-select.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { Segmented } from '../shared/ui/segmented.tsx';
import { Notice, Skeleton } from '../shared/ui/states.tsx';

const PAGES = [
  { value: 'location', label: 'Whole location' },
  { value: 'therapist', label: 'One page per therapist' },
] as const;

/** The day sheet: a location's day for printing, as one list or with a page for each therapist. */
export function DaySheetPage() {
  const search = readDaySearch(useSearch());
  const location = usePickedLocation(search.location);
  const today = useToday(location);
  const date = search.date ?? today;
  const query = useDaySheet(location, date);
  const open = useCallCount(location, date).data?.to_tell ?? 0;
  const [pages, setPages] = useState<SheetPages>('location');
  const [asking, setAsking] = useState(false);
  const place = { location, ...(date ? { date } : {}) };
  const go = (next: { date?: IsoDate; location?: Location }): void =>
    navigate({ to: '/day-sheet', search: { ...place, ...next }, replace: true });
  const sent = query.data?.sent;
  return (
    <Page
      title="Day sheet"
      toolbar={
        <>
          <h1>Day sheet</h1>
          {date && today ? <DatePicker value={date} today={today} onChange={(d) => go({ date: d })} /> : null}
          <LocationSelect value={location} onChange={(l) => go({ location: l })} />
          <Segmented label="Pages" value={pages} options={PAGES} onChange={setPages} />
          <span className="grow" />
          <Link to="/calls" search={place} className={buttonClass({})}>
            Calls
          </Link>
          <Button variant="primary" unavailable={!query.data} onClick={() => window.print()}>
            <Icon name="print" />
            Print
          </Button>
          <Button unavailable={!query.data} onClick={() => setAsking(true)}>
            Day sheet sent
          </Button>
        </>
      }
    >
      <Sheet fills="scrolling">
        {isForbidden(query.error) ? (
          <ForeignLocation location={location} onGo={(l) => go({ location: l })} />
        ) : query.error ? (
          <Notice
            tone="error"
            title="Failed to load the day sheet. Please try again."
            actions={<Button onClick={() => void query.refetch()}>Try again</Button>}
          >
            {query.data ? 'This may be out of date. Do not hand it out.' : 'The calendar still works.'}
          </Notice>
        ) : null}
        {query.data && date ? (
          <DaySheet
            sheet={query.data}
            location={location}
            date={date}
            pages={pages}
            sent={sent ? `Sent ${instantWords(location, sent.at)} by ${sent.by}` : 'Not recorded as sent yet'}
          />
        ) : query.error ? null : (
          <div role="status" aria-label="Loading the day sheet">
            <Skeleton style={{ height: '12rem' }} />
          </div>
        )}
      </Sheet>
      {asking && date ? <DaySheetAlert day={{ location, date }} open={open} onClose={() => setAsking(false)} /> : null}
    </Page>
  );
}
