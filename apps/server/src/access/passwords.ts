import { randomBytes } from 'node:crypto';
import argon2 from '@node-rs/argon2';
import { makeTurns } from '../platform/turns.ts';

// Argon2id with 19 MiB, 2 passes and 1 lane, as OWASP recommends. The library has the same defaults; they are repeated
// here so that an update cannot lower them. `algorithm: 2` is argon2id (type stripping removes the library's enum).
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/**
 * Two passwords are checked at a time. For each IP address or account, up to 64 checks may wait, and a check waits no
 * longer than a person would.
 */
const turns = makeTurns({ atOnce: 2, ofOne: 2, mostWaiting: 64, patienceMs: 20_000 });

/** Hashes a password for storage. */
export function hashPassword(password: string): Promise<string> {
  return inTurn('', () => argon2.hash(password, COST));
}

/**
 * Whether a stored hash was made with different costs from the current ones. If so, the next login replaces the hash.
 */
export function isOutdated(kept: string): boolean {
  const { memoryCost, timeCost, parallelism } = COST;
  return !kept.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}

/**
 * Whether a password matches a stored hash. Without a hash (the account does not exist), does the same work and returns
 * false. At most two passwords are checked at a time, and the accounts and IP addresses that wait take turns, so that
 * many guesses do not keep others out.
 * @param whose the IP address, or the account that is logged in; if 64 of its checks are waiting, the next is refused
 * as busy (503)
 */
export async function checkPassword(kept: string | undefined, password: string, whose: string): Promise<boolean> {
  const against = kept ?? (await decoyHash());
  const fits = await inTurn(whose, () => argon2.verify(against, password));
  return fits && kept !== undefined;
}

let decoy: Promise<string> | undefined;
/** A hash that no password matches. */
function decoyHash(): Promise<string> {
  decoy ??= argon2.hash(randomBytes(32).toString('hex'), COST);
  return decoy;
}

/** Computes the decoy hash in advance. Otherwise, a slow first reply would reveal that an email is unknown. */
export async function warmPasswords(): Promise<void> {
  await decoyHash();
}

async function inTurn<T>(whose: string, work: () => Promise<T>): Promise<T> {
  const end = await turns.take(whose);
  try {
    return await work();
  } finally {
    end();
  }
}
