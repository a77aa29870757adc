import type { Invitation } from '@clinic/contract';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { DataTable } from '../../../shared/ui/data-table.tsx';
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
