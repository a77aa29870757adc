import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { OwnWeek } from '@clinic/contract';
import { addDays, isoDate, REVIEWS, type LanguageCode } from '@clinic/domain';
import css from './own-day.module.css';
import { Link } from '../../../shared/router/link.tsx';
import { AccountLanguage } from '../../../shared/session/account-words.ts';
import { OwnAccountDialog } from '../../../shared/session/own-account-dialog.tsx';
import { useSessionInfo } from '../../../shared/session/session-info.ts';
import { SessionTimeout } from '../../../shared/session/session-timeout.tsx';
import { signOut } from '../../../shared/session/sign-out.ts';
import { DemoBar } from '../../../shared/shell/demo-bar.tsx';
import { OfflineNotice } from '../../../shared/shell/offline-notice.tsx';
import { Button, buttonClass } from '../../../shared/ui/button.tsx';
import type { Loaded } from '../../../shared/ui/load-failure.tsx';
import { Notice, Skeleton } from '../../../shared/ui/states.tsx';
import { Toasts } from '../../../shared/ui/toast.tsx';
import { useOwnWeek } from './api.ts';
import { ChangeCard } from './change-card.tsx';
import { OwnFeed } from './own-feed.tsx';
import { OwnReports } from './own-reports.tsx';
import { Session } from './own-session.tsx';
import { savedLanguage, saveLanguage } from '../../../shared/storage/keys.ts';
import { useWords, wordsIn, WordsContext } from './model.ts';

/** The language of the page: the one that was chosen here, else the therapist's own, else the browser's. */
function useLanguage(own: LanguageCode | undefined) {
  const [chosen, setChosen] = useState(savedLanguage);
  const code: LanguageCode = (chosen ?? own ?? navigator.language).startsWith('es') ? 'es' : 'en';
  const words = useMemo(() => wordsIn(code), [code]);
  useEffect(() => {
    document.title = words.t('pageTitle');
    document.documentElement.lang = code;
    return () => {
      document.documentElement.lang = 'en';
    };
  }, [code, words]);
  const choose = (next: LanguageCode): void => {
    saveLanguage(next);
    setChosen(next);
  };
  return { words, choose };
}

/** A therapist's own days on a phone: what has changed, today, and the week. */
export function OwnDayPage() {
  const [date, setDate] = useState<string | null>(null);
  const query = useOwnWeek(date);
  const { data, error } = query;
  const { words, choose } = useLanguage(data?.language);
  return (
    <WordsContext value={words}>
      <div className={css.page}>
        <Head name={data?.name} onLanguage={choose} />
        <main className={css.main} id="main">
          <OfflineNotice title={words.t('offlineTitle')} text={words.t('offlineText')} />
          {data || error ? <Failure query={query} /> : <Loading />}
          {data ? <Days week={data} onWeek={setDate} /> : null}
          {words.code === 'es' && REVIEWS.ownDay === null ? (
            <p className="small muted">{words.t('notReviewed')}</p>
          ) : null}
        </main>
        <InEnglish>
          <DemoBar />
        </InEnglish>
        <Toasts />
        <SessionTimeout words={words.timeout()} />
      </div>
    </WordsContext>
  );
}

/** What this page shares with those of staff, which are in English. */
const InEnglish = ({ children }: { children: ReactNode }) => <div lang="en">{children}</div>;

/** Whether the account is not a therapist's: staff have no days of their own here. */
function useIsStaff(): boolean {
  const role = useSessionInfo()?.account.role;
  return role !== undefined && role !== 'therapist';
}

/** Why the days are missing or out of date. Trying again would not help staff. */
function Failure({ query }: { query: Loaded }) {
  const { t, notRead } = useWords();
  const isStaff = useIsStaff();
  if (!query.error) return null;
  return isStaff ? (
    <Notice tone="warn" title={t('staffTitle')}>
      {t('staffText')}
    </Notice>
  ) : (
    <Notice
      tone="error"
      title={t('failed')}
      actions={<Button onClick={() => void query.refetch()}>{t('again')}</Button>}
    >
      {notRead(query.error)} {query.data === undefined ? null : t('old')}
    </Notice>
  );
}

/** This page has no sidebar, so staff get a link back. */
function Head({ name, onLanguage }: { name: string | undefined; onLanguage: (code: LanguageCode) => void }) {
  const { code, t } = useWords();
  const other = code === 'es' ? ({ code: 'en', name: 'English' } as const) : ({ code: 'es', name: 'Español' } as const);
  const [own, setOwn] = useState(false);
  const isStaff = useIsStaff();
  return (
    <>
      <header className={css.head}>
        <div className="grow">
          <h1>{t('title')}</h1>
          <p className="small muted">{name ?? ' '}</p>
        </div>
        {isStaff ? (
          <Link to="/calendar" className={buttonClass({ variant: 'ghost', size: 'lg' })}>
            {t('calendar')}
          </Link>
        ) : null}
        <Button size="lg" variant="ghost" lang={other.code} onClick={() => onLanguage(other.code)}>
          {other.name}
        </Button>
        <Button size="lg" variant="ghost" onClick={() => setOwn(true)}>
          {t('account')}
        </Button>
        <Button size="lg" variant="ghost" onClick={() => void signOut()}>
          {t('logOut')}
        </Button>
      </header>
      {own ? (
        <AccountLanguage value={code}>
          <OwnAccountDialog onClose={() => setOwn(false)} />
        </AccountLanguage>
      ) : null}
    </>
  );
}

function Days({ week, onWeek }: { week: OwnWeek; onWeek: (date: string) => void }) {
  const words = useWords();
  const { t } = words;
  const { changes, days, now, earliest, latest } = week;
  const today = now.slice(0, 10);
  const [first, last] = [days[0]?.date ?? today, days.at(-1)?.date ?? today];
  const current = days.find((day) => day.date === today);
  const [before, after] = [addDays(isoDate(first), -1), addDays(isoDate(last), 1)];
  return (
    <>
      <section aria-labelledby="changes">
        <h2 id="changes" aria-live="polite">
          {changes.length === 0 ? t('noChanges') : words.changes(changes.length)}
        </h2>
        {changes.map((change) => (
          <ChangeCard key={`${change.date} ${change.location}`} change={change} today={today} />
        ))}
      </section>
      {current ? <DayOf day={current} today={today} /> : null}
      <OwnReports week={week} />
      <nav className={css.weeks} aria-label={t('weeks')}>
        <Button size="lg" unavailable={before < earliest} onClick={() => onWeek(before)}>
          {t('previousWeek')}
        </Button>
        <Button size="lg" unavailable={after > latest} onClick={() => onWeek(after)}>
          {t('nextWeek')}
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
    title={useWords().day(day.date, today)}
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
  const { t } = useWords();
  return (
    <section className={css.day} aria-label={title} aria-current={current ? 'date' : undefined}>
      <h2>{title}</h2>
      {undecided ? <p className="small muted">{t('mayChange')}</p> : null}
      {children.length === 0 ? <p className="muted">{t('nothingBooked')}</p> : <ul>{children}</ul>}
    </section>
  );
}

const Loading = () => (
  <div role="status" aria-label={useWords().t('loading')}>
    {Array.from({ length: 6 }, (_, i) => (
      <Skeleton key={i} style={{ height: '3rem', marginTop: '1rem' }} />
    ))}
  </div>
);
