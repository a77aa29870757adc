import { useState } from 'react';
import type { Account } from '@clinic/contract';
import { Button } from '../shared/ui/button.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { Chip, Skeleton } from '../shared/ui/states.tsx';
import { useOpening } from '../shared/ui/use-opening.ts';
import { useAccounts } from '../features/admin/api/use-admin.ts';
import { AccountDialog } from '../features/admin/components/account-dialog.tsx';
import { Invitations } from '../features/admin/components/invitations.tsx';
import { InviteDialog } from '../features/admin/components/invite-dialog.tsx';
import css from '../features/admin/components/admin.module.css';
import { RequireAdmin } from '../features/admin/components/require-admin.tsx';
import { LoadFailure } from '../features/admin/components/load-failure.tsx';
import { placesWords, roleWords } from '../features/admin/model.ts';

/** Who may sign in, with which role and where; for administrators. */
export const AccountsPage = () => (
  <RequireAdmin title="Users">
    <Accounts />
  </RequireAdmin>
);

function Accounts() {
  const query = useAccounts();
  const [open, setOpen, close] = useOpening<{ account: Account | null }>();
  const [inviting, setInviting] = useState(false);
  return (
    <Page
      title="Users"
      toolbar={
        <>
          <h1>Users</h1>
          <span className="small muted" role="status">
            {query.data ? `${query.data.length} ${query.data.length === 1 ? 'account' : 'accounts'}` : ''}
          </span>
          <span className="grow" />
          {query.data ? (
            <>
              <Button size="lg" onClick={() => setInviting(true)}>
                Invite a Therapist
              </Button>
              <Button variant="primary" size="lg" onClick={() => setOpen({ account: null })}>
                <Icon name="plus" />
                Add Account
              </Button>
            </>
          ) : null}
        </>
      }
    >
      <Sheet fills="parts">
        {query.error ? (
          <LoadFailure what="the accounts" error={query.error} onRetry={() => void query.refetch()} />
        ) : null}
        {query.data ? (
          <div className={css.scroll}>
            <AccountTable accounts={query.data} onEdit={(account) => setOpen({ account })} />
            <Invitations />
          </div>
        ) : query.error ? null : (
          <div className={css.wait} role="status" aria-label="Loading accounts">
            {Array.from({ length: 6 }, (_, i) => (
              <Skeleton key={i} />
            ))}
          </div>
        )}
      </Sheet>
      {open ? <AccountDialog key={open.key} account={open.value.account} onClose={() => close(open.key)} /> : null}
      {inviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </Page>
  );
}

function AccountTable({ accounts, onEdit }: { accounts: readonly Account[]; onEdit: (account: Account) => void }) {
  return (
    <table className={css.table}>
      <caption className="sr">Accounts</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Email</th>
          <th scope="col">Role</th>
          <th scope="col">Locations</th>
          <th scope="col">State</th>
          <th scope="col">
            <span className="sr">Change</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {accounts.map((account) => (
          <tr key={account.id} data-off={account.disabled || undefined}>
            <td>{account.name}</td>
            <td>{account.email}</td>
            <td>{roleWords(account.role)}</td>
            <td>{placesWords(account.locations)}</td>
            <td>
              {account.disabled ? (
                <Chip icon="slash">Disabled</Chip>
              ) : (
                <Chip tone="ok" icon="check">
                  Active
                </Chip>
              )}
            </td>
            <td className={css.right}>
              <Button size="sm" onClick={() => onEdit(account)}>
                Edit<span className="sr"> {account.name}</span>
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
