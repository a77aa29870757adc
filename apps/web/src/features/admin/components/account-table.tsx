import type { Account } from '@clinic/contract';
import { Button } from '../../../shared/ui/button.tsx';
import { ActiveChip } from '../../../shared/ui/active-chip.tsx';
import { DataTable } from '../../../shared/ui/data-table.tsx';
import table from '../../../shared/ui/table.module.css';
import { placesWords, roleWords } from '../model.ts';

export const AccountTable = (props: { accounts: readonly Account[]; onEdit: (account: Account) => void }) => (
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
