import type { CallsReply } from '@clinic/contract';
import type { CallDay } from '../api/use-calls.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { toast } from '../../../../shared/ui/toast.tsx';
import { sendRelease } from '../api/use-calls.ts';
import { useAct } from '../../../../shared/use-act.ts';

/**
 * Sends a message to everyone on the list who can receive one. Shows *Email is not set up* when the server cannot send
 * messages.
 */
export function ReleaseButton({ sending, location, date }: CallDay & { sending: CallsReply['sending'] }) {
  const { busy, act } = useAct('the list');
  if (!sending.email && !sending.text) return <span className="small muted">Email is not set up</span>;
  const release = (): void =>
    act(
      () => sendRelease({ location, date }),
      () => toast({ text: 'Released. Each line shows the status of its message.' }),
    );
  return (
    <Button data-writes unavailable={busy || sending.to_release === 0} onClick={release}>
      Release{sending.to_release > 0 ? ` (${sending.to_release})` : ''}
    </Button>
  );
}
