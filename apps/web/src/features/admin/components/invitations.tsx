import { failureWords } from '../../../shared/api/failure-words.ts';
import { Button } from '../../../shared/ui/button.tsx';
import table from '../../../shared/ui/table.module.css';
import { toast } from '../../../shared/ui/toast.tsx';
import { useInvitations, withdrawInvitation } from '../api/use-admin.ts';
import { wallWords } from '../model.ts';
import css from './admin.module.css';

/** Therapists who have been invited but have not used their link yet. Renders nothing when there are none. */
export function Invitations() {
  const { data } = useInvitations();
  if (!data || data.length === 0) return null;
  const withdraw = (id: string, name: string): void => {
    withdrawInvitation(id).then(
      () => toast({ text: `The link for ${name} no longer works` }),
      (error: unknown) => toast({ tone: 'warn', text: failureWords(error, 'the list') }),
    );
  };
  return (
    <table className={table.table}>
      <caption className={css.caption}>Invited</caption>
      <thead>
        <tr>
          <th scope="col">Therapist</th>
          <th scope="col">Email</th>
          <th scope="col">Link works until</th>
          <th scope="col">
            <span className="sr">Withdraw</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {data.map(({ id, name, email, expires_at }) => (
          <tr key={id}>
            <td>{name}</td>
            <td>{email}</td>
            <td>{wallWords(expires_at)}</td>
            <td className={css.right}>
              <Button size="sm" onClick={() => withdraw(id, name)}>
                Withdraw<span className="sr"> the invitation of {name}</span>
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
