import { useState } from 'react';
import type { Account, Invitation } from '@clinic/contract';
import { Button } from '../shared/ui/button.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Loading } from '../shared/ui/loading.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { useOpening } from '../shared/ui/use-opening.ts';
import table from '../shared/ui/table.module.css';
import { useAccounts, useInvitations } from '../features/admin/api/use-admin.ts';
import { AccountTable } from '../features/admin/components/account-table.tsx';
import { AccountDialog } from '../features/admin/components/account-dialog.tsx';
import { Invitations } from '../features/admin/components/invitations.tsx';
import { InviteColleague, InviteTherapist } from '../features/admin/components/invite-forms.tsx';
import { RequireAdmin } from '../features/admin/components/require-admin.tsx';

/** For administrators: the accounts, with their roles and locations. */
export const AccountsPage = () => (
  <RequireAdmin title="Accounts">
    <Accounts />
  </RequireAdmin>
);

function Accounts() {
  const query = useAccounts();
  const [open, setOpen, close] = useOpening<{ account: Account | null }>();
  const { data: invited } = useInvitations();
  const [inviting, setInviting] = useState<{ again: Invitation | null; therapist: boolean } | null>(null);
  const Invite = inviting?.therapist ? InviteTherapist : InviteColleague;
  return (
    <Page
      title="Accounts"
      toolbar={
        <>
          <h1>Accounts</h1>
          <span className="small muted" role="status">
            {query.data ? `${query.data.length} ${query.data.length === 1 ? 'account' : 'accounts'}` : ''}
          </span>
          <span className="grow" />
          {query.data ? (
            <>
              <Button size="lg" unavailable={!invited} onClick={() => setInviting({ again: null, therapist: true })}>
                Invite a Therapist
              </Button>
              <Button size="lg" unavailable={!invited} onClick={() => setInviting({ again: null, therapist: false })}>
                Invite a Colleague
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
        <Loading what="the accounts" query={query} lines={6}>
          {(accounts) => (
            <div className={table.scroll}>
              <AccountTable accounts={accounts} onEdit={(account) => setOpen({ account })} />
              <Invitations
                invitations={invited?.invitations ?? []}
                onNewLink={(again) => setInviting({ again, therapist: again.therapist !== null })}
              />
            </div>
          )}
        </Loading>
      </Sheet>
      {open ? <AccountDialog key={open.key} account={open.value.account} onClose={() => close(open.key)} /> : null}
      {inviting && invited ? (
        <Invite again={inviting.again} emailOff={invited.email_off} onClose={() => setInviting(null)} />
      ) : null}
    </Page>
  );
}
