import type { MixChoices } from '@clinic/domain';
import { isolated } from '../../../../shared/isolated.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { Icon } from '../../../../shared/ui/icon.tsx';
import { faultWords, settlementWords } from '../mix.ts';
import type { ProposalView } from '../use-proposal-view.ts';
import css from './clash-bar.module.css';

/** Shows the first conflict between the choices and how to resolve it, with a button that resolves it. */
export function ClashBar({ view, onChange }: { view: ProposalView; onChange: (changes: MixChoices) => void }) {
  const { table, faults, remedy } = view;
  const [first] = faults;
  if (!first || !table) return null;
  const { what, why } = faultWords(first);
  const more = faults.length - 1;
  return (
    <div className={css.bar}>
      <Icon name="warn" />
      <p role="alert">
        <b>{isolated(what)}</b> {isolated(why)}
        {more > 0 ? <span className="muted">{` And ${more} more.`}</span> : null}
      </p>
      {remedy === null ? null : (
        <>
          <span className={css.remedy}>{isolated(settlementWords(table, remedy.changes))}</span>
          <Button onClick={() => onChange(remedy.changes)}>
            {remedy.keepsNewest ? 'Change these too' : 'Change these'}
          </Button>
        </>
      )}
    </div>
  );
}
