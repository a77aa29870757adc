import { Button } from '../../../../shared/ui/button.tsx';
import { EmptyState } from '../../../../shared/ui/states.tsx';
import type { ToTell } from '../api/use-ways.ts';
import type { Mode, More } from '../model.ts';
import type { ProposalView } from '../use-proposal-view.ts';
import type { CellPlace } from '../table.ts';
import { OptionTable } from './option-table.tsx';

/** The current date's options, for all clients or those that need a decision, or a message when there are none. */
export function ProposalTable({
  view,
  toTell,
  mode,
  more,
  filtered,
  why,
  onPick,
  onAll,
  onLonger,
  onWhy,
  onShowAll,
}: {
  view: ProposalView;
  toTell: ToTell;
  mode: Mode;
  more: More;
  /** The clients who needed a decision when the filter was switched on; null while it is off. */
  filtered: readonly string[] | null;
  /** The cell whose *Why?* is open. */
  why: CellPlace | null;
  onPick: (client: string, option: string) => void;
  onAll: (option: string) => void;
  /** Looks longer for options that were not found in time; null if that would not help. */
  onLonger: (() => void) | null;
  onWhy: (cell: CellPlace, button: HTMLElement) => void;
  onShowAll: () => void;
}) {
  const { table } = view;
  if (!table) return <EmptyState title={view.empty ?? ''}>No one’s day needs to change.</EmptyState>;
  // While the filter is on, a client stays in the table even after the decision is made, so that no row disappears
  // under the pointer.
  const shown = filtered && new Set([...filtered, ...view.decisions]);
  const blocks = shown ? table.blocks.filter((block) => shown.has(block.client)) : table.blocks;
  if (blocks.length === 0)
    return (
      <EmptyState title="Nothing needs a decision" action={<Button onClick={onShowAll}>Show all clients</Button>}>
        The option chosen for each client covers all of their sessions.
      </EmptyState>
    );
  return (
    <OptionTable
      table={table}
      toTell={toTell}
      blocks={blocks}
      mode={mode}
      more={more}
      picked={view.selection}
      kept={view.kept}
      faulty={view.faulty}
      conflicts={view.conflicts}
      why={why}
      onPick={onPick}
      onAll={onAll}
      onLonger={onLonger}
      onWhy={onWhy}
    />
  );
}
