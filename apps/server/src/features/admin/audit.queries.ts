import { sql } from 'kysely';
import type { Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';

export interface AuditFilter {
  /** Instants before this one, ISO 8601. */
  readonly before?: string | undefined;
  readonly account?: string | undefined;
  readonly subject?: string | undefined;
}

const PAGE = 200;

/**
 * The newest 200 rows of the trail that fit, with the email of who acted.
 * @param locations whose rows are shown beside those of no location; null: all
 */
export function selectAudit(db: Db, filter: AuditFilter, locations: readonly Location[] | null) {
  let query = db
    .selectFrom('audit')
    .leftJoin('account', 'account.id', 'audit.account_id')
    .select([
      'audit.at',
      'account.email',
      'audit.action',
      'audit.subject_kind',
      'audit.subject_ids',
      'audit.location',
      'audit.detail',
    ])
    .orderBy('audit.at', 'desc')
    .orderBy('audit.chain')
    .orderBy('audit.number', 'desc')
    .limit(PAGE);
  if (locations !== null)
    query = query.where((eb) =>
      eb.or([eb('audit.location', 'is', null), eb('audit.location', 'in', ['', ...locations])]),
    );
  if (filter.before !== undefined) query = query.where('audit.at', '<', filter.before);
  if (filter.account !== undefined) query = query.where('audit.account_id', '=', filter.account);
  if (filter.subject !== undefined) query = query.where(sql<boolean>`${filter.subject} = any (audit.subject_ids)`);
  return query.execute();
}
