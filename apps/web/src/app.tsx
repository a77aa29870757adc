import type { ReactNode } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { ErrorPage } from './routes/error-page.tsx';
import { claimDrafts, clearDrafts } from './shared/session/drafts.ts';
import { WELCOME, redirectFor } from './shared/session/redirects.ts';
import { queryClient } from './shared/api/query-client.ts';
import { takeFlash } from './shared/flash.ts';
import { startHistory, updatePlace } from './shared/router/history.ts';
import { Pages, definePages } from './shared/router/pages.tsx';
import { getSession, onSession } from './shared/session/session-store.ts';
import { LEDGERS, ledgerPath } from './shared/shell/places.ts';
import { Shell } from './shared/shell/shell.tsx';
import { PageWait } from './shared/ui/page-wait.tsx';
import { dismissToasts } from './shared/ui/toast.tsx';
import { UnsavedQuestion } from './shared/unsaved/unsaved-question.tsx';

const LOGIN = '/login';
const ME = '/me';

const loadWeeks = () => import('./routes/weeks-page.tsx').then((m) => m.WeeksPage);
const loadRare = () => import('./routes/rare-page.tsx').then((m) => m.RarePage);
const loadLedgers = () => import('./routes/ledgers-page.tsx').then((m) => m.LedgersPage);

definePages(
  {
    [LOGIN]: ['Scheduler', () => import('./routes/login-page.tsx').then((m) => m.LoginPage)],
    [WELCOME]: ['Scheduler', () => import('./routes/welcome-page.tsx').then((m) => m.WelcomePage)],
    '/': ['Today', () => import('./routes/today-page.tsx').then((m) => m.TodayPage)],
    '/calendar': ['Calendar', () => import('./routes/calendar-page.tsx').then((m) => m.CalendarPage)],
    '/calls': ['Calls', () => import('./routes/calls-page.tsx').then((m) => m.CallsPage)],
    '/day-sheet': ['Day sheet', () => import('./routes/day-sheet-page.tsx').then((m) => m.DaySheetPage)],
    [ME]: ['My day', () => import('./routes/me-page.tsx').then((m) => m.MePage)],
    '/profiles': ['Profiles', () => import('./routes/profiles-page.tsx').then((m) => m.ProfilesPage)],
    ...Object.fromEntries(
      LEDGERS.map((ledger) => [ledgerPath(ledger), ['Hours & authorizations', loadLedgers] as const]),
    ),
    '/import': ['Import', () => import('./features/import/import-page.tsx').then((m) => m.ImportPage)],
    '/export': ['Export', () => import('./features/export/export-page.tsx').then((m) => m.ExportPage)],
    '/differences': [
      'Billing system',
      () => import('./features/differences/differences-page.tsx').then((m) => m.DifferencesPage),
    ],
    '/find-a-time': ['Find a time', loadWeeks],
    '/make-up': ['Make up', loadWeeks],
    '/series': ['Weekly series', loadWeeks],
    '/standing': ['Who takes the sessions?', loadWeeks],
    '/leave/:id': ['Who takes the sessions?', loadWeeks],
    '/closures': ['Close a location', loadWeeks],
    '/meeting': ['Plan a meeting', loadWeeks],
    '/people/clients/:id': ['Clients', loadWeeks],
    '/people/therapists/:id': ['Therapists', loadWeeks],
    '/accounts': ['Accounts', loadRare],
    '/locations': ['Locations', loadRare],
    '/causes': ['Reasons', loadRare],
    '/programs': ['Other programs', loadRare],
    '/audit': ['Who did what', loadRare],
    '/reports': ['Reports', loadRare],
    '/scheduler': ['Scheduler', loadRare],
  },
  ['Page not found', () => import('./routes/not-found-page.tsx').then((m) => m.NotFoundPage)],
);

/** Decides which page to show, at the start and whenever the address or the login changes. */
export function startRouting(): void {
  startHistory((place) => redirectFor(place, getSession()));
  forgetWithSession();
  onSession(updatePlace);
}

/**
 * When the user logs out or another user logs in, perhaps in another tab, removes what this tab holds of the last user,
 * before a page shows it: loaded data, toasts (including those with an Undo button) and drafts. If the session only
 * ended, the drafts wait for the same user.
 */
function forgetWithSession(): void {
  const who = (): string | null => getSession().claims?.subject ?? null;
  const forgetDrafts = (): void => {
    const { token, reason } = getSession();
    if (token !== null) claimDrafts(token);
    else if (reason === 'signed-out') clearDrafts();
  };
  let before = who();
  forgetDrafts(); // while this page was closed, someone else may have logged in
  onSession(() => {
    if (who() === before) return;
    before = who();
    queryClient.clear();
    dismissToasts();
    takeFlash();
    forgetDrafts();
  });
}

const Frame = ({ children }: { children: ReactNode }) => <Shell>{children}</Shell>;

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Pages frame={Frame} bare={[LOGIN, WELCOME, ME]} wait={PageWait} failed={ErrorPage} />
      <UnsavedQuestion />
    </QueryClientProvider>
  );
}
