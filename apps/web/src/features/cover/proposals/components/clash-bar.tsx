import { Button } from '../../../../shared/ui/button.tsx';
import { Icon } from '../../../../shared/ui/icon.tsx';
import { clashWords, settlementWords } from '../mix.ts';
import type { ProposalView } from '../use-proposal-view.ts';
import css from './clash-bar.module.css';

/** Shows the first clash between choices and how to settle it, with a button that does so. */
export function ClashBar({
  view,
  onChange,
}: {
  view: ProposalView;
  onChange: (changes: Readonly<Record<string, string>>) => void;
}) {
  const { table, clashes, remedy } = view;
  const [first] = clashes;
  if (!first || !table) return null;
  const { what, between } = clashWords(first);
  const more = clashes.length - 1;
  return (
    <div className={css.bar}>
      <Icon name="warn" />
      <p role="alert">
        <b>{what}</b> {between}
        {more > 0 ? <span className="muted">{` And ${more} more.`}</span> : null}
      </p>
      {remedy === null ? null : (
        <>
          <span className={css.remedy}>{settlementWords(table, remedy)}</span>
          <Button onClick={() => onChange(remedy)}>Change these too</Button>
        </>
      )}
    </div>
  );
}
