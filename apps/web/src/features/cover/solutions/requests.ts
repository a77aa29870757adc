import type { ActionsBody, BackedUpTherapists, BodyOf, Conflict, solutionsEndpoints } from '@clinic/contract';
import { DEFAULT_LOCATION, isLocation, type Location } from '@clinic/domain';
import { conflictAbout } from './mix.ts';
import { DEFAULT_OPTION, type Choices, type SolutionsState } from './model.ts';
import { cellView } from './table.ts';

/** What the modal sends, built from its state. Pure. */

type RefreshBody = BodyOf<typeof solutionsEndpoints.refresh>;

/** A therapist chosen for one cell. */
export type Chosen = NonNullable<RefreshBody['choose']>;

/** SOL-09. Without `pins`, the selections of Refresh Mode are sent. */
export function refreshBody(state: SolutionsState, pins: Choices = state.pins, choose?: Chosen): RefreshBody {
  return {
    output: { possible_solutions: state.reply.data },
    metadata: state.reply.metadata,
    refreshSelections: state.dates.flatMap((date) =>
      Object.entries(pins[date] ?? {}).map(([client, option]) => ({ date, client, option })),
    ),
    message: '',
    ...(choose ? { choose } : {}),
  };
}

/** The choices of every client without a conflict: what a refresh after a conflict keeps. */
export function unaffectedChoices(state: SolutionsState): Choices {
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
 * SOL-15: the first location known: of the saved choice, the selector, the results, the metadata; otherwise the
 * fallback. Null when none is known: then nothing is sent, and a message says so.
 */
export function submitLocation(
  from: { saved: string | null; selector: string | undefined; results: unknown; metadata: unknown },
  fallback: Location | null = DEFAULT_LOCATION,
): Location | null {
  return [from.saved, from.selector, from.results, from.metadata].find(isLocation) ?? fallback;
}

/** SOL-13, SOL-16. A client without a slot in the chosen option sends no slots, with that option's own branch. */
export function actionsBody(
  state: SolutionsState,
  location: Location,
  backedUp: BackedUpTherapists | null,
): ActionsBody {
  const { data, metadata } = state.reply;
  const full: ActionsBody['selectedOptionsFullData'] = {};
  for (const date of state.dates) {
    full[date] = Object.fromEntries(
      Object.entries(state.choices[date] ?? {}).map(([clientName, optionName]) => {
        const timeSlots = data[date]?.[clientName]?.[optionName] ?? {};
        return [
          clientName,
          { optionName, clientName, branch_state: branchOf(state, date, clientName, optionName), timeSlots },
        ];
      }),
    );
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
 * The branch of a client's option; if the client has no slot there, the branch of the same option for any client on
 * that date.
 */
function branchOf(state: SolutionsState, date: string, client: string, option: string): string {
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
 * The same choice of the same proposal always has the same submit key, so that sending it again after an unknown
 * outcome writes nothing twice; another choice gets another key.
 */
export function createSubmitKeys(newKey: () => string): (state: SolutionsState) => string {
  const keys = new Map<string, string>();
  return (state) => {
    const { proposal, revision } = state.reply.metadata;
    const of = JSON.stringify([proposal, revision, state.choices]);
    const key = keys.get(of) ?? newKey();
    keys.set(of, key);
    return key;
  };
}

/** Pins together with a choice: its client is kept as well. */
export const withChosen = (pins: Choices, { date, client }: Chosen): Choices => ({
  ...pins,
  [date]: { ...pins[date], [client]: DEFAULT_OPTION },
});

/** Whether anything was chosen or refreshed: otherwise new options say the same as these. */
export const hasMade = (state: SolutionsState): boolean =>
  state.refreshed || Object.values(madeChoices(state)).some((clients) => Object.keys(clients).length > 0);

/** Choices that differ from the proposed ones, and pins: kept when the day changes. */
export function madeChoices(state: SolutionsState): Choices {
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
