import { sql } from 'kysely';
import type { Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';

export interface AuditFilter {
  /** Selects rows before this time (ISO 8601), or before the row with this id. */
  readonly before?: string | undefined;
  readonly account?: string | undefined;
  readonly subject?: string | undefined;
}

const PAGE = 200;

/**
 * Whether an entry has ids of clients or therapists, which may belong to any location: a list of everyone, or a search
 * of the trail.
 */
const namesPeople = sql<boolean>`(audit.subject_kind in ('client', 'therapist', 'audit') and audit.subject_ids <> '{}')`;

/**
 * Whether an entry without a location is about accounts within these locations only: the account that acted, and every
 * account or invitation that it acted on.
 */
const aboutOwnAccounts = (locations: readonly Location[]) => {
  const own = sql`array[${sql.join(locations)}]::text[]`;
  return sql<boolean>`((audit.account_id is null and audit.subject_ids <> '{}' or account.locations <@ ${own})
    and case audit.subject_kind
      when 'account' then not exists (
        select from unnest(audit.subject_ids) s (subject) left join account a on a.id::text = s.subject
        where (a.locations <@ ${own}) is not true)
      when 'invitation' then not exists (
        select from unnest(audit.subject_ids) s (subject) left join invitation i on i.id::text = s.subject
        where (i.locations <@ ${own}) is not true)
      else audit.account_id is not null
    end)`;
};

/**
 * Selects the newest 200 matching rows of the trail, with the accounts' emails.
 * @param locations selects rows at these locations, and rows without a location that concern only accounts within
 * them; null selects all rows
 */
export function selectAudit(db: Db, filter: AuditFilter, locations: readonly Location[] | null) {
  let query = db
    .selectFrom('audit')
    .leftJoin('account', 'account.id', 'audit.account_id')
    .leftJoin('service_account', 'service_account.id', 'audit.account_id')
    .select([
      'audit.at',
      sql<string | null>`coalesce(account.email, service_account.name)`.as('email'),
      'audit.action',
      'audit.subject_kind',
      'audit.subject_ids',
      'audit.location',
      'audit.detail',
    ])
    .select(
      sql<string>`(extract(epoch from audit.at) * 1000000)::bigint || '.' || audit.chain || '.' || audit.number`.as(
        'id',
      ),
    )
    .orderBy('audit.at', 'desc')
    .orderBy('audit.chain', 'desc')
    .orderBy('audit.number', 'desc')
    .limit(PAGE);
  if (locations !== null)
    query = query.where((eb) =>
      eb.or([
        eb('audit.location', 'in', ['', ...locations]),
        eb.and([eb('audit.location', 'is', null), eb.not(namesPeople), aboutOwnAccounts(locations)]),
      ]),
    );
  if (filter.before !== undefined) query = query.where(isBefore(filter.before));
  if (filter.account !== undefined) query = query.where('audit.account_id', '=', filter.account);
  if (filter.subject !== undefined) query = query.where(sql<boolean>`audit.subject_ids @> ${[filter.subject]}::text[]`);
  return query.execute();
}

/**
 * A row's id consists of its time in microseconds, its chain and its number, because several rows can have the same
 * time.
 */
function isBefore(before: string) {
  const [micros, chain, number] = before.split('.');
  if (number === undefined) return sql<boolean>`audit.at < ${before}::timestamptz`;
  return sql<boolean>`(audit.at, audit.chain, audit.number) <
    ('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond', ${chain}::int, ${number}::bigint)`;
}
