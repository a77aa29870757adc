import { useDeferredValue, Fragment } from 'react';
import type { AuditRow } from '@clinic/contract';
import { isLocation, locationLabel } from '@clinic/domain';
import { navigate, useSearch } from '../shared/router/history.ts';
import { Button } from '../shared/ui/button.tsx';
import { Options } from '../shared/ui/field.tsx';
import { PlainSelect, SearchBox } from '../shared/ui/plain-field.tsx';
import { Loading } from '../shared/ui/loading.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { EmptyState } from '../shared/ui/states.tsx';
import { ScrollRegion } from '../shared/ui/scroll-region.tsx';
import { useAccounts, useAudit } from '../features/admin/api/use-admin.ts';
import { RequireAdmin } from '../shared/ui/require-admin.tsx';
import {
  readAuditFilters,
  actionWords,
  detailWords,
  subjectWords,
  wallWords,
  zoneWords,
  type AuditFilters,
} from '../features/admin/model.ts';
import { DataTable } from '../shared/ui/data-table.tsx';
import table from '../shared/ui/table.module.css';
import css from '../features/admin/components/admin.module.css';

/** For administrators: who viewed what and who did what, newest first. Viewing this page is recorded too. */
export const AuditPage = () => (
  <RequireAdmin title="Who did what" reads>
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

const AuditTable = ({ rows }: { rows: readonly AuditRow[] }) => (
  <DataTable
    caption="Audit trail, newest first"
    rows={rows}
    keyOf={(_, i) => i}
    columns={[
      { head: `When (${zoneWords()})`, td: () => ({ className: css.nowrap }), cell: ({ at }) => wallWords(at) },
      { head: 'Who', cell: ({ account }) => account ?? 'The system' },
      { head: 'What', td: () => ({ className: css.action }), cell: ({ action }) => actionWords(action) },
      {
        head: 'Record',
        td: ({ subject_ids: ids }) => ({ className: css.ids, title: ids.join(', ') }),
        cell: ({ subject_kind: kind, subject_ids: ids }) => <Unbroken words={subjectWords(kind, ids)} />,
      },
      {
        head: 'Where',
        td: () => ({ className: css.nowrap }),
        cell: ({ location }) => (isLocation(location) ? locationLabel(location) : location),
      },
      {
        head: 'Details',
        td: () => ({ className: css.wide }),
        cell: ({ detail }) => <Unbroken words={detailWords(detail)} />,
      },
    ]}
  />
);

/** The longest word that is kept on one line, such as an id, a date or `altamonte/2026-11-18`. */
const LONGEST_UNBROKEN = 24;

/** Words in which an id, a date or a time that contains a hyphen or a slash stays on one line. */
function Unbroken({ words }: { words: string }) {
  return words.split(' ').map((word, i) => (
    <Fragment key={i}>
      {i > 0 ? ' ' : ''}
      {/[-/_\d]/.test(word) && word.length <= LONGEST_UNBROKEN ? <span className={css.nowrap}>{word}</span> : word}
    </Fragment>
  ));
}
