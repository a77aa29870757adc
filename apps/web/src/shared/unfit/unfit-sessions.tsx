import { MOST_UNASSIGNED, type UnfitSessions } from '@clinic/contract';
import { AlertDialog } from '../ui/dialog.tsx';
import { SessionList, type Whose } from './session-list.tsx';
import css from './sessions.module.css';

/**
 * Asks, before a profile or a payer is saved, whether to find cover for the future sessions that would no longer fit.
 */
export function UnfitSessionsAlert({
  unfit,
  who,
  onCover,
  onHandover,
  onSave,
  onKeep,
}: {
  unfit: UnfitSessions;
  who: Whose;
  onCover: (unfit: UnfitSessions) => void;
  /** Saves, and leads to who takes over a therapist's sessions for good; left out where the sessions are not one therapist's. */
  onHandover?: ((unfit: UnfitSessions) => void) | undefined;
  /** Saves and leaves the sessions as they are. */
  onSave: () => void;
  onKeep: () => void;
}) {
  const { total, sessions } = unfit;
  const more = total - sessions.length;
  const others = unfit.not_by_cover ?? 0;
  const toCover = total - others;
  const tooMany = toCover > MOST_UNASSIGNED;
  const canCover = toCover > 0 && !tooMany;
  return (
    <AlertDialog
      title={
        total === 1
          ? `1 upcoming session no longer fits. ${canCover ? 'Save, and find cover for it?' : 'Save anyway?'}`
          : `${total.toLocaleString('en-US')} upcoming sessions no longer fit. ${canCover ? `Save, and find cover for ${others > 0 ? toCover.toLocaleString('en-US') : 'them'}?` : 'Save anyway?'}`
      }
      width="46rem"
      onClose={onKeep}
      keep="Keep editing"
      acts={[
        ...(canCover ? [{ text: 'Save and find cover', run: () => onCover(unfit) }] : []),
        ...(onHandover && toCover > 1
          ? [{ text: 'Save and hand them over for good', run: () => onHandover(unfit) }]
          : []),
        { text: 'Save without changing sessions', run: onSave },
      ]}
    >
      <div className={css.gap}>
        <p className="muted">
          {toCover === 0
            ? `Nothing is saved yet. Another therapist would not help here: move or cancel ${total === 1 ? 'this session' : 'these sessions'}, or change the profile back. Until then ${total === 1 ? 'it stays' : 'they stay'} as booked, and Today lists ${total === 1 ? 'it' : 'them'} as wrong.`
            : tooMany
              ? `Nothing is saved yet. Cover can be found for at most ${MOST_UNASSIGNED.toLocaleString('en-US')} sessions at a time, so these stay as booked.`
              : `Nothing is saved yet. Finding cover takes ${who === 'client' ? 'the therapist' : 'their therapists'} off ${total === 1 ? 'this session' : 'these sessions'}. Otherwise ${total === 1 ? 'it stays' : 'they stay'} as booked.`}
        </p>
        {canCover && others > 0 ? (
          <p className="muted">
            {`For ${others === 1 ? '1 of them' : `${others.toLocaleString('en-US')} of them`}, another therapist would not help: ${others === 1 ? 'it stays' : 'they stay'} as booked, and Today lists ${others === 1 ? 'it' : 'them'} as wrong.`}
          </p>
        ) : null}
        <SessionList label="Sessions that no longer fit" sessions={sessions} who={who} />
        {more > 0 ? <p className="small muted">and {more.toLocaleString('en-US')} more.</p> : null}
      </div>
    </AlertDialog>
  );
}
