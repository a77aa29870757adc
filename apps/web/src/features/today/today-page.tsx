import type { ReactNode } from 'react';
import type { TodayReply } from '@clinic/contract';
import { clockTime, type IsoDate, type Location } from '@clinic/domain';
import { useToday, useWallMinutes } from '../../shared/clinic-clock.ts';
import { readDaySearch } from '../../shared/day-search.ts';
import { navigate, useSearch } from '../../shared/router/history.ts';
import { Link } from '../../shared/router/link.tsx';
import { useSessionInfo } from '../../shared/session/session-info.ts';
import { pickLocation } from '../../shared/storage/keys.ts';
import { Button, buttonClass } from '../../shared/ui/button.tsx';
import { DatePicker } from '../../shared/ui/date-picker.tsx';
import { LocationSelect } from '../../shared/ui/location-select.tsx';
import { Page, Sheet } from '../../shared/ui/page.tsx';
import { Notice, Skeleton } from '../../shared/ui/states.tsx';
import { useTodayReply } from './api/use-today.ts';
import { NeedsCover, Reserve } from './components/day-lanes.tsx';
import sideCss from './components/side.module.css';
import { Submitted } from './components/submitted.tsx';
import { WeekBars } from './components/week-bars.tsx';
import { awayWords, greeting, needWords, nowOnAxis } from './model.ts';
import css from './today-page.module.css';

/** What needs doing at a location now; every figure leads to the thing itself. */
export function TodayPage() {
  const search = readDaySearch(useSearch());
  const location = pickLocation(search.location);
  const today = useToday(location);
  const date = search.date ?? today;
  const minutes = useWallMinutes(location);
  const account = useSessionInfo()?.account;
  const query = useTodayReply(location, date);
  const isToday = date !== null && date === today;
  const go = (next: { date?: IsoDate; location?: Location }): void =>
    navigate({ to: '/', search: { ...(date ? { date } : {}), location, ...next }, replace: true });

  return (
    <Page
      title="Today"
      toolbar={
        <>
          <h1>Today</h1>
          {date && today ? <DatePicker value={date} today={today} onChange={(d) => go({ date: d })} /> : null}
          <LocationSelect value={location} onChange={(l) => go({ location: l })} />
          <span className="grow" />
          {account && minutes !== null ? (
            <span className="muted small">
              {greeting(minutes)}, {account.name.split(' ')[0]}. It is {clockTime(minutes)}.
            </span>
          ) : null}
        </>
      }
    >
      <Sheet className={css.sheet}>
        {query.error ? (
          <Notice
            tone="error"
            title="Failed to load the day. Please try again."
            actions={<Button onClick={() => void query.refetch()}>Try again</Button>}
          >
            {query.data ? 'Showing what was loaded before. The calendar still works.' : 'The calendar still works.'}
          </Notice>
        ) : null}
        {query.data && date ? (
          <Day reply={query.data} location={location} date={date} now={isToday ? minutes : null} me={account?.name} />
        ) : query.error ? null : (
          <Loading />
        )}
      </Sheet>
    </Page>
  );
}

function Day({
  reply,
  location,
  date,
  now,
  me,
}: {
  reply: TodayReply;
  location: Location;
  date: IsoDate;
  /** Minutes after midnight; null on another day. */
  now: number | null;
  me: string | undefined;
}) {
  const needs = reply.needs_cover;
  const at = nowOnAxis(now);
  return (
    <div className={css.grid}>
      <div className={css.main} tabIndex={0} role="region" aria-label="Needs cover and reserve">
        <div className={css.hero}>
          <div>
            {needs.length > 0 ? (
              <>
                <p className={css.big}>
                  <span className="alarm">
                    {needs.length} {needs.length === 1 ? 'session' : 'sessions'}
                  </span>{' '}
                  {needs.length === 1 ? 'needs' : 'need'} cover
                </p>
                <p className="muted">{needWords(needs, now)}</p>
              </>
            ) : (
              <>
                <p className={css.big}>Everyone is covered</p>
                <p className="muted">No session of this day is without a therapist.</p>
              </>
            )}
          </div>
          <span className="grow" />
          {needs.length > 0 ? (
            <Link
              to="/calendar"
              search={{ date, location, options: 'open' }}
              className={buttonClass({ variant: 'primary', size: 'lg' })}
            >
              See all options
            </Link>
          ) : (
            <Link to="/calendar" search={{ date, location }} className={buttonClass({ size: 'lg' })}>
              Open the calendar
            </Link>
          )}
        </div>
        {needs.length > 0 ? (
          <section aria-labelledby="needs-cover">
            <NeedsCover list={needs} day={{ location, date, now: at }} />
          </section>
        ) : null}
        <section aria-labelledby="reserve" className={css.next}>
          {reply.reserve.length > 0 ? (
            <Reserve list={reply.reserve} day={{ location, date, now: at }} />
          ) : (
            <>
              <h2 id="reserve">The day’s reserve</h2>
              <p className="muted">{now === null ? 'Nobody is free this day.' : 'Nobody is free today.'}</p>
            </>
          )}
        </section>
      </div>
      <div className={css.side} tabIndex={0} role="region" aria-label="Away, submitted, week">
        <SideSection id="away" title="Who is away">
          {reply.away.length === 0 ? (
            <p className="muted">Nobody.</p>
          ) : (
            <ul className={sideCss.plain}>
              {reply.away.map((absence) => (
                <li key={absence.id}>
                  <span>
                    <b>{absence.name}</b>{' '}
                    <span className="muted">{absence.type === 'therapist' ? 'Therapist' : 'Client'}</span>
                  </span>
                  <Link to="/calendar" search={{ date, location, view: absence.type, find: absence.name }}>
                    {awayWords(absence.startTime, absence.endTime)}
                    <span className="sr">: {absence.name}</span>
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </SideSection>
        <SideSection id="submitted" title={now === null ? 'Submitted for this day' : 'Submitted today'}>
          <Submitted commits={reply.commits} me={me} />
        </SideSection>
        <SideSection id="week" title="Hours this week">
          <WeekBars week={reply.week} location={location} />
        </SideSection>
      </div>
    </div>
  );
}

function SideSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

/** The page's shape at its own height, so that nothing jumps. */
function Loading() {
  return (
    <div className={css.grid} role="status" aria-label="Loading the day">
      <div className={css.main}>
        <Skeleton style={{ height: '3.25rem', width: '60%', marginBottom: '1rem' }} />
        {Array.from({ length: 9 }, (_, i) => (
          <Skeleton key={i} style={{ marginTop: '1rem' }} />
        ))}
      </div>
      <div className={css.side}>
        {Array.from({ length: 6 }, (_, i) => (
          <Skeleton key={i} style={{ marginTop: '1rem' }} />
        ))}
      </div>
    </div>
  );
}
