import { useState } from 'react';
import type { Account, Invitation } from '@clinic/contract';
import { Button } from '../shared/ui/button.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Loading } from '../shared/ui/loading.tsx';
import { Page, Sheet } from '../shared/ui/page.tsx';
import { useOpening } from '../shared/ui/use-opening.ts';
import { useAccounts, useInvitations, withdrawInvitation } from '../features/admin/api/use-admin.ts';
import { AccountDialog } from '../features/admin/components/account-dialog.tsx';
import { InviteColleague, InviteTherapist } from '../features/admin/components/invite-forms.tsx';
import { RequireAdmin } from '../shared/ui/require-admin.tsx';
import { ActiveChip } from '../shared/ui/active-chip.tsx';
import { DataTable } from '../shared/ui/data-table.tsx';
import { placesWords, roleWords, linkWords, wallWords } from '../features/admin/model.ts';
import { ScrollRegion } from '../shared/ui/scroll-region.tsx';
import { toast } from '../shared/ui/toast.tsx';
import { warn } from '../shared/use-act.ts';
import table from '../shared/ui/table.module.css';
import css from '../features/admin/components/admin.module.css';

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
            <ScrollRegion label="Accounts" className={table.scroll}>
              <AccountTable accounts={accounts} onEdit={(account) => setOpen({ account })} />
              <Invitations
                invitations={invited?.invitations ?? []}
                onNewLink={(again) => setInviting({ again, therapist: again.therapist !== null })}
              />
            </ScrollRegion>
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

const AccountTable = (props: { accounts: readonly Account[]; onEdit: (account: Account) => void }) => (
  <DataTable
    caption="Accounts"
    rows={props.accounts}
    keyOf={({ id }) => id}
    tr={({ disabled }) => ({ 'data-off': disabled || undefined })}
    columns={[
      { head: 'Name', cell: ({ name }) => name },
      { head: 'Email', cell: ({ email }) => email },
      { head: 'Role', cell: ({ role }) => roleWords(role) },
      { head: 'Locations', cell: ({ locations }) => placesWords(locations) },
      { head: 'Status', cell: ({ disabled }) => <ActiveChip unless={disabled && 'Disabled'} /> },
      {
        head: 'Change',
        unseen: true,
        td: () => ({ className: table.actions }),
        cell: (account) => (
          <Button size="sm" onClick={() => props.onEdit(account)}>
            Edit<span className="sr"> {account.name}</span>
          </Button>
        ),
      },
    ]}
  />
);

/** People who have been invited but have not used their link yet. Renders nothing when there are none. */
function Invitations({
  invitations,
  onNewLink,
}: {
  invitations: readonly Invitation[];
  onNewLink: (invitation: Invitation) => void;
}) {
  if (invitations.length === 0) return null;
  const withdraw = (id: string, name: string): void => {
    withdrawInvitation(id).then(() => toast({ text: `The link for ${name} no longer works` }), warn('the list'));
  };
  return (
    <DataTable
      caption="Invited"
      captionClass={css.caption}
      rows={invitations}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Name', cell: ({ name }) => name },
        { head: 'Role', cell: ({ role }) => roleWords(role) },
        { head: 'Email', cell: ({ email }) => email },
        // How the link reached the therapist, or why it has not arrived.
        {
          head: 'Link',
          cell: ({ message }) => (
            <>
              {linkWords(message)}
              {message?.fault == null ? null : <span className={css.fault}>{message.fault}</span>}
            </>
          ),
        },
        { head: 'Valid until', cell: ({ expires_at }) => wallWords(expires_at) },
        {
          head: 'Actions',
          unseen: true,
          td: () => ({ className: table.actions }),
          cell: (invitation) => (
            <>
              <Button size="sm" onClick={() => onNewLink(invitation)}>
                New Link…<span className="sr"> for {invitation.name}</span>
              </Button>
              <Button size="sm" single onClick={() => withdraw(invitation.id, invitation.name)}>
                Withdraw<span className="sr">{` the invitation for ${invitation.name}`}</span>
              </Button>
            </>
          ),
        },
      ]}
    />
  );
}
