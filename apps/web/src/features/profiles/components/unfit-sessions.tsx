import type { UnfitSessions } from '@clinic/contract';
import { AlertDialog } from '../../../shared/ui/dialog.tsx';
import { SessionList } from './session-list.tsx';
import css from './profile-form.module.css';

/** Asks, before a profile is saved, whether to find cover for the future sessions that would no longer fit. */
export function UnfitSessionsAlert({
  unfit,
  who,
  onCover,
  onSave,
  onKeep,
}: {
  unfit: UnfitSessions;
  /** Whose names the list shows: the clients' or the therapists'. */
  who: 'client' | 'therapist';
  onCover: (unfit: UnfitSessions) => void;
  /** Saves the profile and leaves the sessions as they are. */
  onSave: () => void;
  onKeep: () => void;
}) {
  const { total, sessions } = unfit;
  const more = total - sessions.length;
  return (
    <AlertDialog
      title={
        total === 1
          ? '1 upcoming session no longer fits. Save, and find cover for it?'
          : `${total.toLocaleString('en-US')} upcoming sessions no longer fit. Save, and find cover for them?`
      }
      width="46rem"
      onClose={onKeep}
      keep="Keep editing"
      acts={[
        { text: 'Save and find cover', run: () => onCover(unfit) },
        { text: 'Save without changing sessions', run: onSave },
      ]}
    >
      <div className={css.gap}>
        <p className="muted">
          Nothing is saved yet. Finding cover takes the therapist off {total === 1 ? 'this session' : 'these sessions'}.
          Otherwise {total === 1 ? 'it stays' : 'they stay'} as booked.
        </p>
        <SessionList label="Sessions that no longer fit" sessions={sessions} who={who} />
        {more > 0 ? <p className="small muted">and {more.toLocaleString('en-US')} more.</p> : null}
      </div>
    </AlertDialog>
  );
}
