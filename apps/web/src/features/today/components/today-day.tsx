import type { ReactNode } from 'react';
import type { SessionReply } from '@clinic/contract';
import { namedPath } from '../../../shared/person-path.ts';
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
import { awayWords, isEmpty, nowOnAxis } from '../model.ts';
import { Figures, type FigureProps } from './figures.tsx';
import { NeedsCover, Reserve } from './day-lanes.tsx';
import sideCss from './side.module.css';
import { NotSaid } from './not-said.tsx';
import { Submitted } from './submitted.tsx';
import css from './today-day.module.css';
import { WeekBars } from './week-bars.tsx';
import { WrongList } from './wrong-list.tsx';

/** What users do on each page. The menu does not say it, so that the calendar need not load these words. */
const WHAT: Readonly<Record<string, string>> = {
  '/ledgers/hours': 'Care and supervision, too',
  '/scheduler': 'Some or all sessions',
  '/reports': 'Hours kept and lost',
  '/import': 'People and appointments',
  '/export': 'All data, or what changed',
  '/accounts': 'Who can log in',
  '/locations': 'Names, clocks, opening hours',
  '/causes': 'Why people are away or cancel',
  '/programs': 'Who reads records, and webhooks',
  '/audit': 'Every view and change',
  '/closures': 'Closures and holidays',
  '/find-a-time': 'Weekly times for a new child, or for more hours',
  '/meeting': 'Administrative time for many people',
  '/series': 'What repeats, to change it for good',
};

interface DayProps extends FigureProps {
  /** The later days on which people must be told. */
  later?: ReactNode;
  /** Absences that therapists reported and a coordinator has yet to confirm. */
  reported?: ReactNode;
  /** What is open on the days of the week, at each of the account's locations. */
  week?: ReactNode;
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
        <SideSection id="week" title="Hours this week">
          <WeekBars week={reply.week} location={location} />
        </SideSection>
        {reply.not_said.length > 0 ? (
          <SideSection
            id="not-said"
            className={sideCss.line}
            title={`No reason yet: ${reply.not_said.length} this week`}
          >
            <NotSaid list={reply.not_said} location={location} />
          </SideSection>
        ) : null}
        <SideSection id="more" title="More">
          <ul className={sideCss.places}>
            {placesFor(account).map(({ label, to }) => (
              <li key={to}>
                <Link to={to}>{label}</Link> <span className="small muted">{WHAT[to]}</span>
              </li>
            ))}
          </ul>
        </SideSection>
      </SideColumn>
    </TwoColumns>
  );
}

function Work({ canImport, ...props }: DayProps & { canImport: boolean }) {
  const { reply, location, date, now, reported, week } = props;
  const { needs_cover: needs, wrong = [] } = reply;
  const at = nowOnAxis(now);
  return (
    <MainColumn label="Cover for this day">
      {isEmpty(reply) ? <FirstSteps canImport={canImport} /> : <Figures {...props} />}
      {reported}
      {needs.length > 0 ? (
        <section aria-labelledby="needs-cover">
          <NeedsCover list={needs} day={{ location, date, now: at }} />
        </section>
      ) : null}
      {wrong.length > 0 ? (
        <section aria-labelledby="wrong" className={css.next}>
          <WrongList list={wrong} day={{ location, date, now: at }} />
        </section>
      ) : null}
      {week}
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
function FirstSteps({ canImport }: { canImport: boolean }) {
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

function Away({ reply, location, date }: DayProps) {
  if (reply.away.length === 0) return <p className="muted">No one is away.</p>;
  return (
    <SideList>
      {reply.away.map((absence) => (
        <li key={absence.id}>
          <span>
            <Link to={namedPath(absence.type)} search={{ name: absence.name }}>
              {absence.name}
            </Link>{' '}
            <span className="muted">{absence.type === 'therapist' ? 'Therapist' : 'Client'}</span>
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
