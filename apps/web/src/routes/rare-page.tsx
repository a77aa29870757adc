import { AccountsPage } from './accounts-page.tsx';
import { AuditPage } from './audit-page.tsx';
import { CausesPage } from './causes-page.tsx';
import { LocationsPage } from './locations-page.tsx';
import { ProgramsPage } from './programs-page.tsx';
import { ReportsPage } from './reports-page.tsx';
import { SchedulerPage } from './scheduler-page.tsx';

/** Pages that are seldom opened, loaded together, so that the first load names one file for them. */
export function RarePage({ path }: { path: string }) {
  if (path === '/causes') return <CausesPage />;
  if (path === '/locations') return <LocationsPage />;
  if (path === '/programs') return <ProgramsPage />;
  if (path === '/reports') return <ReportsPage />;
  if (path === '/scheduler') return <SchedulerPage />;
  return path === '/audit' ? <AuditPage /> : <AccountsPage />;
}
