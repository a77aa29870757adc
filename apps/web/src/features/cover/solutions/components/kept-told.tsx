import type { ProposalMetadata } from '@clinic/contract';
import { Segmented } from '../../../../shared/ui/segmented.tsx';
import { KEEP_TOLD, SOLVE_ANEW, type Keep } from '../../keep.ts';
import css from '../solutions-modal.module.css';

const CHOICES = [
  { value: 'told', label: KEEP_TOLD },
  { value: 'nothing', label: SOLVE_ANEW },
] as const satisfies readonly { value: Keep; label: string }[];

/** Once people were told of a day, its options keep what they were told, unless everything is solved again. */
export function KeptTold({
  told,
  busy,
  onSolve,
}: {
  told: NonNullable<ProposalMetadata['told']>[string] | undefined;
  busy: boolean;
  onSolve: (keep: Keep) => void;
}) {
  if (!told) return null;
  const value = told.kept ? 'told' : 'nothing';
  return (
    <div className={css.told}>
      <Segmented
        label="After the first call"
        value={value}
        options={CHOICES}
        onChange={(keep) => {
          if (!busy && keep !== value) onSolve(keep);
        }}
      />
      <span className="small muted" role="status">
        {busy ? 'Finding options…' : toldWords(told)}
      </span>
    </div>
  );
}

const toldWords = ({ people, kept }: { people: number; kept: boolean }): string => {
  const who = people === 1 ? '1 person was told' : `${people} people were told`;
  return kept ? `${who}: the options change the rest` : `${who}: some may have to be told again`;
};
