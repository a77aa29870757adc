import { useCallback, useEffect, useState, type Dispatch, type RefObject } from 'react';
import type { Location } from '@clinic/domain';
import { useToTell } from '../api/use-ways.ts';
import { betterOption } from '../mix.ts';
import { mayLookLonger, moreOn, type ProposalAction, type ProposalState } from '../model.ts';
import css from '../proposal-modal.module.css';
import type { Chosen } from '../requests.ts';
import { piecesAt, type DateTable } from '../table.ts';
import type { ProposalView } from '../use-proposal-view.ts';
import { ProposalTable } from './proposal-table.tsx';
import { WhyPopover, type Why } from './why-popover.tsx';

/** The filter for the table's clients, and functions that change the filter. */
export interface ProposalFilter {
  /** The clients who needed a decision when the filter was switched on; null while it is off. */
  clients: readonly string[] | null;
  /** Switches between all clients and only those who need a decision. */
  toggle: () => void;
  showAll: () => void;
  /** Shows all clients, and scrolls to the first. */
  showFromTop: () => void;
}

/** The box with the current date's options, and the reasons for the cell whose *Why?* is open. */
export function ProposalPanel({
  box,
  id,
  isTab,
  state,
  dispatch,
  view,
  filter,
  location,
  busy,
  onChoose,
}: {
  box: RefObject<HTMLDivElement | null>;
  id: string;
  /** Whether the box is the panel of a date's tab. */
  isTab: boolean;
  state: ProposalState;
  dispatch: Dispatch<ProposalAction>;
  view: ProposalView;
  filter: ProposalFilter;
  location: Location;
  /** Whether choices are being sent. */
  busy: boolean;
  /** Pins this choice and solves everything else again. */
  onChoose: (choice: Chosen) => void;
}) {
  const { date, table, selection } = view;
  const { why, pieces, setWhy } = useWhy(table);
  useFocusOnChosen(box);
  useKeptFocus(box);
  const onPick = useCallback(
    (client: string, option: string) => dispatch({ type: 'pick', client, option }),
    [dispatch],
  );
  const onAll = useCallback((option: string) => dispatch({ type: 'pick-all', option }), [dispatch]);
  const onLonger = useCallback(() => dispatch({ type: 'look-longer' }), [dispatch]);
  return (
    <>
      <div
        ref={box}
        id={id}
        className={css.body}
        {...(isTab ? { role: 'tabpanel', 'aria-labelledby': date ? `${id}-${date}` : undefined } : {})}
        aria-busy={busy}
      >
        <ProposalTable
          view={view}
          toTell={useToTell(state.reply, table?.date ?? null)}
          mode={state.mode}
          more={moreOn(state, date)}
          filtered={filter.clients}
          why={why}
          onPick={onPick}
          onAll={onAll}
          onLonger={mayLookLonger(state) ? onLonger : null}
          onWhy={(cell, button) => setWhy({ ...cell, button })}
          onShowAll={filter.showAll}
        />
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
