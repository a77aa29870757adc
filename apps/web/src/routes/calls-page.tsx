import { useState } from 'react';
import { longDate, locationLabel } from '@clinic/domain';
import { useCalls } from '../features/cover/calls/api/use-calls.ts';
import { CallBoard, CallsLoading } from '../features/cover/calls/components/call-board.tsx';
import { DaySheetAlert } from '../features/cover/calls/components/day-sheet-alert.tsx';
import { useWorking } from '../shared/api/use-working.ts';
import { useDayPage } from '../shared/day-search.ts';
import { DayFaces } from '../shared/ui/day-faces.tsx';
import { DayChoice, DayFailure } from '../shared/ui/day-page.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import css from './calls-page.module.css';
import { DayActs } from './day-acts.tsx';

/** The call list page: the people who must be told about a day. */
export function CallsPage() {
  const { location, today, date, place, go } = useDayPage();
  const query = useCalls(location, date);
  useWorking('calls', location, date);
  const [asking, setAsking] = useState(false);
  return (
    <Page
      title="Calls"
      toolbar={
        <>
          <h1 className="sr">Calls</h1>
          <DayFaces />
          <DayChoice date={date} today={today} location={location} onGo={go} />
          <DayActs date={date} location={location} place={place} />
        </>
      }
    >
      <Sheet fills="parts">
        {date ? <h2 className={css.paper}>{`Calls, ${locationLabel(location)}, ${longDate(date)}`}</h2> : null}
        <DayFailure what="the call list" location={location} query={query} onGo={go}>
          {query.data ? 'Check before you call.' : 'The calendar still works.'}
        </DayFailure>
        {query.data && date ? (
          <CallBoard
            key={`${location} ${date}`}
            day={{ location, date }}
            reply={query.data}
            onSheet={() => setAsking(true)}
          />
        ) : query.error ? null : (
          <CallsLoading />
        )}
      </Sheet>
      {asking && date && query.data ? (
        <DaySheetAlert
          day={{ location, date }}
          open={query.data.lines.length}
          asks={query.data.lines.filter(({ call }) => call === 'ask').length}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </Page>
  );
}
