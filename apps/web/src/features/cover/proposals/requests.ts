import type { ActionsBody, BackedUpTherapists, BodyOf, Conflict, proposalsEndpoints } from '@clinic/contract';
import { defaultLocation, isLocation, mapValues, type Location } from '@clinic/domain';
import { receivedOf } from '../../../shared/api/whole-proposal.ts';
import { conflictAbout } from './mix.ts';
import { DEFAULT_OPTION, type Choices, type ProposalState } from './model.ts';
import { cellView } from './table.ts';

/** Pure functions that build the modal's requests from its state. */

type RefreshBody = BodyOf<typeof proposalsEndpoints.refresh>;

/** The therapist that a coordinator chose for a cell. */
export type Chosen = NonNullable<RefreshBody['choose']>;

/** What a refresh sends (SOL-09): the given pins, or Refresh Mode's pins. */
export function refreshBody(state: ProposalState, pins: Choices = state.pins, choose?: Chosen): RefreshBody {
  return {
    output: { possible_solutions: receivedOf(state.reply).data },
    metadata: receivedOf(state.reply).metadata,
    refreshSelections: selectionsOf(state, pins),
    message: '',
    ...(choose ? { choose } : {}),
  };
}

const selectionsOf = (state: ProposalState, pins: Choices): RefreshBody['refreshSelections'] =>
  state.dates.flatMap((date) => Object.entries(pins[date] ?? {}).map(([client, option]) => ({ date, client, option })));

/** The choices of all clients without a conflict. A refresh after a conflict keeps them. */
export function unaffectedChoices(state: ProposalState): Choices {
  return Object.fromEntries(
    state.dates.map((date) => [
      date,
      Object.fromEntries(
        Object.entries(state.choices[date] ?? {}).filter(([client, option]) => {
          const cells = Object.entries(state.reply.data[date]?.[client]?.[option] ?? {});
          return !state.conflicts.some(
            (c) =>
              isAboutClient(c, date, client) ||
              cells.some(([slot, cell]) => conflictAbout(c, date, client, cellView(slot, cell))),
          );
        }),
      ),
    ]),
  );
}

const isAboutClient = (c: Conflict, date: string, client: string): boolean => c.date === date && c.client === client;

/**
 * The location of a commit (SOL-15): the first valid location among the saved choice, the selector, the results and
 * the metadata, otherwise the fallback. If the result is null, nothing is sent and a message says so.
 */
export function submitLocation(
  from: { saved: string | null; selector: string | undefined; results: unknown; metadata: unknown },
  fallback: Location | null = defaultLocation(),
): Location | null {
  return [from.saved, from.selector, from.results, from.metadata].find(isLocation) ?? fallback;
}

/**
 * The body of a commit (SOL-13, SOL-16). A client with no slot in the chosen option is sent without slots, but with
 * the option's branch.
 */
export function actionsBody(
  state: ProposalState,
  location: Location,
  backedUp: BackedUpTherapists | null,
): ActionsBody {
  const { data, metadata } = receivedOf(state.reply);
  const full: ActionsBody['selectedOptionsFullData'] = {};
  for (const date of state.dates) {
    full[date] = mapValues(state.choices[date] ?? {}, (optionName, clientName) => ({
      optionName,
      clientName,
      branch_state: branchOf(state, date, clientName, optionName),
      timeSlots: data[date]?.[clientName]?.[optionName] ?? {},
    }));
  }
  return {
    selectedOptions: Object.fromEntries(state.dates.map((date) => [date, { ...state.choices[date] }])),
    selectedOptionsFullData: full,
    solutions: data,
    metadata: { ...metadata, location, day: metadata.day || (state.dates[0] ?? '') },
    backed_up_therapists: backedUp,
  };
}

/**
 * The branch of a client's option. For a client with no slot in that option, returns the branch of another client in
 * the same option on that date.
 */
function branchOf(state: ProposalState, date: string, client: string, option: string): string {
  const clients = state.reply.data[date] ?? {};
  const own = Object.values(clients[client]?.[option] ?? {})[0];
  if (own) return own.branch_state;
  for (const options of Object.values(clients)) {
    const cell = Object.values(options[option] ?? {})[0];
    if (cell) return cell.branch_state;
  }
  return '';
}

/**
 * Returns a function that gives each commit its key. The same choice of the same proposal always gets the same key, so
 * that submitting again writes nothing twice.
 */
export function createSubmitKeys(newKey: () => string): (state: ProposalState) => string {
  const keys = new Map<string, string>();
  return (state) => {
    const { proposal, revision } = state.reply.metadata;
    const of = JSON.stringify([proposal, revision, state.choices]);
    const key = keys.get(of) ?? newKey();
    keys.set(of, key);
    return key;
  };
}

/** The pins, plus one for the client for whom a therapist was chosen. */
export const withChosen = (pins: Choices, { date, client }: Chosen): Choices => ({
  ...pins,
  [date]: { ...pins[date], [client]: DEFAULT_OPTION },
});

/** Whether anything was chosen or refreshed. If not, solving again would give the same options. */
export const hasMade = (state: ProposalState): boolean =>
  state.refreshed || Object.values(madeChoices(state)).some((clients) => Object.keys(clients).length > 0);

/** What the coordinator has chosen or pinned. It is kept when the day changes. */
export function madeChoices(state: ProposalState): Choices {
  return Object.fromEntries(
    state.dates.map((date) => [
      date,
      {
        ...Object.fromEntries(Object.entries(state.choices[date] ?? {}).filter(([, o]) => o !== DEFAULT_OPTION)),
        ...state.pins[date],
      },
    ]),
  );
}
