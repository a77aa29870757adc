import type { SentFor } from '@clinic/contract';
import { refusal } from '../../platform/refusal.ts';
import { holdsClient, optionsDiffer } from './echo.ts';
import { optionOf, type StoredDay, type StoredOption, type StoredProposal } from './stored-proposal.ts';

/** A client's option on a date, as a page selects it. */
export interface Selection {
  readonly date: string;
  readonly client: string;
  readonly option: string;
}

/** A selection, with its option as found in the stored proposal. */
export interface Selected {
  readonly date: string;
  readonly client: string;
  readonly option: StoredOption;
  /** The ids of the client's sessions in the option. */
  readonly sessions: readonly string[];
}

/** Refuses options that differ in any way from those offered. */
export function requireOffered(stored: StoredProposal, sent: Readonly<Record<string, unknown>>): void {
  if (optionsDiffer(sent, stored)) throw refusal('options-edited');
}

/** Returns the options offered for a date. Refuses a date for which none were offered. */
export function offeredOn(stored: StoredProposal, date: string): StoredDay {
  const day = Object.hasOwn(stored.days, date) ? stored.days[date] : undefined;
  if (!day) throw refusal('no-options-on-date', date);
  return day;
}

/**
 * Finds the option that a page selects. Refuses a date, client or option that was not offered, and a selection for
 * which the page did not send the client's options.
 */
export function findSelected(
  stored: StoredProposal,
  sent: Readonly<Record<string, unknown>>,
  { date, client, option: name }: Selection,
  purpose: SentFor,
): Selected {
  const day = offeredOn(stored, date);
  const listed = day.listed.find((each) => each.name === client);
  if (!listed) throw refusal('no-options-for-client', client, date);
  const option = optionOf(day, name);
  if (!option) throw refusal('no-such-option', name, date);
  if (!holdsClient(sent, date, client)) throw refusal('options-of-client-missing', option.name, client, date, purpose);
  return { date, client, option, sessions: listed.sessions };
}
