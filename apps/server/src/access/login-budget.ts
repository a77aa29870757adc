import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';
import { isoAt } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';

/**
 * Limits how often passwords may be tried. Each attempt takes a token from up to three buckets. A bucket can go into
 * debt; the attempt then waits until the debt is paid off. So users who know the password get in after a few seconds,
 * whatever others do. An attempt that would wait longer than `PATIENCE_SECONDS` is refused. A successful attempt
 * returns its tokens.
 *
 * Replies do not reveal which accounts exist. From an IP address that an account has used before, a wrong password
 * costs the same tokens and the same wait as from any other address. The only difference is that the tokens are taken
 * after the password is checked (`takeFailure`), not before.
 *
 * The owner is never locked out: an account has a separate bucket for each IP address from which it has logged in.
 * Attempts from other addresses or on other accounts take nothing from that bucket.
 */

// The bucket for attempts on this account from this address.
const LANE = { burst: 10, perSecond: 1 / 5 };
// The bucket for attempts on this account from addresses that it has not used before.
const ACCOUNT = { burst: 30, perSecond: 1 / 5 };
// The bucket for attempts from this address on accounts that have not used it before.
const ADDRESS = { burst: 100, perSecond: 1 / 2 };
// The bucket for six-digit codes of an account, wherever they come from: a thousandth of all codes takes eleven days.
const CODES = { burst: 10, perSecond: 1 / 300 };
const PATIENCE_SECONDS = 12;
const FORGET_DAYS = 60;

interface Bucket {
  readonly burst: number;
  readonly perSecond: number;
}

/** One attempt to log in with a password. */
export interface Attempt {
  readonly email: string;
  readonly address: string;
}

export type Verdict =
  | { readonly allowed: true; /** Milliseconds to wait before the password is checked. */ readonly waitMs: number }
  | Refused;

/** The refusal of an attempt that came too soon. */
export interface Refused {
  readonly allowed: false;
  readonly retryAfterSeconds: number;
  /** Whether the server would have checked the password first if the account had logged in from this address before. */
  readonly knownWouldBeTried: boolean;
}

/** The refusal (429) of an attempt that came too soon, with the time to wait. */
export const tooMany = ({ retryAfterSeconds }: Refused): Refusal =>
  new Refusal('too-many', { headers: { 'retry-after': String(retryAfterSeconds) } });

/**
 * Takes an attempt's tokens.
 * @param factor multiplies all budgets (RATE_LIMIT)
 */
export async function takeAttempt(db: Db, attempt: Attempt, now: number, factor: number): Promise<Verdict> {
  const keys = keysOf(attempt);
  const lane = await draw(db, [[keys.lane, LANE]], now, factor);
  if (lane > PATIENCE_SECONDS) return refused(lane, false);
  const others = (await isKnown(db, keys.known)) ? 0 : await draw(db, othersOf(keys), now, factor);
  if (others <= PATIENCE_SECONDS) return { allowed: true, waitMs: Math.ceil(Math.max(lane, others) * 1000) };
  await giveBack(db, keys.lane, scaled(LANE, factor));
  return refused(others, true);
}

/**
 * After a wrong password from an address that the account has used before, takes the tokens that `takeAttempt` did not
 * take. So the reply is delayed or refused exactly as for an unknown account.
 */
export async function takeFailure(db: Db, attempt: Attempt, now: number, factor: number): Promise<Verdict> {
  const keys = keysOf(attempt);
  // `takeAttempt` has already taken this attempt's tokens.
  if (!(await isKnown(db, keys.known))) return { allowed: true, waitMs: 0 };
  const wait = await draw(db, othersOf(keys), now, factor);
  if (wait <= PATIENCE_SECONDS) return { allowed: true, waitMs: Math.ceil(wait * 1000) };
  await giveBack(db, keys.lane, scaled(LANE, factor));
  return refused(wait, true);
}

/** Takes an attempt at a six-digit code of an account; `giveBack` returns it after the right code. */
export async function takeCodeAttempt(
  db: Db,
  accountId: string,
  now: number,
  factor: number,
): Promise<{ readonly allowed: true; giveBack(): Promise<void> } | Refused> {
  const key = `code:${createHash('sha256').update(accountId).digest('base64url').slice(0, 22)}`;
  const wait = await draw(db, [[key, CODES]], now, factor);
  if (wait > PATIENCE_SECONDS) return refused(wait, false);
  return { allowed: true, giveBack: () => giveBack(db, key, scaled(CODES, factor)) };
}

const refused = (wait: number, knownWouldBeTried: boolean): Refused => ({
  allowed: false,
  retryAfterSeconds: Math.ceil(wait - PATIENCE_SECONDS),
  knownWouldBeTried,
});

type Buckets = readonly (readonly [key: string, bucket: Bucket])[];

/**
 * Returns the buckets that attempts on this account from elsewhere, or on other accounts from this address, also use.
 * At an address that the account has used before, only a wrong password takes tokens from these buckets.
 */
const othersOf = (keys: ReturnType<typeof keysOf>): Buckets => [
  [keys.account, ACCOUNT],
  [keys.address, ADDRESS],
];

/**
 * Takes a token from each bucket and returns how many seconds the largest debt takes to pay off. Takes no tokens if the
 * wait would be too long.
 */
async function draw(db: Db, buckets: Buckets, now: number, factor: number): Promise<number> {
  let wait = 0;
  const taken: (readonly [string, Bucket])[] = [];
  for (const each of buckets) {
    const [key, bucket] = each;
    taken.push(each);
    wait = Math.max(wait, await take(db, key, scaled(bucket, factor), now));
    // If one bucket refuses, the others get their tokens back. Otherwise, other attempts would have to wait for no
    // reason.
    if (wait > PATIENCE_SECONDS) break;
  }
  if (wait > PATIENCE_SECONDS) for (const [key, bucket] of taken) await giveBack(db, key, scaled(bucket, factor));
  return wait;
}

/** Returns a successful attempt's tokens, and remembers that the account has used this address. */
export async function rewardSuccess(db: Db, attempt: Attempt, now: number, factor: number): Promise<void> {
  const keys = keysOf(attempt);
  await giveBack(db, keys.lane, scaled(LANE, factor));
  // Gives back only the tokens that this login took. Otherwise, anyone with an account could refill the address's
  // bucket and go on guessing the passwords of other accounts.
  if (!(await isKnown(db, keys.known))) {
    await giveBack(db, keys.account, scaled(ACCOUNT, factor));
    await giveBack(db, keys.address, scaled(ADDRESS, factor));
  }
  const at = isoAt(now);
  await db
    .insertInto('login_budget')
    .values({ key: keys.known, tokens: 0, refilled_at: at })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ refilled_at: at }))
    .execute();
  await db
    .deleteFrom('login_budget')
    .where('refilled_at', '<', isoAt(now - FORGET_DAYS * 86_400_000))
    .execute();
}

/** Whether the account has logged in from the address before. */
async function isKnown(db: Db, key: string): Promise<boolean> {
  return (await db.selectFrom('login_budget').select('key').where('key', '=', key).executeTakeFirst()) !== undefined;
}

/** Takes one token; returns how many seconds its debt takes to pay off, or 0. */
async function take(db: Db, key: string, { burst, perSecond }: Bucket, now: number): Promise<number> {
  const at = isoAt(now);
  const { rows } = await sql<{ tokens: number }>`
    insert into login_budget (key, tokens, refilled_at) values (${key}, ${burst - 1}, ${at})
    on conflict (key) do update set
      tokens = least(${burst}::float8, login_budget.tokens
        + greatest(0, extract(epoch from ${at}::timestamptz - login_budget.refilled_at)::float8) * ${perSecond}::float8) - 1,
      refilled_at = greatest(login_budget.refilled_at, ${at}::timestamptz)
    returning tokens`.execute(db);
  const tokens = rows[0]?.tokens ?? NaN;
  if (!Number.isFinite(tokens)) throw new Error('a login budget cannot be read');
  return tokens >= 0 ? 0 : -tokens / perSecond;
}

async function giveBack(db: Db, key: string, { burst }: Bucket): Promise<void> {
  await sql`update login_budget set tokens = least(${burst}::float8, tokens + 1) where key = ${key}`.execute(db);
}

function scaled(bucket: Bucket, factor: number): Bucket {
  return { burst: Math.max(1, bucket.burst * factor), perSecond: bucket.perSecond * factor };
}

/** Addresses and emails are stored as hashes, because they only need to be compared. */
function keysOf({ email, address }: Attempt): { lane: string; account: string; address: string; known: string } {
  const hash = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);
  const [account, place] = [hash(email), hash(placeOf(address))];
  return {
    lane: `lane:${account}:${place}`,
    account: `account:${account}`,
    address: `address:${place}`,
    known: `known:${account}:${place}`,
  };
}

/**
 * Returns the part of an address that counts as one place: an IPv4 address, or a whole IPv6 network (/64), because the
 * network's owner can use all of its addresses.
 */
function placeOf(address: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined || !address.includes(':')) return v4 ?? address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = head.split(':').filter(Boolean);
  if (tail !== undefined) {
    const last = tail.split(':').filter(Boolean);
    groups.push(...Array.from({ length: Math.max(0, 8 - groups.length - last.length) }, () => '0'), ...last);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
