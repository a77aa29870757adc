import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { ERRORS } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { AuditReads } from './audit-reads.ts';

/** Only refusals with these statuses can contain names from the database; all other refusals are fixed sentences. */
const MAY_NAME_CLIENTS = new Set([403, 404, 409, 410, 422]);

/**
 * Records that a refusal names clients, because this counts as reading their data: one audit entry at each client's
 * location, written before the refusal is sent. Clients are found by searching the refusal's text, so that no refusal
 * can be forgotten.
 */
export async function recordNamedClients(
  { db, auditReads }: { readonly db: Db; readonly auditReads: AuditReads },
  request: Pick<FastifyRequest, 'id' | 'account'>,
  refusal: Refusal,
): Promise<void> {
  if (!request.account || !MAY_NAME_CLIENTS.has(refusal.status)) return;
  if (refusal.message === ERRORS[refusal.code].text && refusal.conflicts.length === 0) return;
  const named = await selectNamed(db, JSON.stringify(refusal.detail));
  const locations = [...new Set(named.map((client) => client.location))];
  await Promise.all(
    locations.map((location) =>
      auditReads.record(request, {
        action: 'refusal.read',
        subjectKind: 'client',
        subjectIds: named.flatMap((client) => (client.location === location ? [client.id] : [])),
        location,
        detail: { code: refusal.code },
      }),
    ),
  );
}

/** Finds the clients whose names, escaped as in JSON, occur in the text. */
async function selectNamed(db: Db, text: string): Promise<{ id: string; location: Location }[]> {
  const { rows } = await sql<{ id: string; location: Location }>`
    select id, location from client
    where strpos(lower(${text}), lower(trim(both '"' from to_json(display_name)::text))) > 0 order by id`.execute(db);
  return rows;
}
