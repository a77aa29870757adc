import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { WEBHOOK_EVENTS, type WebhookEvent } from '@clinic/contract';
import type { Db } from '../../db/connection.ts';
import { inTransaction } from '../../db/retry.ts';
import { isoAt, millisOf, type Clock } from '../../platform/clock.ts';
import { changesAfter, newestOf } from '../changes/changes.service.ts';
import type { Seal } from '../../access/seal.ts';
import { openSecret } from './secrets.ts';
import { send, type Sent } from './send.ts';

/** How many changes become messages at once, and how many messages are sent at once. */
const CHANGES_AT_ONCE = 500;
const AT_ONCE = 10;
/** How long a message belongs to the server that took it: longer than an attempt takes. */
const TAKEN_MS = 60_000;
const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
/** The pauses after the first attempts, as Standard Webhooks advises; after the last, a message is given up. */
const PAUSES_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** An address to which nothing could be sent for so long is disabled. */
const FAILING_MS = 5 * 24 * HOUR;

export interface Delivery {
  readonly db: Db;
  readonly clock: Clock;
  readonly seal: Seal;
  /** Sends one message; only tests replace it. */
  readonly send?: typeof send;
}

/**
 * Makes messages of what changed, and sends those that are due. A message is sent until it is accepted, so it may arrive
 * twice, with the same id; two servers never send it at the same time.
 * @returns how much was done; zero when nothing is left for now
 */
export async function deliverDue(delivery: Delivery): Promise<number> {
  const made = await makeDeliveries(delivery);
  return made + (await sendDue(delivery));
}

/**
 * Makes a message of each change that an address is told of, for one address after the other. The address's row is
 * locked, so no other server makes the same messages.
 */
async function makeDeliveries({ db, clock }: Delivery): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from webhook w where disabled_at is null and exists (
      select from record_change c where (c.xid, c.id) > (w.after_xid, w.after_id)
        and c.xid < pg_snapshot_xmin(pg_current_snapshot()))`.execute(db);
  let made = 0;
  for (const { id } of rows)
    made += await inTransaction(db, async (trx) => {
      const webhook = await trx
        .selectFrom('webhook')
        .select(['id', 'events', 'locations', 'after_xid', 'after_id'])
        .where('id', '=', id)
        .where('disabled_at', 'is', null)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (!webhook) return 0;
      const place = { xid: webhook.after_xid, id: webhook.after_id };
      const { rows: changes, next } = await changesAfter(trx, place, webhook.locations, CHANGES_AT_ONCE);
      await trx.updateTable('webhook').set({ after_xid: next.xid, after_id: next.id }).where('id', '=', id).execute();
      const at = isoAt(clock.now());
      const messages = newestOf(changes).flatMap(({ kind, ...data }) => {
        const type = `${kind}.changed`;
        if (!isEvent(type) || !webhook.events.includes(type)) return [];
        return {
          id: randomUUID(),
          webhook_id: id,
          body: JSON.stringify({ type, timestamp: at, data }),
          made_at: at,
          next_try_at: at,
        };
      });
      if (messages.length > 0) await trx.insertInto('webhook_delivery').values(messages).execute();
      return Math.max(1, messages.length);
    });
  return made;
}

const isEvent = (type: string): type is WebhookEvent => WEBHOOK_EVENTS.some((each) => each === type);

interface DueRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly body: string;
  readonly tries: number;
  readonly url: string;
  readonly secret: string;
  readonly old_secret: string | null;
  readonly old_until: string | null;
}

async function sendDue({ db, clock, seal, send: sendOne = send }: Delivery): Promise<number> {
  const now = clock.now();
  const { rows } = await sql<DueRow>`
    with due as (
      select d.id from webhook_delivery d join webhook w on w.id = d.webhook_id
      where d.sent_at is null and d.failed_at is null and w.disabled_at is null
        and d.next_try_at <= ${isoAt(now)}::timestamptz
        and (d.taken_until is null or d.taken_until <= ${isoAt(now)}::timestamptz)
      order by d.next_try_at, d.id limit ${AT_ONCE} for update of d skip locked)
    update webhook_delivery d set taken_until = ${isoAt(now + TAKEN_MS)}::timestamptz, tries = d.tries + 1
    from webhook w where w.id = d.webhook_id and d.id in (select id from due)
    returning d.id, d.webhook_id, d.body, d.tries, w.url, w.secret, w.old_secret, w.old_until`.execute(db);
  await Promise.all(
    rows.map(async (row) => {
      const { url, body, secret, old_secret, old_until } = row;
      const isOldGood = old_secret !== null && old_until !== null && millisOf(old_until) > clock.now();
      const opened = (isOldGood ? [secret, old_secret] : [secret]).map((each) =>
        openSecret(seal, row.webhook_id, each),
      );
      const secrets = opened.filter((each) => each !== null);
      const sent: Sent =
        secrets.length === 0
          ? { ok: false, fault: NO_SECRET }
          : await sendOne({ id: `msg_${row.id}`, url, body, secrets, at: clock.now() });
      await settle(db, row, sent, clock.now());
    }),
  );
  return rows.length;
}

/** Records what came of an attempt, unless a later attempt has begun. */
async function settle(db: Db, { id, webhook_id, tries }: DueRow, sent: Sent, now: number): Promise<void> {
  const at = isoAt(now);
  await inTransaction(db, async (trx) => {
    const pause = PAUSES_MS[tries - 1];
    const change = sent.ok
      ? { sent_at: at, fault: null }
      : pause === undefined
        ? { failed_at: at, fault: sent.fault }
        : { next_try_at: isoAt(now + pause), fault: sent.fault };
    const mine = trx
      .updateTable('webhook_delivery')
      .set({ ...change, taken_until: null })
      .where('id', '=', id)
      .where('sent_at', 'is', null);
    await (sent.ok ? mine : mine.where('tries', '=', tries)).execute();
    if (sent.ok) {
      await sql`update webhook set failing_since = null where id = ${webhook_id} and failing_since is not null`.execute(
        trx,
      );
      return;
    }
    await sql`
      update webhook set failing_since = coalesce(failing_since, ${at}::timestamptz) where id = ${webhook_id}`.execute(
      trx,
    );
    const why = sent.gone ? GONE : FAILING;
    await sql`
      update webhook set disabled_at = ${at}::timestamptz, disabled_why = ${why}, version = version + 1
      where id = ${webhook_id} and disabled_at is null
        and (${sent.gone === true} or failing_since <= ${isoAt(now - FAILING_MS)}::timestamptz)`.execute(trx);
  });
}

const NO_SECRET = 'TOKEN_KEY has been replaced, and with it the key to this secret: make a new secret.';
const GONE = 'The address replied that it wants no more messages (410).';
const FAILING = 'Nothing could be delivered for five days.';

/** Removes messages that were sent or given up before this time (ISO 8601). */
export async function forgetDeliveries(db: Db, before: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_delivery where coalesce(sent_at, failed_at) < ${before}::timestamptz`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Delivers what is due every `everyMs` milliseconds. Returns a function that stops it and waits for attempts under way.
 */
export function startDelivering(
  delivery: Delivery,
  { everyMs, onTrouble }: { readonly everyMs: number; readonly onTrouble: (error: unknown) => void },
): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    try {
      while (!stopped && (await deliverDue(delivery)) > 0);
    } catch (error) {
      onTrouble(error);
    }
  };
  const timer = setInterval(() => void (running ??= look().finally(() => (running = null))), everyMs);
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
