import { clockTime, locationLabel, longDate } from '@clinic/domain';
import { useWallMinutes } from '../shared/clinic-clock.ts';
import { useDayPage } from '../shared/day-search.ts';
import { useSessionInfo } from '../shared/session/session-info.ts';
import { DayFaces } from '../shared/ui/day-faces.tsx';
import { DayChoice, DayFailure } from '../shared/ui/day-page.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { PrintedTitle } from '../shared/ui/printed-title.tsx';
import { useCallCount } from '../features/cover/calls/api/use-calls.ts';
import { LaterCalls } from '../features/cover/calls/components/later-calls.tsx';
import { ReportedAbsences } from '../features/cover/absence-reports/reported-absences.tsx';
import { useTodayReply } from '../features/today/api/use-today.ts';
import { useWork } from '../features/today/api/use-week.ts';
import { WeekStrip } from '../features/today/components/week-strip.tsx';
import { TodayDay, TodayLoading } from '../features/today/components/today-day.tsx';
import { FolderNotice } from '../features/differences/folder-notice.tsx';
import { managesClinic } from '../shared/session/manages-clinic.ts';
import { greeting } from '../features/today/model.ts';
import { DayActs } from './day-acts.tsx';

/** What needs doing at a location today, or on another date. Each figure links to what it counts. */
export function TodayPage() {
  const { location, today, date, place, go } = useDayPage();
  const minutes = useWallMinutes(location);
  const account = useSessionInfo()?.account;
  const query = useTodayReply(location, date);
  const calls = useCallCount(location, date).data;
  const work = useWork();
  const isToday = date !== null && date === today;

  return (
    <Page
      title="Today"
      toolbar={
        <>
          <h1 className="sr">Today</h1>
          <DayFaces />
          <DayChoice date={date} today={today} location={location} onGo={go} />
          <span className="grow" />
          {account && minutes !== null ? (
            <span className="muted small roomy">
              {`${greeting(minutes)}, ${account.name.split(' ')[0]}. It is ${clockTime(minutes)}.`}
            </span>
          ) : null}
          <DayActs date={date} location={location} place={place} />
        </>
      }
    >
      <Sheet fills="parts">
        {date ? <PrintedTitle>{`${locationLabel(location)}, ${longDate(date)}`}</PrintedTitle> : null}
        <DayFailure what="the day" location={location} query={query} onGo={go}>
          The calendar still works.
        </DayFailure>
        {query.data && date ? (
          <TodayDay
            reply={query.data}
            location={location}
            date={date}
            now={isToday ? minutes : null}
            account={account}
            reported={
              <>
                <FolderNotice shown={managesClinic(account)} />
                <ReportedAbsences location={location} />
              </>
            }
            later={<LaterCalls day={{ location, date }} />}
            calls={calls}
            week={<WeekStrip date={date} today={today} current={location} work={work} />}
          />
        ) : query.error ? null : (
          <TodayLoading />
        )}
      </Sheet>
    </Page>
  );
}
