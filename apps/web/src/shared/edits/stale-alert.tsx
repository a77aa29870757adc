import { AlertDialog } from '../ui/dialog.tsx';
import css from './stale-alert.module.css';

/**
 * Shown when someone else has saved first. Nothing was overwritten, and the user's own edits are still in the form; the
 * user chooses which version to keep.
 */
export function StaleAlert({
  name,
  number,
  theirs,
  mine,
  onTheirs,
  onMine,
  onKeep,
}: {
  name: string;
  /** Another number is another question. */
  number: number;
  /** The labels of the fields changed by the other person (`theirs`) and here (`mine`). */
  theirs: readonly string[];
  mine: readonly string[];
  onTheirs: () => void;
  onMine: () => void;
  onKeep: () => void;
}) {
  const both = mine.filter((field) => theirs.includes(field));
  return (
    <AlertDialog
      key={number}
      title={`Someone else saved ${name} in the meantime.`}
      width="36rem"
      onClose={onKeep}
      keep="Keep editing"
      acts={[
        { text: 'Load their version', run: onTheirs },
        { text: 'Save mine', run: onMine },
      ]}
    >
      <div className={css.gap}>
        <p>Nothing was overwritten, and your changes are still in the form.</p>
        <dl className={css.read}>
          <dt>What they changed</dt>
          <dd>{theirs.length > 0 ? theirs.join(', ') : 'Nothing on this form'}</dd>
          <dt>What you changed</dt>
          <dd>{mine.length > 0 ? mine.join(', ') : 'Nothing'}</dd>
        </dl>
        <p className="muted">
          {both.length > 0
            ? `Save mine: your values replace theirs for ${both.join(', ')}. Everything else they changed is kept.`
            : 'Save mine: your changes are saved, and everything they changed is kept.'}{' '}
          Load their version: you lose your changes.
        </p>
      </div>
    </AlertDialog>
  );
}
