import { AccountsPage } from './accounts-page.tsx';
import { AuditPage } from './audit-page.tsx';
import { CausesPage } from './causes-page.tsx';

/** The small pages for administrators, loaded together, so that the first load names one file for them. */
export function AdminPage({ path }: { path: string }) {
  if (path === '/causes') return <CausesPage />;
  return path === '/audit' ? <AuditPage /> : <AccountsPage />;
}
