import type { Conflict, ProposalReply, Solutions } from '@clinic/contract';
import { datesOf, optionNames } from './table.ts';

/**
 * The state of the Schedule Solutions modal: what was proposed, what is chosen, and the mode. A pure reducer; table.ts
 * and mix.ts work out what is shown, requests.ts what is sent.
 */
export type Mode = 'submit' | 'refresh';
/** Date, then client, then option name. */
export type Choices = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface SolutionsState {
  readonly reply: ProposalReply;
  /** Sorted (SOL-08). */
  readonly dates: readonly string[];
  readonly dateIndex: number;
  readonly mode: Mode;
  /** Submit Mode: every client of every date has a choice (SOL-07). */
  readonly choices: Choices;
  /** Refresh Mode: only what must stay. */
  readonly pins: Choices;
  /** The choices that the last refresh kept. */
  readonly pinned: Choices;
  /** By date: the client chosen last, which *Change these too* leaves alone. */
  readonly last: Readonly<Record<string, string>>;
  /** What no longer fits the calendar, as the server reported; cleared by a refresh. */
  readonly conflicts: readonly Conflict[];
  /** What the last refresh reported about its options; empty for nothing. */
  readonly message: string;
  /** Whether a refresh was done since the modal opened (SOL-18). */
  readonly refreshed: boolean;
}

export type SolutionsAction =
  | { type: 'mode'; mode: Mode }
  | { type: 'pick'; client: string; option: string }
  | { type: 'pick-all'; option: string }
  /** The further choices that settling a clash changes. */
  | { type: 'change-too'; changes: Readonly<Record<string, string>> }
  | { type: 'date'; index: number }
  | { type: 'conflicts'; conflicts: readonly Conflict[] }
  | { type: 'refreshed'; reply: ProposalReply; message: string; pinned: Choices; keep?: boolean };

export const DEFAULT_OPTION = 'Option 1';

/** Option 1 for everyone, on every date. */
export function defaultChoices(data: Solutions): Choices {
  return Object.fromEntries(
    datesOf(data).map((date) => [
      date,
      Object.fromEntries(Object.keys(data[date] ?? {}).map((client) => [client, DEFAULT_OPTION])),
    ]),
  );
}

/** A newly opened modal, at the first of its dates (SOL-08). */
export function openSolutions(reply: ProposalReply): SolutionsState {
  const { chosen } = reply.metadata;
  // Someone chosen on the calendar or in the call list stays pinned, as after a choice in a cell.
  const pinned: Choices = chosen ? { [chosen.date]: { [chosen.client]: DEFAULT_OPTION } } : {};
  return {
    reply,
    dates: datesOf(reply.data),
    dateIndex: 0,
    mode: 'submit',
    choices: defaultChoices(reply.data),
    pins: pinned,
    pinned,
    last: {},
    conflicts: [],
    message: '',
    refreshed: false,
  };
}

export const currentDate = (state: SolutionsState): string | undefined => state.dates[state.dateIndex];

/** What a click changes: choices in Submit Mode, pins in Refresh Mode. */
export const selectionOf = (state: SolutionsState): Choices => (state.mode === 'submit' ? state.choices : state.pins);

export function solutionsReducer(state: SolutionsState, action: SolutionsAction): SolutionsState {
  switch (action.type) {
    case 'mode':
      return state.mode === action.mode ? state : { ...state, mode: action.mode };
    case 'pick':
      return pick(state, action.client, action.option);
    case 'pick-all': {
      const date = currentDate(state);
      if (date === undefined || !optionNames(state.reply.data, date).includes(action.option)) return state;
      const all = Object.keys(state.reply.data[date] ?? {}).map((client) => [client, action.option] as const);
      const { [date]: _, ...last } = state.last;
      return { ...withSelection(state, date, Object.fromEntries(all)), last };
    }
    case 'change-too': {
      const date = currentDate(state);
      return date === undefined
        ? state
        : withSelection(state, date, { ...selectionOf(state)[date], ...action.changes });
    }
    case 'date':
      return action.index === state.dateIndex || state.dates[action.index] === undefined
        ? state
        : { ...state, dateIndex: action.index };
    case 'conflicts':
      return { ...state, conflicts: [...state.conflicts, ...action.conflicts] };
    case 'refreshed':
      // SOL-08, SOL-10: first date, Submit Mode, default choices, nothing selected.
      return {
        ...openSolutions(action.reply),
        pinned: action.pinned,
        // After a choice, what it kept stays pinned for the next one; every option has it, so the first does as well.
        pins: action.keep ? inFirstOption(action.pinned, action.reply.data) : {},
        message: action.message,
        refreshed: true,
      };
  }
}

const inFirstOption = (pinned: Choices, data: Solutions): Choices =>
  Object.fromEntries(
    Object.entries(pinned).map(([date, clients]) => [
      date,
      Object.fromEntries(
        Object.keys(clients)
          .filter((client) => Object.hasOwn(data[date] ?? {}, client))
          .map((client) => [client, DEFAULT_OPTION]),
      ),
    ]),
  );

function pick(state: SolutionsState, client: string, option: string): SolutionsState {
  const date = currentDate(state);
  if (date === undefined || !Object.hasOwn(state.reply.data[date] ?? {}, client)) return state;
  if (!optionNames(state.reply.data, date).includes(option)) return state;
  const now = selectionOf(state)[date] ?? {};
  const chosenAlready = now[client] === option;
  if (state.mode === 'submit') {
    if (chosenAlready) return state;
    return { ...withSelection(state, date, { ...now, [client]: option }), last: { ...state.last, [date]: client } };
  }
  if (!chosenAlready) {
    return { ...withSelection(state, date, { ...now, [client]: option }), last: { ...state.last, [date]: client } };
  }
  const { [client]: _, ...others } = now;
  return withSelection(state, date, others);
}

function withSelection(state: SolutionsState, date: string, clients: Readonly<Record<string, string>>): SolutionsState {
  return state.mode === 'submit'
    ? { ...state, choices: { ...state.choices, [date]: clients } }
    : { ...state, pins: { ...state.pins, [date]: clients } };
}

/** How many clients are pinned, across all dates. */
export const pinCount = (state: SolutionsState): number =>
  Object.values(state.pins).reduce((sum, clients) => sum + Object.keys(clients).length, 0);
