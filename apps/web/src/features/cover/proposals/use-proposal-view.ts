import { useDeferredValue, useMemo, type Dispatch } from 'react';
import { findFaults, parseDate, type MixChoices } from '@clinic/domain';
import { metadataDetails } from '../../../shared/api/whole-proposal.ts';
import { factsOf, whyNotSubmit } from './consistency.ts';
import { conflictCells, faultCells, mixFigures, needDecision, settlement } from './mix.ts';
import { currentDate, isFinding, moreOn, selectionOf, type ProposalAction, type ProposalState } from './model.ts';
import type { ProposalSending } from './use-proposal-sending.ts';
import { changedAgain, emptyMessage, optionNames, tableOf } from './table.ts';

const NOTHING: Readonly<Record<string, string>> = {};
const NOTHING_CHOSEN: MixChoices = {};
const NO_CELLS: ReadonlyMap<string, string> = new Map();

/**
 * What the modal shows: the table of the current date, the choices that conflict or no longer fit, and what needs a
 * decision.
 */
export function useProposalView(state: ProposalState) {
  const { data, metadata } = state.reply;
  const details = useMemo(() => metadataDetails(metadata), [metadata]);
  const date = parseDate(currentDate(state) ?? '');
  const empty = emptyMessage(data, date ?? undefined);
  const room = isFinding(state) ? 'all' : moreOn(state, date) === 'unfinished' ? 'next' : 'found';
  const table = useMemo(
    () => (date && empty === null ? tableOf(data, details, date, room) : null),
    [data, details, date, empty, room],
  );
  const selection = (date ? selectionOf(state)[date] : undefined) ?? NOTHING;
  const choice = (date ? state.choices[date] : undefined) ?? NOTHING;
  const facts = useMemo(() => factsOf(metadata), [metadata]);
  const selections = selectionOf(state);
  const faults = useMemo(
    () => findFaults(facts, selections).filter(({ choices }) => choices.some((each) => each.date === date)),
    [facts, selections, date],
  );
  const faulty = useMemo(() => (table ? faultCells(table, faults) : NO_CELLS), [table, faults]);
  const conflicts = useMemo(() => (table ? conflictCells(table, state.conflicts) : NO_CELLS), [table, state.conflicts]);
  const ofChoices = useMemo(() => findFaults(facts, state.choices), [facts, state.choices]);
  const decisions = useMemo(
    () => (table ? needDecision(table, choice, ofChoices, conflicts) : []),
    [table, choice, ofChoices, conflicts],
  );
  const again = useMemo(() => (table ? changedAgain(table).length : 0), [table]);
  const pinned = date ? state.pinned[date] : undefined;
  const kept = useMemo(() => new Set(Object.keys(pinned ?? NOTHING)), [pinned]);
  const figures = useMemo(() => (table ? mixFigures(table, choice) : null), [table, choice]);
  const whyNot = useMemo(() => whyNotSubmit(state, ofChoices), [state, ofChoices]);

  // Resolving the conflicts may try hundreds of mixes, so it is deferred until the result of the click has been
  // rendered.
  const settled = useDeferredValue(faults.length > 0 ? selections : NOTHING_CHOSEN);
  const last = date ? state.last[date] : undefined;
  const remedy = useMemo(() => {
    if (date === null || settled === NOTHING_CHOSEN) return null;
    const options = Object.fromEntries(Object.keys(settled).map((each) => [each, optionNames(data, each)]));
    const found = settlement(facts, settled, { date, client: last }, options);
    return found && Object.keys(found.changes).length > 0 ? found : null;
  }, [facts, data, settled, date, last]);

  return {
    date,
    empty,
    table,
    /** Each client's option: the chosen one in Submit Mode, the pinned one in Refresh Mode. */
    selection,
    /** The clients whose choice the last refresh kept. */
    kept,
    faults,
    /** The cells that cause conflicts between choices, and what is wrong with each. */
    faulty,
    conflicts,
    decisions,
    figures,
    whyNot,
    remedy,
    /** How many sessions changed by an earlier commit would change again in at least one option. */
    again,
  };
}

export type ProposalView = ReturnType<typeof useProposalView>;

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

/** What every part of the modal reads. */
export interface Shown {
  state: ProposalState;
  dispatch: Dispatch<ProposalAction>;
  view: ProposalView;
  filter: ProposalFilter;
  /** The id of the panel that holds the table. */
  panel: string;
  sending: ProposalSending;
}
