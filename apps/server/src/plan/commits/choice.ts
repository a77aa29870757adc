import { createHash } from 'node:crypto';
import { UNASSIGNED, type ActionsBody } from '@clinic/contract';
import { branchDiffers, holdsClient, slotsDiffer } from '../problem/echo.ts';
import { findSelected, offeredOn, requireOffered, type Selected } from '../problem/selection.ts';
import type { StoredProposal } from '../problem/stored-proposal.ts';
import { refusal } from '../../platform/refusal.ts';

/** The chosen options by date, as found in the stored proposal. */
export type Choice = Map<string, Selected[]>;

/**
 * Reads the choice that a page sends back and compares it with the stored proposal. Refuses edited solutions; options,
 * clients or dates that were not offered; and cells or branch states of another proposal. Also refuses a choice for
 * which the page did not send the client's options, or the details of an option that uses a therapist's time.
 */
export function readChoice(stored: StoredProposal, body: ActionsBody): Choice {
  requireOffered(stored, body.solutions);
  const choice: Choice = new Map();
  for (const date of Object.keys(body.selectedOptions).sort()) {
    offeredOn(stored, date);
    const chosen = Object.entries(body.selectedOptions[date] ?? {}).map(([client, option]) =>
      findSelected(stored, body.solutions, { date, client, option }, 'submit'),
    );
    if (chosen.length > 0) choice.set(date, chosen);
  }
  if (choice.size === 0) throw refusal('nothing-selected');
  for (const [date, clients] of Object.entries(body.selectedOptionsFullData))
    for (const [client, full] of Object.entries(clients)) checkDetails(stored, choice, date, client, full);
  for (const chosen of [...choice.values()].flat()) requireDetails(stored, chosen, body);
  return choice;
}

function requireDetails(stored: StoredProposal, { date, client, option }: Selected, body: ActionsBody): void {
  const cells = Object.values(stored.data[date]?.[client]?.[option.name] ?? {});
  const gives = cells.some((cell) => cell['status'] !== 'Cancel' && cell['therapist'] !== UNASSIGNED);
  if (gives && !holdsClient(body.selectedOptionsFullData, date, client))
    throw refusal('details-of-client-missing', option.name, client, date);
}

type Details = ActionsBody['selectedOptionsFullData'][string][string];

function checkDetails(stored: StoredProposal, choice: Choice, date: string, client: string, sent: Details): void {
  const chosen = choice.get(date)?.find((each) => each.client === client);
  if (!chosen) throw refusal('details-not-selected', client, date);
  const { name } = chosen.option;
  const asOffered =
    sent.optionName === name &&
    sent.clientName === client &&
    !branchDiffers(sent.branch_state, stored, name) &&
    !slotsDiffer(sent.timeSlots, stored.data[date]?.[client]?.[name] ?? {});
  if (!asOffered) throw refusal('details-edited', client, date, name);
}

/** Returns a key for a choice. Two choices from the same proposal have the same key only if they are equal. */
export function choiceKey(body: ActionsBody): string {
  return hashOf({ revision: body.metadata.revision, selected: body.selectedOptions });
}

/** The SHA-256 of a JSON value, whatever the order of its keys. */
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
