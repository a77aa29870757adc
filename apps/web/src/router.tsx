import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { isLocation, parseDate, type IsoDate, type Location } from '@clinic/domain';
import { ErrorPage } from './routes/error-page.tsx';
import { requireLogin } from './routes/guard.ts';
import { NotFoundPage } from './routes/not-found-page.tsx';
import { RootLayout, ShellLayout } from './routes/root-layout.tsx';
import { getSession } from './shared/session/session-store.ts';

/** What a day page keeps in its address; what is left out is the default: today, and the location chosen last. */
export interface DaySearch {
  date?: IsoDate;
  location?: Location;
}

function readDay(search: Record<string, unknown>): DaySearch {
  const date = typeof search['date'] === 'string' ? parseDate(search['date']) : null;
  return {
    ...(date ? { date } : {}),
    ...(isLocation(search['location']) ? { location: search['location'] } : {}),
  };
}

const rootRoute = createRootRoute({ component: RootLayout });

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search['next'] === 'string' ? { next: search['next'] } : {},
  beforeLoad: () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router's way to redirect
    if (getSession().signedIn) throw redirect({ to: '/calendar', replace: true });
  },
  component: lazyRouteComponent(() => import('./routes/login-page.tsx'), 'LoginPage'),
});

const loginHtmlRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login.html',
  beforeLoad: () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router's way to redirect
    throw redirect({ to: '/login', replace: true });
  },
});

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: requireLogin,
  component: ShellLayout,
  errorComponent: ErrorPage,
});

const todayRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: readDay,
  component: lazyRouteComponent(() => import('./features/today/today-page.tsx'), 'TodayPage'),
});

const calendarRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/calendar',
  validateSearch: (
    search: Record<string, unknown>,
  ): DaySearch & { view?: 'therapist' | 'client'; find?: string; options?: 'open' } => ({
    ...readDay(search),
    ...(search['view'] === 'client' || search['view'] === 'therapist' ? { view: search['view'] } : {}),
    ...(typeof search['find'] === 'string' && search['find'] !== '' ? { find: search['find'] } : {}),
    ...(search['options'] === 'open' ? { options: 'open' as const } : {}),
  }),
  component: lazyRouteComponent(() => import('./routes/calendar-page.tsx'), 'CalendarPage'),
});

const profilesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profiles',
  component: lazyRouteComponent(() => import('./features/profiles/profiles-page.tsx'), 'ProfilesPage'),
});

const schedulerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/scheduler',
  component: lazyRouteComponent(() => import('./routes/scheduler-page.tsx'), 'SchedulerPage'),
});

const accountsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/accounts',
  component: lazyRouteComponent(() => import('./features/admin/accounts-page.tsx'), 'AccountsPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  component: lazyRouteComponent(() => import('./features/admin/audit-page.tsx'), 'AuditPage'),
});

// Unknown paths need a login too (ROUTE-02) and stand in the frame, so they are a route and not the router's fallback.
const unknownRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFoundPage });

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    loginRoute,
    loginHtmlRoute,
    shellRoute.addChildren([
      todayRoute,
      calendarRoute,
      profilesRoute,
      schedulerRoute,
      accountsRoute,
      auditRoute,
      unknownRoute,
    ]),
  ]),
  defaultPreload: 'intent',
  defaultPreloadDelay: 50,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
