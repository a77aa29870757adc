import type { ReactNode } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { ErrorPage } from './routes/error-page.tsx';
import { claimDrafts, clearDrafts } from './shared/session/drafts.ts';
import { WELCOME, redirectFor } from './shared/session/redirects.ts';
import { queryClient } from './shared/api/query-client.ts';
import { takeFlash } from './shared/flash.ts';
import { startHistory, updatePlace } from './shared/router/history.ts';
import { Pages, definePages } from './shared/router/pages.tsx';
import { retryableLazy } from './shared/ui/retryable-lazy.ts';
import { getSession, onSession } from './shared/session/session-store.ts';
import { LEDGERS, ledgerPath } from './shared/shell/places.ts';
import { Shell } from './shared/shell/shell.tsx';
import { dismissToasts } from './shared/ui/toast.tsx';
import { UnsavedQuestion } from './shared/unsaved/unsaved-question.tsx';

const LOGIN = '/login';
const ME = '/me';

const notFound = retryableLazy<{ path: string }>(() =>
  import('./routes/not-found-page.tsx').then((m) => m.NotFoundPage),
);
const loadWeeks = () => import('./routes/weeks-page.tsx').then((m) => m.WeeksPage);
const loadRare = () => import('./routes/rare-page.tsx').then((m) => m.RarePage);
const loadLedgers = () => import('./routes/ledgers-page.tsx').then((m) => m.LedgersPage);

definePages({
  [LOGIN]: () => import('./routes/login-page.tsx').then((m) => m.LoginPage),
  [WELCOME]: () => import('./routes/welcome-page.tsx').then((m) => m.WelcomePage),
  '/': () => import('./routes/today-page.tsx').then((m) => m.TodayPage),
  '/calendar': () => import('./routes/calendar-page.tsx').then((m) => m.CalendarPage),
  '/calls': () => import('./routes/calls-page.tsx').then((m) => m.CallsPage),
  '/day-sheet': () => import('./routes/day-sheet-page.tsx').then((m) => m.DaySheetPage),
  [ME]: () => import('./routes/me-page.tsx').then((m) => m.MePage),
  '/profiles': () => import('./routes/profiles-page.tsx').then((m) => m.ProfilesPage),
  ...Object.fromEntries(LEDGERS.map((ledger) => [ledgerPath(ledger), loadLedgers])),
  '/import': () => import('./features/import/import-page.tsx').then((m) => m.ImportPage),
  ...Object.fromEntries(
    ['/find-a-time', '/make-up', '/series', '/standing', '/leave/:id', '/closures'].map((path) => [path, loadWeeks]),
  ),
  ...Object.fromEntries(['/accounts', '/causes', '/audit', '/reports', '/scheduler'].map((path) => [path, loadRare])),
});

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
      <Pages frame={Frame} bare={[LOGIN, WELCOME, ME]} otherwise={notFound} failed={<ErrorPage />} />
      <UnsavedQuestion />
    </QueryClientProvider>
  );
}
