import {
  codeOf,
  codePairOf,
  compareText,
  holdsOn,
  nameKey,
  payerSentence,
  type BillingCode,
  type Dated,
  type IsoDate,
  type PayerRequirement,
  type PayerSetting,
  type Service,
} from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import type { Authorizations } from './authorizations.ts';
import type { DayAppointment } from '../../day/facts/day.ts';

/**
 * Selects what each payer requires, and which codes it pays for at the same time, by the key of the payer's name
 * (`nameKey`).
 */
export async function selectPayers(db: Db): Promise<Map<string, PayerSetting>> {
  const rows = await db
    .selectFrom('payer')
    .select(['name_key', 'name', 'credential', 'tag', 'concurrent'])
    .orderBy('name_key')
    .execute();
  return new Map(
    rows.map(({ name_key, concurrent, ...payer }) => [
      name_key,
      { ...payer, concurrent: concurrent?.flatMap((pair) => codePairOf(pair) ?? []) ?? null },
    ]),
  );
}

/** Finds, for each client, the payers that have requirements and pay for one of the date's sessions, sorted by name. */
export function payersByClient(
  payers: ReadonlyMap<string, PayerRequirement>,
  live: Authorizations['live'],
  appointments: readonly DayAppointment[],
): ReadonlyMap<string, PayerRequirement[]> {
  if (payers.size === 0 || live.length === 0) return new Map();
  const of = (client: string, code: string): string => `${code} ${client}`;
  const given = new Set(
    appointments.flatMap((a) =>
      a.occupies && a.clientId !== null ? [of(a.clientId, codeOf(a.service, a.subject) ?? '')] : [],
    ),
  );
  const found = new Map<string, Map<string, PayerRequirement>>();
  for (const { client, code, payer: name } of live) {
    const payer = payers.get(nameKey(name));
    if (!payer || (payer.credential === null && payer.tag === null) || !given.has(of(client, code))) continue;
    found.set(client, (found.get(client) ?? new Map<string, PayerRequirement>()).set(payer.name, payer));
  }
  return new Map(
    [...found].map(([client, own]) => [client, [...own.values()].sort((a, b) => compareText(a.name, b.name))]),
  );
}

/** A code that a payer with requirements pays for, and the first and last date for which the payer pays. */
export interface PaidCode extends Dated {
  readonly code: BillingCode;
  readonly required: PayerRequirement;
}

/** Lists the codes that payers with requirements pay for under these authorizations, sorted by payer. */
export const paidCodes = (
  payers: ReadonlyMap<string, PayerRequirement>,
  authorizations: readonly (Dated & { readonly payer: string; readonly code: BillingCode })[],
): PaidCode[] =>
  [...authorizations]
    .sort((a, b) => compareText(a.payer, b.payer))
    .flatMap(({ payer, code, from_date, until_date }) => {
      const required = payers.get(nameKey(payer));
      return required ? [{ code, from_date, until_date, required }] : [];
    });

/** Names in a sentence a payer's requirement that the session's therapist does not meet; null if all are met. */
export function unmetRequirement(
  paid: readonly PaidCode[],
  { date, service, subject }: { readonly date: IsoDate; readonly service: Service; readonly subject: string },
  therapist: Parameters<typeof payerSentence>[1],
): string | null {
  const code = codeOf(service, subject);
  const paying = paid.filter((each) => each.code === code && holdsOn(each, date));
  return paying.flatMap(({ required }) => payerSentence(required, therapist, date) ?? [])[0] ?? null;
}
