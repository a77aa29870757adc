import type { BodyOf, recordsEndpoints, ServiceAccount } from '@clinic/contract';
import type { Selectable } from 'kysely';
import type { Act } from '../../access/act.ts';
import { auditBy } from '../../access/audit.ts';
import type { ServiceKey } from '../../access/service-callers.ts';
import type { Db } from '../../db/connection.ts';
import type { Database } from '../../db/schema.ts';
import { inTransaction } from '../../db/retry.ts';
import { isoAt, isoOf } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readKeys } from './keys.ts';

type Row = Selectable<Database['service_account']>;

export async function listServiceAccounts(db: Db): Promise<ServiceAccount[]> {
  const rows = await db.selectFrom('service_account').selectAll().orderBy('name').orderBy('id').execute();
  return rows.map(present);
}

export async function addServiceAccount(
  db: Db,
  { name, scopes, locations, keys }: BodyOf<typeof recordsEndpoints.addServiceAccount>,
  act: Act,
): Promise<ServiceAccount> {
  const read = await readKeys(keys);
  return inTransaction(db, async (trx) => {
    const row = await trx
      .insertInto('service_account')
      .values({
        name,
        scopes: [...new Set(scopes)].sort(),
        locations: locations && [...new Set(locations)].sort(),
        keys: JSON.stringify(read),
        made_by: act.caller.id,
        made_at: isoAt(act.at),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, act, 'service-account.added', row);
    return present(row);
  });
}

/** Changes a service account. What it loses, it cannot read from now on: tokens that it has are looked up each time. */
export async function changeServiceAccount(
  db: Db,
  id: string,
  { name, scopes, locations, keys, disabled, version }: BodyOf<typeof recordsEndpoints.changeServiceAccount>,
  act: Act,
): Promise<ServiceAccount> {
  const read = keys === undefined ? undefined : await readKeys(keys);
  return inTransaction(db, async (trx) => {
    const before = await trx
      .selectFrom('service_account')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw new Refusal('not-found');
    if (before.version !== version) throw new Refusal('stale-version', { extra: { version: before.version } });
    const row = await trx
      .updateTable('service_account')
      .set({
        name,
        scopes: [...new Set(scopes)].sort(),
        locations: locations && [...new Set(locations)].sort(),
        ...(read === undefined ? {} : { keys: JSON.stringify(read) }),
        disabled_at: disabled ? (before.disabled_at ?? isoAt(act.at)) : null,
        version: version + 1,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, act, 'service-account.changed', row);
    return present(row);
  });
}

function record(trx: Db, act: Act, action: 'service-account.added' | 'service-account.changed', row: Row) {
  const { id, scopes, locations } = row;
  const detail = { scopes, locations, keys: thumbprints(row), disabled: row.disabled_at !== null };
  return auditBy(trx, act, { action, subjectKind: 'service-account', subjectIds: [id], detail });
}

const thumbprints = ({ keys }: Row): string[] => (keys as readonly ServiceKey[]).map(({ thumbprint }) => thumbprint);

function present(row: Row): ServiceAccount {
  const { id, name, scopes, locations, version } = row;
  return {
    id,
    name,
    scopes,
    locations,
    keys: thumbprints(row),
    made_at: isoOf(row.made_at),
    used_at: row.used_at && isoOf(row.used_at),
    disabled: row.disabled_at !== null,
    version,
  };
}
