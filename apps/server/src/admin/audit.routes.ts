import { adminEndpoints } from '@clinic/contract';
import { isoOf } from '../platform/clock.ts';
import type { App, Deps } from '../access/deps.ts';
import { addRoute } from '../http/route.ts';
import { selectAudit } from './audit.queries.ts';

/** Shows administrators the audit trail; reading the trail is audited too. */
export function auditRoutes(app: App, deps: Deps): void {
  addRoute(app, adminEndpoints.audit, async ({ query, caller, shows }) => {
    const rows = await selectAudit(deps.db, query, caller.locations);
    shows({
      subjectKind: 'audit',
      subjectIds: query.subject === undefined ? [] : [query.subject],
      location: null,
    });
    return rows.map((row) => ({
      id: row.id,
      at: isoOf(row.at),
      account: row.email,
      action: row.action,
      subject_kind: row.subject_kind,
      subject_ids: row.subject_ids,
      location: row.location,
      detail: row.detail as Record<string, unknown>,
    }));
  });
}
