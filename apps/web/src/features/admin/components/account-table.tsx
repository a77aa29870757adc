import type { Account } from '@clinic/contract';
import { Button } from '../../../shared/ui/button.tsx';
import { ActiveChip } from '../../../shared/ui/active-chip.tsx';
import table from '../../../shared/ui/table.module.css';
import { placesWords, roleWords } from '../model.ts';

export function AccountTable({
  accounts,
  onEdit,
}: {
  accounts: readonly Account[];
  onEdit: (account: Account) => void;
}) {
  return (
    <table className={table.table}>
      <caption className="sr">Accounts</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Email</th>
          <th scope="col">Role</th>
          <th scope="col">Locations</th>
          <th scope="col">Status</th>
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
              <ActiveChip unless={account.disabled && 'Disabled'} />
            </td>
            <td className={table.actions}>
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
