import {
  billableMinutes,
  codeOf,
  codePair,
  nameKey,
  pushTo,
  type BillingCode,
  type Interval,
  type IsoDate,
} from '@clinic/domain';
import type { RuleOff } from '@clinic/contract';
import type { Db } from '../../db/connection.ts';
import { authorizationsOf } from '../../people/authorizations.queries.ts';
import type { CareSession } from './care-hours.ts';
import { selectPayers } from './payers.ts';

/** The billing rules that clients' payers have set. */
export interface Billing {
  /** Whether two codes may be billed at the same time for a client on a date. */
  readonly together: (of: Pick<CareSession, 'clientId' | 'date'>, a: BillingCode, b: BillingCode) => boolean;
  /** The payers for which no rule is recorded about which codes may be billed at the same time. */
  readonly silent: readonly string[];
}

/** The billing rules for clients whose payers have set none: any two codes may be billed at the same time. */
export const UNSAID: Billing = { together: () => true, silent: [] };

/** Loads the rules of every payer with an authorization for one of these clients on one of the dates. */
export async function loadBilling(
  db: Db,
  clientIds: readonly string[],
  [from, to]: readonly [from: IsoDate, to: IsoDate],
): Promise<Billing> {
  if (clientIds.length === 0) return UNSAID;
  const settings = await selectPayers(db);
  const rows = await db
    .selectFrom(authorizationsOf(clientIds))
    .select(['client_id', 'code', 'payer', 'from_date', 'until_date'])
    .where('from_date', '<=', to)
    .where('until_date', '>=', from)
    .execute();
  const byClient = new Map<string, { payer: string; code: BillingCode; from: string; until: string }[]>();
  const silent = new Map<string, string>();
  for (const { client_id, code, payer: name, from_date, until_date } of rows) {
    const payer = nameKey(name);
    pushTo(byClient, client_id, { payer, code, from: from_date, until: until_date });
    const setting = settings.get(payer);
    if (!setting?.concurrent) silent.set(payer, setting?.name ?? name);
  }
  const pays = ({ clientId, date }: Pick<CareSession, 'clientId' | 'date'>, code: BillingCode): string[] =>
    (byClient.get(clientId ?? '') ?? [])
      .filter((each) => each.code === code && each.from <= date && date <= each.until)
      .map(({ payer }) => payer);
  return {
    // A payer can forbid billing two codes at the same time only if it pays for both.
    together: (of, a, b) => {
      const other = pays(of, b);
      return !pays(of, a).some(
        (payer) => other.includes(payer) && settings.get(payer)?.concurrent?.includes(codePair(a, b)) === false,
      );
    },
    silent: [...silent.values()].sort(),
  };
}

/**
 * Names the payers for which the product does not check what may be billed at the same time; empty when there are none.
 */
export const silentPayers = (names: readonly string[]): RuleOff[] =>
  names.length === 0
    ? []
    : [
        {
          rule: 'concurrent',
          people: names.length,
          words: `${names.join(', ')}: not checked, because nobody has entered which codes may be billed at the same time.`,
        },
      ];

/** A session, and the times during it that were not lost. */
interface KeptSession {
  readonly session: CareSession;
  readonly kept: readonly Interval[];
}

/**
 * How many minutes of each session may be billed, by the session's key. Rounding and overlaps are worked out separately
 * for each client and date, over all locations, as for authorizations.
 */
export function billableByKey(kept: readonly KeptSession[], { together }: Billing): ReadonlyMap<string, number> {
  const days = new Map<string, KeptSession[]>();
  for (const each of kept) {
    const { date, clientId } = each.session;
    pushTo(days, `${date} ${clientId ?? ''}`, each);
  }
  const minutes = new Map<string, number>();
  for (const day of days.values()) {
    const inOrder = day
      .toSorted(({ session: a }, { session: b }) => a.start - b.start || (a.key < b.key ? -1 : 1))
      .flatMap((each) => {
        const code = codeOf(each.session.service, each.session.subject);
        return code === null ? [] : [{ code, ...each }];
      });
    const [first] = inOrder;
    if (!first) continue;
    const found = billableMinutes(inOrder, (a, b) => together(first.session, a, b));
    for (const [i, { session }] of inOrder.entries()) minutes.set(session.key, found[i] ?? 0);
  }
  return minutes;
}
