import type { ReactNode } from 'react';
import type { SessionReply, TodayReply } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { countSessions } from '../../../shared/count-sessions.ts';
import { Link } from '../../../shared/router/link.tsx';
import { placesFor } from '../../../shared/shell/places.ts';
import { buttonClass } from '../../../shared/ui/button.tsx';
import { Skeleton } from '../../../shared/ui/states.tsx';
import {
  Headline,
  MainColumn,
  SideColumn,
  SideList,
  SideSection,
  TwoColumns,
} from '../../../shared/ui/two-columns.tsx';
import { toCancelWords } from '../../../shared/to-cancel-words.ts';
import { awayWords, dayWords, isEmpty, needWords, nowOnAxis } from '../model.ts';
import { NeedsCover, Reserve } from './day-lanes.tsx';
import sideCss from './side.module.css';
import { NotSaid } from './not-said.tsx';
import { Submitted } from './submitted.tsx';
import css from './today-day.module.css';
import { WeekBars } from './week-bars.tsx';

interface DayProps {
  reply: TodayReply;
  location: Location;
  date: IsoDate;
  /** Minutes after midnight; null when the day is not today. */
  now: number | null;
  /** The number of people who must be told, as a link to the call list. */
  calls?: ReactNode;
  /** The later days on which people must be told. */
  later?: ReactNode;
  /** Absences that therapists reported and a coordinator has yet to confirm. */
  reported?: ReactNode;
  /** A line of figures for each of the account's locations. */
  morning?: ReactNode;
}

/** A location's day: what needs cover, who is free, who is away, what was submitted, and the week's hours. */
export function TodayDay({ account, ...props }: DayProps & { account: SessionReply['account'] | undefined }) {
  const { reply, location, date, now } = props;
  return (
    <TwoColumns>
      <Work {...props} canImport={placesFor(account).some(({ to }) => to === '/import')} />
      <SideColumn label="Day details">
        <SideSection id="away" title="Who is away">
          <Away {...props} />
        </SideSection>
        {props.later}
        <SideSection id="submitted" title={now === null ? 'Submitted for this day' : 'Submitted today'}>
          <Submitted commits={reply.commits} date={date} me={account?.name} />
        </SideSection>
        {reply.not_said.length > 0 ? (
          <SideSection id="not-said" title={`No reason yet: ${reply.not_said.length} this week`}>
            <NotSaid list={reply.not_said} location={location} />
          </SideSection>
        ) : null}
        <SideSection id="week" title="Hours this week">
          <WeekBars week={reply.week} location={location} />
        </SideSection>
        <SideSection id="more" title="More">
          <ul className={sideCss.places}>
            {placesFor(account).map(({ label, to, what }) => (
              <li key={to}>
                <Link to={to}>{label}</Link> <span className="small muted">{what}</span>
              </li>
            ))}
          </ul>
        </SideSection>
      </SideColumn>
    </TwoColumns>
  );
}

function Work({ canImport, ...props }: DayProps & { canImport: boolean }) {
  const { reply, location, date, now, calls, reported, morning } = props;
  const needs = reply.needs_cover;
  const at = nowOnAxis(now);
  return (
    <MainColumn label="Cover for this day">
      {isEmpty(reply) ? <FirstSteps canImport={canImport} calls={calls} /> : <Hero {...props} />}
      {reported}
      {morning}
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
            <h2 id="reserve">Who is free</h2>
            <p className="muted">{now === null ? 'No one is free on this day.' : 'No one is free today.'}</p>
          </>
        )}
      </section>
    </MainColumn>
  );
}

/** What to do first when a location has no therapists at work and no sessions in the whole week. */
function FirstSteps({ canImport, calls }: { canImport: boolean; calls: ReactNode }) {
  return (
    <div className={css.hero}>
      <div className={css.said}>
        <Headline>Nothing is booked this week</Headline>
        <p className="muted">
          {canImport
            ? 'To begin, import your people and sessions, or add therapists and clients in the profiles.'
            : 'To begin, add therapists and clients in the profiles, then book their sessions in the calendar.'}
        </p>
      </div>
      <div className={css.acts}>
        {calls}
        <Link to="/profiles" className={buttonClass({ variant: canImport ? undefined : 'primary', size: 'lg' })}>
          Open the profiles
        </Link>
        {canImport ? (
          <Link to="/import" className={buttonClass({ variant: 'primary', size: 'lg' })}>
            Import
          </Link>
        ) : null}
      </div>
    </div>
  );
}

/** The page's main figure, with a button to act on it. */
function Hero({ reply, location, date, now, calls }: DayProps) {
  const needs = reply.needs_cover;
  const count = countSessions(needs);
  const toCancel = reply.to_cancel ?? 0;
  const calm =
    toCancel > 0
      ? { title: toCancelWords(toCancel), text: 'Nothing needs cover. These clients are away, but still booked.' }
      : dayWords(reply.week.find((day) => day.date === date));
  return (
    <div className={css.hero}>
      <div className={css.said}>
        <Headline>
          {needs.length > 0 ? (
            <>
              <span className="alarm">
                {count} {count === 1 ? 'session' : 'sessions'}
              </span>{' '}
              {count === 1 ? 'needs' : 'need'} cover
            </>
          ) : (
            calm.title
          )}
        </Headline>
        <p className="muted">{needs.length > 0 ? needWords(needs, now, toCancel) : calm.text}</p>
      </div>
      <div className={css.acts}>
        {calls}
        {needs.length > 0 || toCancel > 0 ? (
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
    </div>
  );
}

function Away({ reply, location, date }: DayProps) {
  if (reply.away.length === 0) return <p className="muted">No one is away.</p>;
  return (
    <SideList>
      {reply.away.map((absence) => (
        <li key={absence.id}>
          <span>
            <b>{absence.name}</b> <span className="muted">{absence.type === 'therapist' ? 'Therapist' : 'Client'}</span>
          </span>
          <Link to="/calendar" search={{ date, location, view: absence.type, find: absence.name }}>
            {awayWords(absence.startTime, absence.endTime)}
            <span className="sr">: {absence.name}</span>
          </Link>
        </li>
      ))}
    </SideList>
  );
}

/** The outline of the page while it loads. Its parts have their real height, so nothing moves when the page arrives. */
export function TodayLoading() {
  return (
    <TwoColumns loading="Loading the day">
      <MainColumn>
        <Skeleton style={{ height: '3.25rem', width: '60%', marginBottom: '1rem' }} />
        {Array.from({ length: 9 }, (_, i) => (
          <Skeleton key={i} style={{ marginTop: '1rem' }} />
        ))}
      </MainColumn>
      <SideColumn>
        {Array.from({ length: 6 }, (_, i) => (
          <Skeleton key={i} style={{ marginTop: '1rem' }} />
        ))}
      </SideColumn>
    </TwoColumns>
  );
}
