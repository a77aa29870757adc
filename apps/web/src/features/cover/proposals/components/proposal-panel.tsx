import { useCallback, useEffect, useState, type RefObject } from 'react';
import type { Location } from '@clinic/domain';
import { Button } from '../../../../shared/ui/button.tsx';
import { EmptyState } from '../../../../shared/ui/states.tsx';
import { useToTell } from '../api/use-ways.ts';
import { betterOption } from '../mix.ts';
import { mayLookLonger, moreOn } from '../model.ts';
import css from '../proposal-modal.module.css';
import type { Chosen } from '../requests.ts';
import { piecesAt, type DateTable } from '../table.ts';
import type { Shown } from '../use-proposal-view.ts';
import { OptionTable } from './option-table.tsx';
import { WhyPopover, type Why } from './why-popover.tsx';

/** The box with the current date's options, and the reasons for the cell whose *Why?* is open. */
export function ProposalPanel({
  box,
  isTab,
  location,
  onChoose,
  ...shown
}: Shown & {
  box: RefObject<HTMLDivElement | null>;
  /** Whether the box is the panel of a date's tab. */
  isTab: boolean;
  location: Location;
  /** Pins this choice and solves everything else again. */
  onChoose: (choice: Chosen) => void;
}) {
  const { state, dispatch, view, panel: id, sending } = shown;
  const { date, table, selection } = view;
  const busy = sending.busy !== null;
  const { why, pieces, setWhy } = useWhy(table);
  useFocusOnChosen(box);
  useKeptFocus(box);
  const onPick = useCallback(
    (client: string, option: string) => dispatch({ type: 'pick', client, option }),
    [dispatch],
  );
  return (
    <>
      <div
        ref={box}
        id={id}
        className={css.body}
        {...(isTab ? { role: 'tabpanel', 'aria-labelledby': date ? `${id}-${date}` : undefined } : {})}
        aria-busy={busy}
      >
        {table ? (
          <Clients {...shown} table={table} why={why} onPick={onPick} onWhy={setWhy} />
        ) : (
          <EmptyState title={view.empty ?? ''}>No one’s day needs to change.</EmptyState>
        )}
      </div>
      {why && table ? (
        <WhyPopover
          key={`${why.client}\n${why.row}\n${why.option}`}
          why={why}
          pieces={pieces}
          within={box}
          on={{ location, date: table.date }}
          metadata={state.reply.metadata}
          better={betterOption(table, why.client, why.option)}
          mode={state.mode}
          busy={busy}
          onChoose={(slot, one) =>
            onChoose({ date: table.date, client: why.client, option: why.option, time_slot: slot, ...one })
          }
          onUse={(option) => selection[why.client] === option || onPick(why.client, option)}
          onClose={() => setWhy(null)}
        />
      ) : null}
    </>
  );
}

/** The options for all clients or those that need a decision, or a message when there are none. */
function Clients({
  state,
  dispatch,
  view,
  filter,
  table,
  why,
  onPick,
  onWhy,
}: Shown & {
  table: DateTable;
  why: Why | null;
  onPick: (client: string, option: string) => void;
  onWhy: (why: Why) => void;
}) {
  const toTell = useToTell(state.reply, table.date);
  const onAll = useCallback((option: string) => dispatch({ type: 'pick-all', option }), [dispatch]);
  const onLonger = useCallback(() => dispatch({ type: 'look-longer' }), [dispatch]);
  // While the filter is on, a client stays in the table even after the decision is made, so that no row disappears
  // under the pointer.
  const shown = filter.clients && new Set([...filter.clients, ...view.decisions]);
  const blocks = shown ? table.blocks.filter((block) => shown.has(block.client)) : table.blocks;
  if (blocks.length === 0)
    return (
      <EmptyState title="Nothing needs a decision" action={<Button onClick={filter.showAll}>Show all clients</Button>}>
        The option chosen for each client covers all of their sessions.
      </EmptyState>
    );
  return (
    <OptionTable
      view={view}
      table={table}
      toTell={toTell}
      blocks={blocks}
      mode={state.mode}
      more={moreOn(state, table.date)}
      why={why}
      onPick={onPick}
      onAll={onAll}
      onLonger={mayLookLonger(state) ? onLonger : null}
      onWhy={(cell, button) => onWhy({ ...cell, button })}
    />
  );
}

/** The cell whose *Why?* is open, and its pieces. */
function useWhy(table: DateTable | null) {
  const [asked, setWhy] = useState<Why | null>(null);
  const pieces = table && asked ? piecesAt(table, asked) : [];
  const why = pieces.length > 0 ? asked : null;
  // The table may have lost the cell, for example when a refresh has replaced the options.
  if (asked && !why) setWhy(null);
  return { why, pieces, setWhy };
}

/**
 * When the focused element disappears, for example because a refresh has replaced the options, focuses the table's cell
 * that Tab reaches.
 */
function useKeptFocus(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    box.current?.querySelector<HTMLElement>('[data-do="pick"][tabindex="0"]')?.focus({ preventScroll: true });
  });
}

/**
 * When the modal opens, focuses the chosen cell of a session that changes again, or else the first chosen cell, but
 * never a button.
 */
function useFocusOnChosen(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const chosen = '[data-do="pick"][aria-pressed="true"]';
    const again = box.current?.querySelector<HTMLElement>(`tr:has([data-again]) ${chosen}`);
    const first = again ?? box.current?.querySelector<HTMLElement>(chosen);
    if (first) first.dataset['autofocus'] = '';
    // Waits for the dialog's own effect, which shows the dialog: a closed dialog cannot scroll.
    if (again) queueMicrotask(() => again.scrollIntoView({ block: 'nearest' }));
  }, [box]);
}
