import { addDays, BILLING_CODES, type IsoDate } from '@clinic/domain';
import { payerOf } from './payers.ts';
import type { DemoPeople } from './people.ts';

/**
 * The authorizations of the demo clinic's clients: 40 hours a week of direct therapy and, for most of the other billing
 * codes, a total of 100 hours each. Every twelfth client has none. In Tampa, one client's authorization for direct
 * therapy expired last week, and another's is nearly used up.
 */
export function demoAuthorizations({ clients }: DemoPeople, today: IsoDate) {
  const [ended, short] = clients.filter(({ location }, i) => location === 'tampa' && i % 12 !== 7);
  return clients.flatMap((client, i) => {
    if (i % 12 === 7) return [];
    return BILLING_CODES.filter((code) => code !== '97152' && code !== '97157').map((code) => {
      const isDirect = code === '97153';
      const until = addDays(today, isDirect && client === ended ? -7 : 60 + (i % 90));
      return {
        client_id: client.id,
        payer: payerOf(client, i),
        code,
        number: `A-${String(40_000 + i * 7)}`,
        from_date: addDays(until, -180),
        until_date: until,
        units: isDirect ? (client === short ? 24 : 160) : 400,
        period: isDirect ? ('week' as const) : ('total' as const),
      };
    });
  });
}
