import type { BrokenSessions } from '@clinic/contract';
import { AlertDialog } from '../../../shared/ui/dialog.tsx';
import { SessionList } from './session-list.tsx';
import css from './profile-form.module.css';

/** Shown before a save: the upcoming sessions it would break, and a button to save anyway. */
export function BrokenSessionsAlert({
  broken,
  who,
  onSave,
  onKeep,
}: {
  broken: BrokenSessions;
  /** Which side's names the list shows. */
  who: 'client' | 'therapist';
  onSave: () => void;
  onKeep: () => void;
}) {
  const { total, sessions } = broken;
  const more = total - sessions.length;
  return (
    <AlertDialog
      title={
        total === 1
          ? '1 upcoming session no longer fits.'
          : `${total.toLocaleString('en-US')} upcoming sessions no longer fit.`
      }
      width="46rem"
      onClose={onKeep}
      keep="Keep editing"
      acts={[{ text: 'Save anyway', run: onSave }]}
    >
      <div className={css.gap}>
        <p className="muted">
          Nothing is saved yet. If you save, {total === 1 ? 'it stays' : 'they stay'} as booked until you change{' '}
          {total === 1 ? 'it' : 'them'} in the calendar.
        </p>
        <SessionList label="Sessions that no longer fit" sessions={sessions} who={who} />
        {more > 0 ? <p className="small muted">and {more.toLocaleString('en-US')} more.</p> : null}
      </div>
    </AlertDialog>
  );
}
