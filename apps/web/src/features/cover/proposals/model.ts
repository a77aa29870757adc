import type { Conflict, OfferedCell, OfferedOptions, ProposalReply } from '@clinic/contract';
import { mapValues } from '@clinic/domain';
import type { ShownProposal } from '../../../shared/api/whole-proposal.ts';
import { datesOf, optionNames } from './table.ts';

/**
 * The state of the options modal: what was proposed, what is chosen, and the mode. A pure reducer; table.ts and
 * mix.ts work out what is shown, and requests.ts what is sent.
 */
export type Mode = 'submit' | 'refresh';
/** The chosen option, by date and client. */
export type Choices = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface ProposalState {
  readonly reply: ShownProposal;
  /** The dates, sorted (SOL-08). */
  readonly dates: readonly string[];
  readonly dateIndex: number;
  readonly mode: Mode;
  /** In Submit Mode: the option chosen for every client and date (SOL-07). */
  readonly choices: Choices;
  /** In Refresh Mode: the options that must stay. */
  readonly pins: Choices;
  /** The pins that the last refresh kept. */
  readonly pinned: Choices;
  /** The client whose choice is the newest, by date; *Change these too* leaves that choice as it is if possible. */
  readonly last: Readonly<Record<string, string>>;
  /** The conflicts that the server reported: choices that no longer fit the calendar. A refresh clears them. */
  readonly conflicts: readonly Conflict[];
  /** The server's message about the newest options; may be empty. */
  readonly message: string;
  /** Whether there has been a refresh since the modal opened (SOL-18). */
  readonly refreshed: boolean;
  /**
   * `finding`: these are the first options, and the others are still being found; `longer`: time ran out, and the
   * coordinator has asked to look longer. `ended`: the others could not be found, or are not shown because they would
   * change what was chosen.
   */
  readonly more?: 'finding' | 'longer' | 'ended' | undefined;
}

export type ProposalAction =
  | { type: 'mode'; mode: Mode }
  | { type: 'pick'; client: string; option: string }
  | { type: 'pick-all'; option: string }
  /** The other choices that must change to resolve the conflicts. */
  | { type: 'change-too'; changes: Choices }
  | { type: 'date'; index: number }
  | { type: 'conflicts'; conflicts: readonly Conflict[] }
  /** All options, which replace the first ones; null if they could not be found. */
  | { type: 'more'; reply: ProposalReply | null }
  | { type: 'look-longer' }
  | { type: 'refreshed'; reply: ProposalReply; message: string; pinned: Choices; keep?: boolean };

export const DEFAULT_OPTION = 'Option 1';

/** Chooses Option 1 for every client on every date. */
export function defaultChoices(data: OfferedOptions): Choices {
  return Object.fromEntries(
    datesOf(data).map((date) => [
      date,
      Object.fromEntries(Object.keys(data[date] ?? {}).map((client) => [client, DEFAULT_OPTION])),
    ]),
  );
}

/** The state of a modal that has just opened, on its first date (SOL-08). */
export function openProposal(reply: ProposalReply): ProposalState {
  const { chosen } = reply.metadata;
  // A therapist chosen on the calendar or in the call list stays pinned.
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
    more: reply.metadata.more === true ? 'finding' : undefined,
  };
}

export const currentDate = (state: ProposalState): string | undefined => state.dates[state.dateIndex];

/** What a click changes: the choices in Submit Mode, the pins in Refresh Mode. */
export const selectionOf = (state: ProposalState): Choices => (state.mode === 'submit' ? state.choices : state.pins);

export function proposalReducer(state: ProposalState, action: ProposalAction): ProposalState {
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
    case 'change-too':
      return Object.entries(action.changes).reduce(
        (next, [date, clients]) => withSelection(next, date, { ...selectionOf(next)[date], ...clients }),
        state,
      );
    case 'date':
      return action.index === state.dateIndex || state.dates[action.index] === undefined
        ? state
        : { ...state, dateIndex: action.index };
    case 'conflicts':
      return { ...state, conflicts: [...state.conflicts, ...action.conflicts] };
    case 'more':
      return withMore(state, action.reply);
    case 'look-longer':
      return mayLookLonger(state) ? { ...state, more: 'longer' } : state;
    case 'refreshed':
      // After a refresh: first date, Submit Mode, Option 1 for everyone, nothing selected (SOL-08, SOL-10).
      return {
        ...openProposal(action.reply),
        pinned: action.pinned,
        // If a therapist was chosen for a cell, the pins stay, so that the next choice keeps them too. Every new option
        // has the same sessions for the pinned clients, so it does not matter which option is pinned; Option 1 is used.
        pins: action.keep ? inFirstOption(action.pinned, action.reply.data) : {},
        message: action.message,
        refreshed: true,
      };
  }
}

/**
 * Shows all options in place of the first ones. If the first options are among them, everything chosen stays.
 * Otherwise, for example because the day has changed, the new options are shown only if nothing was chosen yet.
 */
function withMore(state: ProposalState, reply: ProposalReply | null): ProposalState {
  if (!isFinding(state)) return state;
  // Those who looked longer and found nothing may look once more.
  if (state.more === 'longer' && !reply) return { ...state, more: undefined };
  if (reply && contains(reply, state.reply)) {
    const opened = openProposal(reply);
    const choices = mapValues(opened.choices, (clients, date) => ({ ...clients, ...state.choices[date] }));
    return { ...state, reply, dates: opened.dates, dateIndex: indexOf(opened, state), choices, more: undefined };
  }
  const untouched =
    state.mode === 'submit' &&
    state.conflicts.length === 0 &&
    JSON.stringify(state.choices) === JSON.stringify(defaultChoices(state.reply.data));
  if (!reply || !untouched) return { ...state, more: 'ended' };
  const opened = openProposal(reply);
  return { ...opened, dateIndex: indexOf(opened, state) };
}

/** Whether more options may arrive. */
export const isFinding = ({ more }: ProposalState): boolean => more === 'finding' || more === 'longer';

/** Whether looking longer could find more. After a refresh or a choice, the day's options would not keep what was kept. */
export const mayLookLonger = ({ more, reply, refreshed }: ProposalState): boolean =>
  more === undefined && (reply.metadata.unfinished ?? []).length > 0 && !refreshed && !reply.metadata.chosen;

/** What is known of further options on a date, besides `ProposalState.more`: `unfinished` when time ran out. */
export type More = ProposalState['more'] | 'unfinished';

export const moreOn = ({ more, reply }: ProposalState, date: string | null): More =>
  more ?? (date !== null && reply.metadata.unfinished?.includes(date) ? 'unfinished' : undefined);

const indexOf = ({ dates }: ProposalState, shown: ProposalState): number =>
  Math.max(0, dates.indexOf(currentDate(shown) ?? ''));

/** Whether a proposal offers everything that the earlier one offers, under the same names. */
function contains(reply: ProposalReply, earlier: ProposalReply): boolean {
  return Object.entries(earlier.data).every(([date, clients]) =>
    Object.entries(clients).every(([client, options]) =>
      Object.entries(options).every(([option, cells]) => isSamePlan(cells, reply.data[date]?.[client]?.[option] ?? {})),
    ),
  );
}

type Cells = Readonly<Record<string, OfferedCell>>;

/**
 * Whether a client's sessions are the same in both. The later cells may add sessions that stay as booked: once an option
 * changes a session, it has a cell in every option.
 */
function isSamePlan(earlier: Cells, later: Cells): boolean {
  return (
    Object.keys(earlier).every((slot) => Object.hasOwn(later, slot)) &&
    Object.entries(later).every(([slot, cell]) => {
      const before = Object.hasOwn(earlier, slot) ? earlier[slot] : undefined;
      return before ? plain(before) === plain(cell) : cell.status === 'Scheduled';
    })
  );
}

/** A cell without the part that names the proposal, as text. */
const plain = ({ branch_state: _, ...cell }: OfferedCell): string => JSON.stringify(cell);

const inFirstOption = (pinned: Choices, data: OfferedOptions): Choices =>
  mapValues(pinned, (clients, date) =>
    Object.fromEntries(
      Object.keys(clients)
        .filter((client) => Object.hasOwn(data[date] ?? {}, client))
        .map((client) => [client, DEFAULT_OPTION]),
    ),
  );

function pick(state: ProposalState, client: string, option: string): ProposalState {
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

function withSelection(state: ProposalState, date: string, clients: Readonly<Record<string, string>>): ProposalState {
  return state.mode === 'submit'
    ? { ...state, choices: { ...state.choices, [date]: clients } }
    : { ...state, pins: { ...state.pins, [date]: clients } };
}

/** How many clients are pinned, over all dates. */
export const pinCount = (state: ProposalState): number =>
  Object.values(state.pins).reduce((sum, clients) => sum + Object.keys(clients).length, 0);
