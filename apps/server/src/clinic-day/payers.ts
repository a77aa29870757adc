import { codeOf, codePairOf, compareText, nameKey, type PayerRequirement, type PayerSetting } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import type { Authorizations } from './authorizations.ts';
import type { DayAppointment } from './day.ts';

/** What each payer requires, and which codes it pays for at the same time, by the key of the payer's name (`nameKey`). */
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

/**
 * By client, the payers with requirements that authorized a billing code of the client's sessions on the date, by name.
 */
export function payersByClient(
  payers: ReadonlyMap<string, PayerRequirement>,
  live: Authorizations['live'],
  appointments: readonly DayAppointment[],
): ReadonlyMap<string, PayerRequirement[]> {
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
