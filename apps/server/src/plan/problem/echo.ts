import type { StoredCells, StoredProposal } from './stored-proposal.ts';

// Everything that a page sends back is compared with what the server sent; it is never trusted.

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = <T>(record: Record<string, T>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/**
 * Whether the time slots that were sent back differ from those offered. Fields other than the therapist and the status
 * may be missing.
 */
export function slotsDiffer(sent: unknown, offered: Record<string, Record<string, unknown>>): boolean {
  if (!isRecord(sent)) return true;
  const slots = Object.keys(sent);
  if (slots.length !== Object.keys(offered).length) return true;
  return slots.some((slot) => {
    const cell = own(sent, slot);
    const real = own(offered, slot);
    if (!real || !isRecord(cell)) return true;
    if (cell['therapist'] !== real['therapist'] || cell['status'] !== real['status']) return true;
    return Object.entries(cell).some(([field, value]) => Object.hasOwn(real, field) && real[field] !== value);
  });
}

/**
 * Whether the options that were sent back differ from the proposal's. Dates and clients may be missing, but nothing
 * else.
 */
export function optionsDiffer(sent: unknown, proposal: StoredProposal): boolean {
  if (!isRecord(sent)) return true;
  return Object.entries(sent).some(([date, clients]) => {
    const day = own(proposal.data, date);
    return (
      !day || !isRecord(clients) || Object.entries(clients).some(([name, options]) => clientDiffers(options, day, name))
    );
  });
}

function clientDiffers(sent: unknown, day: StoredCells, name: string): boolean {
  const offered = own(day, name);
  if (!offered || !isRecord(sent)) return true;
  const options = Object.keys(sent);
  if (options.length !== Object.keys(offered).length) return true;
  return options.some((option) => {
    const slots = own(offered, option);
    return !slots || slotsDiffer(sent[option], slots);
  });
}

/** Whether a `branch_state` belongs to another revision or, if an option is given, to another option. */
export function branchDiffers(sent: unknown, proposal: StoredProposal, option: string): boolean {
  const number = /^Option (\d+)$/.exec(option)?.[1];
  return sent !== `${proposal.id}.${proposal.revision}.${number ?? ''}`;
}

/** Whether the options that were sent back contain those of a client on a date. */
export function holdsClient(sent: Readonly<Record<string, unknown>>, date: string, client: string): boolean {
  const clients = Object.hasOwn(sent, date) ? sent[date] : undefined;
  return isRecord(clients) && Object.hasOwn(clients, client);
}
