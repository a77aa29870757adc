import { Fragment, useEffect, useState, type ReactNode } from 'react';
import { COVER_NOTE, type OwnDaySession, type OwnWeek } from '@clinic/contract';
import { addDays, isoDate, listWords } from '@clinic/domain';
import css from './own-day.module.css';
import { FIELD_LABELS } from '../../../shared/field-labels.ts';
import { Link } from '../../../shared/router/link.tsx';
import { OwnAccountDialog } from '../../../shared/session/own-account-dialog.tsx';
import { useSessionInfo } from '../../../shared/session/session-info.ts';
import { SessionTimeout } from '../../../shared/session/session-timeout.tsx';
import { signOut } from '../../../shared/session/sign-out.ts';
import { DemoBar } from '../../../shared/shell/demo-bar.tsx';
import { OfflineNotice } from '../../../shared/shell/offline-notice.tsx';
import { Button, buttonClass } from '../../../shared/ui/button.tsx';
import { LoadFailure, type Loaded } from '../../../shared/ui/load-failure.tsx';
import { Chip, Notice, Skeleton } from '../../../shared/ui/states.tsx';
import { Toasts } from '../../../shared/ui/toast.tsx';
import { useOwnWeek } from './api.ts';
import { ChangeCard } from './change-card.tsx';
import { OwnFeed } from './own-feed.tsx';
import { OwnReports } from './own-reports.tsx';
import { serviceWords } from '../../../shared/service-words.ts';
import { changesWords, dayWords, windowWords } from './model.ts';

/** A therapist's own days on a phone: what has changed, today, and the week. */
export function OwnDayPage() {
  const [date, setDate] = useState<string | null>(null);
  const query = useOwnWeek(date);
  const { data, error } = query;
  useEffect(() => {
    document.title = 'My day - Scheduler';
  }, []);
  return (
    <div className={css.page}>
      <Head name={data?.name} />
      <main className={css.main} id="main">
        <OfflineNotice />
        {data || error ? <Failure query={query} /> : <Loading />}
        {data ? <Days week={data} onWeek={setDate} /> : null}
      </main>
      <DemoBar />
      <Toasts />
      <SessionTimeout />
    </div>
  );
}

/** Whether the account is not a therapist's: staff have no days of their own here. */
function useIsStaff(): boolean {
  const role = useSessionInfo()?.account.role;
  return role !== undefined && role !== 'therapist';
}

/** Why the days are missing or out of date. Trying again would not help staff. */
function Failure({ query }: { query: Loaded }) {
  const isStaff = useIsStaff();
  return query.error && isStaff ? (
    <Notice tone="warn" title="This page is for therapists">
      It shows therapists their own days. The calendar shows everyone’s.
    </Notice>
  ) : (
    <LoadFailure what="your days" query={query} />
  );
}

/** This page has no sidebar, so staff get a link back. */
function Head({ name }: { name: string | undefined }) {
  const [own, setOwn] = useState(false);
  const isStaff = useIsStaff();
  return (
    <>
      <header className={css.head}>
        <div className="grow">
          <h1>My day</h1>
          <p className="small muted">{name ?? ' '}</p>
        </div>
        {isStaff ? (
          <Link to="/calendar" className={buttonClass({ variant: 'ghost', size: 'lg' })}>
            Calendar
          </Link>
        ) : null}
        <Button size="lg" variant="ghost" onClick={() => setOwn(true)}>
          Account
        </Button>
        <Button size="lg" variant="ghost" onClick={() => void signOut()}>
          Log out
        </Button>
      </header>
      {own ? <OwnAccountDialog onClose={() => setOwn(false)} /> : null}
    </>
  );
}

function Days({ week, onWeek }: { week: OwnWeek; onWeek: (date: string) => void }) {
  const { changes, days, now, earliest, latest } = week;
  const today = now.slice(0, 10);
  const [first, last] = [days[0]?.date ?? today, days.at(-1)?.date ?? today];
  const current = days.find((day) => day.date === today);
  const [before, after] = [addDays(isoDate(first), -1), addDays(isoDate(last), 1)];
  return (
    <>
      <section aria-labelledby="changes">
        <h2 id="changes" aria-live="polite">
          {changes.length === 0 ? 'Nothing has changed' : changesWords(changes.length)}
        </h2>
        {changes.map((change) => (
          <ChangeCard key={`${change.date} ${change.location}`} change={change} today={today} />
        ))}
      </section>
      {current ? <DayOf day={current} today={today} /> : null}
      <OwnReports week={week} />
      <nav className={css.weeks} aria-label="Weeks">
        <Button size="lg" unavailable={before < earliest} onClick={() => onWeek(before)}>
          Previous week
        </Button>
        <Button size="lg" unavailable={after > latest} onClick={() => onWeek(after)}>
          Next week
        </Button>
      </nav>
      {days
        .filter((day) => day !== current)
        .map((day) => (
          <DayOf key={day.date} day={day} today={today} />
        ))}
      <OwnFeed />
    </>
  );
}

const DayOf = ({ day, today }: { day: OwnWeek['days'][number]; today: string }) => (
  <Day
    title={dayWords(day.date, today)}
    current={day.date === today}
    undecided={day.sessions.some((session) => session.undecided)}
  >
    {day.sessions.map((session, i) => (
      <Session key={i} session={session} />
    ))}
  </Day>
);

function Day({
  title,
  current,
  undecided,
  children,
}: {
  title: string;
  current: boolean;
  undecided: boolean;
  children: ReactNode[];
}) {
  return (
    <section className={css.day} aria-label={title} aria-current={current ? 'date' : undefined}>
      <h2>{title}</h2>
      {undecided ? (
        <p className="small muted">
          What is marked “Being decided” may still change. The clinic will tell you. Nothing else changes.
        </p>
      ) : null}
      {children.length === 0 ? <p className="muted">Nothing booked.</p> : <ul>{children}</ul>}
    </section>
  );
}

function Session({ session }: { session: OwnDaySession }) {
  const { clients, service, place, cover, changed, asked, undecided } = session;
  // In a group, some of the clients may be new, and some may be no-shows.
  const isNew = changed && asked !== true && clients.every((client) => client.changed);
  const isMarked = clients.some((client) => client.no_show || (client.changed && !isNew && asked !== true));
  return (
    <li className={css.session} data-changed={changed || undefined} data-undecided={undecided || undefined}>
      <b>{windowWords(session)}</b>
      <span>
        {clients.length === 0 ? serviceWords(service) : isMarked ? null : listWords(clients.map(({ name }) => name))}
        {isMarked ? clients.map((client) => <Marked key={client.name} client={client} isNew={!isNew} />) : null}
        {isNew ? <NewChip /> : null}
        {asked === true ? (
          <Chip tone="need" icon="clock">
            We ask you
          </Chip>
        ) : null}
        {cover ? <Chip icon="swap">You cover</Chip> : null}
        {undecided ? <Chip icon="clock">Being decided</Chip> : null}
      </span>
      <span className="small muted">{clients.length === 0 ? place : `${serviceWords(service)}, ${place}`}</span>
      {clients.map(({ name, note }) =>
        note === null ? null : (
          <Fragment key={name}>
            {clients.length > 1 ? <span className="small muted">{`About ${name}`}</span> : null}
            <CoverNote note={note} />
          </Fragment>
        ),
      )}
    </li>
  );
}

/** A client's name with the marks that apply only to this client; `isNew`: whether to mark the client as new. */
const Marked = ({ client, isNew }: { client: OwnDaySession['clients'][number]; isNew: boolean }) => (
  <span>
    {client.name}
    {client.changed && isNew ? <NewChip /> : null}
    {client.no_show ? <Chip icon="slash">No-show</Chip> : null}
  </span>
);

const NewChip = () => (
  <Chip tone="need" icon="clock">
    New
  </Chip>
);

const CoverNote = ({ note }: { note: NonNullable<OwnDaySession['clients'][number]['note']> }) => (
  <dl className={css.note}>
    {COVER_NOTE.filter((part) => note[part] !== '').map((part) => (
      <div key={part}>
        <dt>{FIELD_LABELS[part]}</dt>
        <dd>{note[part]}</dd>
      </div>
    ))}
  </dl>
);

const Loading = () => (
  <div role="status" aria-label="Loading your days">
    {Array.from({ length: 6 }, (_, i) => (
      <Skeleton key={i} style={{ height: '3rem', marginTop: '1rem' }} />
    ))}
  </div>
);
