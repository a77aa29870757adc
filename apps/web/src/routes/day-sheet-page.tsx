import { useState } from 'react';
import { useCallCount, useDaySheet } from '../features/cover/calls/api/use-calls.ts';
import { DaySheet, type SheetPages } from '../features/cover/calls/components/day-sheet.tsx';
import { DaySheetAlert } from '../features/cover/calls/components/day-sheet-alert.tsx';
import { useDayPage } from '../shared/day-search.ts';
import { instantWords } from '../shared/instant-words.ts';
import { Link } from '../shared/router/link.tsx';
import { Button, buttonClass } from '../shared/ui/button.tsx';
import { DayChoice, DayFailure } from '../shared/ui/day-page.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Page, PageActs, Sheet } from '../shared/ui/page.tsx';
import { Segmented } from '../shared/ui/segmented.tsx';
import { Skeleton } from '../shared/ui/states.tsx';

const PAGES = [
  { value: 'location', label: 'Whole location' },
  { value: 'therapist', label: 'One page per therapist' },
] as const;

/** The day sheet: a location's day for printing, as one list or with a page for each therapist. */
export function DaySheetPage() {
  const { location, today, date, place, go } = useDayPage();
  const query = useDaySheet(location, date);
  const count = useCallCount(location, date).data;
  const [pages, setPages] = useState<SheetPages>('location');
  const [asking, setAsking] = useState(false);
  const sent = query.data?.sent;
  return (
    <Page
      title="Day sheet"
      toolbar={
        <>
          <h1>Day sheet</h1>
          <DayChoice date={date} today={today} location={location} onGo={go} />
          <Segmented label="Pages" value={pages} options={PAGES} onChange={setPages} />
          <PageActs>
            <Link to="/calls" search={place} className={buttonClass({})}>
              Calls
            </Link>
            <Button variant="primary" unavailable={!query.data} onClick={() => window.print()}>
              <Icon name="print" />
              Print
            </Button>
            <Button data-writes unavailable={!query.data} onClick={() => setAsking(true)}>
              Everyone has the day sheet
            </Button>
          </PageActs>
        </>
      }
    >
      <Sheet fills="scrolling">
        <DayFailure what="the day sheet" location={location} query={query} onGo={go}>
          {query.data ? 'Do not hand it out.' : 'The calendar still works.'}
        </DayFailure>
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
      {asking && date ? (
        <DaySheetAlert
          day={{ location, date }}
          open={count?.to_tell ?? 0}
          asks={count?.to_ask ?? 0}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </Page>
  );
}
