import { useDeferredValue } from 'react';
import { navigate, useSearch } from '../shared/router/history.ts';
import { Button } from '../shared/ui/button.tsx';
import { Options } from '../shared/ui/field.tsx';
import { PlainSelect, SearchBox } from '../shared/ui/plain-field.tsx';
import { Loading } from '../shared/ui/loading.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { EmptyState } from '../shared/ui/states.tsx';
import { ScrollRegion } from '../shared/ui/scroll-region.tsx';
import table from '../shared/ui/table.module.css';
import { useAccounts, useAudit } from '../features/admin/api/use-admin.ts';
import { AuditTable } from '../features/admin/components/audit-table.tsx';
import css from '../features/admin/components/admin.module.css';
import { RequireAdmin } from '../features/admin/components/require-admin.tsx';
import { readAuditFilters, type AuditFilters } from '../features/admin/model.ts';

/** For administrators: who viewed what and who did what, newest first. Viewing this page is recorded too. */
export const AuditPage = () => (
  <RequireAdmin title="Who did what">
    <AuditTrail />
  </RequireAdmin>
);

function AuditTrail() {
  const { account, subject } = readAuditFilters(useSearch());
  const filter = (next: Partial<AuditFilters>): void =>
    navigate({ search: { account, subject, ...next }, replace: true });
  const wanted = useDeferredValue(subject.trim());
  const accounts = useAccounts().data;
  const query = useAudit(account, wanted);
  return (
    <Page
      title="Who did what"
      toolbar={
        <>
          <h1>Who did what</h1>
          <PlainSelect
            className={css.filter}
            aria-label="Who"
            value={account}
            onChange={({ target }) => filter({ account: target.value })}
          >
            <option value="">Everyone</option>
            {accounts && account !== '' && !accounts.some(({ id }) => id === account) ? (
              <option value={account}>Unknown account</option>
            ) : null}
            <Options of={(accounts ?? []).map(({ id, name }) => [id, name])} />
          </PlainSelect>
          <SearchBox
            className={css.filter}
            value={subject}
            onChange={(text) => filter({ subject: text })}
            placeholder="Id, such as C-0001"
          />
        </>
      }
    >
      <Sheet fills="parts">
        <Loading what="the audit trail" query={query} lines={12}>
          {({ pages }) =>
            pages.flat().length > 0 ? (
              <ScrollRegion label="Audit trail" className={table.scroll}>
                <AuditTable rows={pages.flat()} />
                {query.hasNextPage ? (
                  <p className={css.more}>
                    <Button unavailable={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                      {query.isFetchingNextPage ? 'Loading...' : 'Load older entries'}
                    </Button>
                  </p>
                ) : null}
              </ScrollRegion>
            ) : query.error ? null : (
              <EmptyState title="Nothing found">Nothing matches these filters.</EmptyState>
            )
          }
        </Loading>
      </Sheet>
    </Page>
  );
}
