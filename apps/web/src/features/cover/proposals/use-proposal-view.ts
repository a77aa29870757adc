import { useDeferredValue, useMemo } from 'react';
import { parseDate } from '@clinic/domain';
import { metadataDetails } from '../../../shared/api/whole-replies.ts';
import { allClashes, whyNotSubmit } from './consistency.ts';
import { clashCells, clashesOf, conflictCells, mixFigures, needDecision, settlement } from './mix.ts';
import { currentDate, selectionOf, type ProposalState } from './model.ts';
import { changedAgain, emptyMessage, tableOf } from './table.ts';

const NOTHING: Readonly<Record<string, string>> = {};
const NO_CELLS: ReadonlySet<string> = new Set();
const NO_CONFLICTS: ReadonlyMap<string, string> = new Map();

/** What the modal shows: the table of the current date, its clashes and conflicts, and what needs a decision. */
export function useProposalView(state: ProposalState) {
  const { data, metadata } = state.reply;
  const details = useMemo(() => metadataDetails(metadata), [metadata]);
  const date = parseDate(currentDate(state) ?? '');
  const empty = emptyMessage(data, date ?? undefined);
  const table = useMemo(
    () => (date && empty === null ? tableOf(data, details, date) : null),
    [data, details, date, empty],
  );
  const selection = (date ? selectionOf(state)[date] : undefined) ?? NOTHING;
  const choice = (date ? state.choices[date] : undefined) ?? NOTHING;
  const claims = date ? details.claims[date] : undefined;
  const clashes = useMemo(() => clashesOf(claims, selection), [claims, selection]);
  const clashing = useMemo(() => (table ? clashCells(table, clashes) : NO_CELLS), [table, clashes]);
  const conflicts = useMemo(
    () => (table ? conflictCells(table, state.conflicts) : NO_CONFLICTS),
    [table, state.conflicts],
  );
  const decisions = useMemo(
    () => (table ? needDecision(table, choice, clashesOf(claims, choice), conflicts) : []),
    [table, choice, claims, conflicts],
  );
  const again = useMemo(() => (table ? changedAgain(table).length : 0), [table]);
  const pinned = date ? state.pinned[date] : undefined;
  const kept = useMemo(() => new Set(Object.keys(pinned ?? NOTHING)), [pinned]);
  const figures = useMemo(() => (table ? mixFigures(table, choice) : null), [table, choice]);
  const whyNot = useMemo(() => whyNotSubmit(state, allClashes(state)), [state]);

  // Settling a clash may try hundreds of mixes, so it is deferred until the result of the click has been rendered.
  const settled = useDeferredValue(clashes.length > 0 ? selection : NOTHING);
  const last = date ? state.last[date] : undefined;
  const remedy = useMemo(() => {
    if (!table || !claims || settled === NOTHING) return null;
    const options = table.columns.filter((c) => c.real).map((c) => c.name);
    const changes = settlement(claims, settled, last, options);
    return changes && Object.keys(changes).length > 0 ? changes : null;
  }, [table, claims, settled, last]);

  return {
    date,
    empty,
    table,
    selection,
    kept,
    clashes,
    clashing,
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
