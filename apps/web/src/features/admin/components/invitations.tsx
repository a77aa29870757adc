import type { Invitation } from '@clinic/contract';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { Button } from '../../../shared/ui/button.tsx';
import table from '../../../shared/ui/table.module.css';
import { toast } from '../../../shared/ui/toast.tsx';
import { withdrawInvitation } from '../api/use-admin.ts';
import { linkWords, roleWords, wallWords } from '../model.ts';
import css from './admin.module.css';

/** People who have been invited but have not used their link yet. Renders nothing when there are none. */
export function Invitations({
  invitations,
  onNewLink,
}: {
  invitations: readonly Invitation[];
  onNewLink: (invitation: Invitation) => void;
}) {
  if (invitations.length === 0) return null;
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
          <th scope="col">Name</th>
          <th scope="col">Role</th>
          <th scope="col">Email</th>
          <th scope="col">Link</th>
          <th scope="col">Valid until</th>
          <th scope="col">
            <span className="sr">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {invitations.map((invitation) => (
          <tr key={invitation.id}>
            <td>{invitation.name}</td>
            <td>{roleWords(invitation.role)}</td>
            <td>{invitation.email}</td>
            <td>
              <Link message={invitation.message} />
            </td>
            <td>{wallWords(invitation.expires_at)}</td>
            <td className={table.actions}>
              <Button size="sm" onClick={() => onNewLink(invitation)}>
                New Link…<span className="sr"> for {invitation.name}</span>
              </Button>
              <Button size="sm" single onClick={() => withdraw(invitation.id, invitation.name)}>
                Withdraw<span className="sr">{` the invitation for ${invitation.name}`}</span>
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How the link reached the therapist, or why it has not arrived. */
function Link({ message }: Pick<Invitation, 'message'>) {
  return (
    <>
      {linkWords(message)}
      {message === null || message.fault === null ? null : <span className={css.fault}>{message.fault}</span>}
    </>
  );
}
