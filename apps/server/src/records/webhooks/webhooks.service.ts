import { randomBytes, randomUUID } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import type { BodyOf, recordsEndpoints, Webhook } from '@clinic/contract';
import type { Act } from '../../access/act.ts';
import { auditBy } from '../../access/audit.ts';
import type { Db } from '../../db/connection.ts';
import { inTransaction } from '../../db/retry.ts';
import type { Database } from '../../db/schema.ts';
import { isoAt, isoOf } from '../../platform/clock.ts';
import { refusal, Refusal } from '../../platform/refusal.ts';
import { placeNow } from '../changes/changes.service.ts';
import type { Seal } from '../../access/seal.ts';
import { readAddress } from './address.ts';
import { sealSecret } from './secrets.ts';

type Row = Selectable<Database['webhook']>;

/** How long the secret before also signs. */
const OVERLAP_MS = 24 * 3_600_000;
const SECRET_BYTES = 32;

const makeSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

export async function listWebhooks(db: Db): Promise<Webhook[]> {
  const rows = await db.selectFrom('webhook').selectAll().orderBy('made_at').orderBy('id').execute();
  const counts = await selectCounts(db);
  return rows.map((row) => present(row, counts.get(row.id)));
}

/** Adds an address. It is told of what changes from now on. Returns its secret, which is not shown again. */
export async function addWebhook(
  db: Db,
  { url, events, locations }: BodyOf<typeof recordsEndpoints.addWebhook>,
  seal: Seal,
  act: Act,
): Promise<{ webhook: Webhook; secret: string }> {
  const [id, secret] = [randomUUID(), makeSecret()];
  const sealed = sealSecret(seal, id, secret);
  const made = { made_by: act.caller.id, made_at: isoAt(act.at) };
  const values = { id, ...valuesOf(url, events, locations), secret: sealed, ...made };
  return inTransaction(db, async (trx) => {
    const after = await placeNow(trx);
    const row = await trx
      .insertInto('webhook')
      .values({ ...values, after_xid: after.xid, after_id: after.id })
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, act, 'webhook.added', row);
    return { webhook: present(row), secret };
  });
}

/** Changes an address. One that is enabled again is told only of what changes from then on. */
export async function changeWebhook(
  db: Db,
  id: string,
  { url, events, locations, disabled, version }: BodyOf<typeof recordsEndpoints.changeWebhook>,
  act: Act,
): Promise<Webhook> {
  const values = valuesOf(url, events, locations);
  return inTransaction(db, async (trx) => {
    const before = await lock(trx, id);
    if (before.version !== version) throw new Refusal('stale-version', { extra: { version: before.version } });
    const starts = before.disabled_at !== null && !disabled ? await placeNow(trx) : null;
    const row = await trx
      .updateTable('webhook')
      .set({
        ...values,
        disabled_at: disabled ? (before.disabled_at ?? isoAt(act.at)) : null,
        disabled_why: disabled ? before.disabled_why : null,
        ...(starts ? { after_xid: starts.xid, after_id: starts.id, failing_since: null } : {}),
        version: version + 1,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, act, 'webhook.changed', row);
    return present(row, (await selectCounts(trx)).get(id));
  });
}

/** Makes a new secret. For a day, messages are signed with both, so that the receiver can change over in between. */
export async function renewSecret(
  db: Db,
  id: string,
  seal: Seal,
  act: Act,
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = makeSecret();
  const sealed = sealSecret(seal, id, secret);
  return inTransaction(db, async (trx) => {
    const before = await lock(trx, id);
    const row = await trx
      .updateTable('webhook')
      .set({
        secret: sealed,
        old_secret: before.secret,
        old_until: isoAt(act.at + OVERLAP_MS),
        version: before.version + 1,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, act, 'webhook.secret', row);
    return { webhook: present(row, (await selectCounts(trx)).get(id)), secret };
  });
}

/** Sends again, with their own ids, the messages that were given up; returns how many. */
export async function replay(db: Db, id: string, act: Act): Promise<number> {
  return inTransaction(db, async (trx) => {
    const row = await lock(trx, id);
    const rows = await trx
      .updateTable('webhook_delivery')
      .set({ failed_at: null, fault: null, tries: 0, next_try_at: isoAt(act.at), taken_until: null })
      .where('webhook_id', '=', id)
      .where('failed_at', 'is not', null)
      .returning('id')
      .execute();
    if (rows.length > 0) await record(trx, act, 'webhook.replayed', row, { deliveries: rows.length });
    return rows.length;
  });
}

function valuesOf(text: string, events: readonly string[], locations: Row['locations']) {
  const url = readAddress(text.trim());
  if (!url) throw refusal('webhook-address');
  return { url: url.href, events: [...new Set(events)].sort(), locations: locations && [...new Set(locations)].sort() };
}

async function lock(trx: Db, id: string): Promise<Row> {
  const row = await trx.selectFrom('webhook').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw new Refusal('not-found');
  return row;
}

type Acts = 'webhook.added' | 'webhook.changed' | 'webhook.secret' | 'webhook.replayed';

function record(trx: Db, act: Act, action: Acts, row: Row, more: object = {}): Promise<void> {
  const { id, events, locations } = row;
  const detail = { host: new URL(row.url).host, events, locations, disabled: row.disabled_at !== null, ...more };
  return auditBy(trx, act, { action, subjectKind: 'webhook', subjectIds: [id], detail });
}

interface Counts {
  readonly id: string;
  readonly waiting: number;
  readonly failed: number;
  readonly fault: string | null;
}

async function selectCounts(db: Db): Promise<ReadonlyMap<string, Counts>> {
  const { rows } = await sql<Counts>`
    select webhook_id as id, count(*) filter (where failed_at is null)::int as waiting,
      count(*) filter (where failed_at is not null)::int as failed,
      (array_agg(fault order by coalesce(failed_at, next_try_at) desc) filter (where fault is not null))[1] as fault
    from webhook_delivery where sent_at is null group by webhook_id`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

function present(row: Row, counts?: Counts): Webhook {
  const { id, url, events, locations, disabled_why, version } = row;
  return {
    id,
    url,
    events,
    locations,
    disabled: row.disabled_at !== null,
    disabled_why,
    failing_since: row.failing_since && isoOf(row.failing_since),
    waiting: counts?.waiting ?? 0,
    failed: counts?.failed ?? 0,
    fault: counts?.fault ?? null,
    version,
  };
}
