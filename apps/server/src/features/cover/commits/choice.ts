import { createHash } from 'node:crypto';
import { UNASSIGNED, type ActionsBody } from '@clinic/contract';
import { branchDiffers, holdsClient, slotsDiffer, solutionsDiffer } from '../plan/echo.ts';
import { optionOf, type StoredDay, type StoredOption, type StoredProposal } from '../plan/stored-proposal.ts';
import { Refusal } from '../../../platform/refusal.ts';

/** What was chosen for one client on one date. */
export interface ChosenClient {
  date: string;
  client: string;
  option: StoredOption;
  /** The sessions that the option is about. */
  sessions: string[];
}

/** A choice that is what was offered, by date. */
export type Choice = Map<string, ChosenClient[]>;

const AGAIN = 'Open the options again, choose, and submit once more.';

const refuse = (message: string, advice?: string): never => {
  throw new Refusal('invalid', { message: [message, 'Nothing was written.', advice].filter(Boolean).join(' ') });
};

/**
 * Reads what a page sends back. The stored proposal is the truth: solutions that were edited, options, clients or dates
 * that it does not have, and cells or branch states of another are refused with the reason. So is a choice that comes
 * without what it was made from: a client's options, or the details of an option that gives their time to a therapist
 * (where nobody is given any, as for a client who is away, they may be left out).
 */
export function readChoice(stored: StoredProposal, body: ActionsBody): Choice {
  if (solutionsDiffer(body.solutions, stored))
    refuse('The options that were sent back are not the ones that were offered.');
  const choice: Choice = new Map();
  for (const date of Object.keys(body.selectedOptions).sort()) {
    const day = Object.hasOwn(stored.days, date) ? stored.days[date] : undefined;
    if (!day) return refuse(`These options hold nothing for ${date}.`);
    const chosen = Object.entries(body.selectedOptions[date] ?? {}).map(([client, option]) =>
      chosenOf(day, date, client, option),
    );
    if (chosen.length > 0) choice.set(date, chosen);
  }
  if (choice.size === 0) return refuse('No option is selected.');
  for (const [date, clients] of Object.entries(body.selectedOptionsFullData))
    for (const [client, full] of Object.entries(clients)) checkFullData(stored, choice, date, client, full);
  for (const chosen of [...choice.values()].flat()) checkPresence(stored, chosen, body);
  return choice;
}

function chosenOf(day: StoredDay, date: string, client: string, name: string): ChosenClient {
  const listed = day.listed.find((l) => l.name === client);
  const option = optionOf(day, name);
  if (!listed) return refuse(`These options hold nothing for ${client} on ${date}.`);
  if (!option) return refuse(`There is no ${name} on ${date}.`);
  return { date, client, option, sessions: listed.sessions };
}

function checkPresence(stored: StoredProposal, { date, client, option }: ChosenClient, body: ActionsBody): void {
  const lost = (what: string): never =>
    refuse(`${option.name} is selected for ${client} on ${date}, but ${what} did not come with it.`, AGAIN);
  if (!holdsClient(body.solutions, date, client)) lost(`the options of ${client}`);
  const cells = Object.values(stored.data[date]?.[client]?.[option.name] ?? {});
  const gives = cells.some((cell) => cell['status'] !== 'Cancel' && cell['therapist'] !== UNASSIGNED);
  if (gives && !holdsClient(body.selectedOptionsFullData, date, client)) lost('its details');
}

type FullData = ActionsBody['selectedOptionsFullData'][string][string];

function checkFullData(stored: StoredProposal, choice: Choice, date: string, client: string, full: FullData): void {
  const chosen = choice.get(date)?.find((c) => c.client === client);
  if (!chosen) return refuse(`The details name ${client} on ${date}, for whom no option is selected.`);
  const said = `The details of ${client} on ${date} are not those of ${chosen.option.name} as it was offered.`;
  if (full.optionName !== chosen.option.name || full.clientName !== client) refuse(said);
  if (branchDiffers(full.branch_state, stored, chosen.option.name)) refuse(said);
  if (slotsDiffer(full.timeSlots, stored.data[date]?.[client]?.[chosen.option.name] ?? {})) refuse(said);
}

/** Tells one choice of a proposal from another. */
export function choiceKey(body: ActionsBody): string {
  return hashOf({ revision: body.metadata.revision, selected: body.selectedOptions });
}

/** SHA-256 of a value, whatever the order of its keys. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, v]) => v !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
