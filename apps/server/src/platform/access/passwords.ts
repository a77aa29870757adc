import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { makeTurns } from '../turns.ts';

// Argon2id with 19 MiB, 2 passes, 1 lane: OWASP's recommendation, and the library's own defaults, written out here so
// that an update cannot lower them. 2 is the library's number for argon2id (its enum does not survive type stripping).
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Two at a time. Up to 64 may wait for the same address or account, and no longer than a person would. */
const turns = makeTurns({
  atOnce: 2,
  ofOne: { whose: 2 },
  fairBy: 'whose',
  mostWaiting: 64,
  patienceMs: 20_000,
});

/** The hash to store for a password. */
export function hashPassword(password: string): Promise<string> {
  return inTurn('', () => hash(password, COST));
}

/** Whether a stored hash was made with other costs than new hashes: the next sign-in then replaces it. */
export function isOutdated(kept: string): boolean {
  const { memoryCost, timeCost, parallelism } = COST;
  return !kept.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}

/**
 * Whether a password matches a stored hash. Without a hash (no such account) it does the same work and returns false.
 * At most two are checked at once, and those waiting take turns, so that many guesses do not keep others out.
 * @param whose the address, or the account of a signed-in caller; with 64 waiting, the next is refused as busy (503)
 */
export async function checkPassword(kept: string | undefined, password: string, whose: string): Promise<boolean> {
  const against = kept ?? (await decoyHash());
  const fits = await inTurn(whose, () => verify(against, password));
  return fits && kept !== undefined;
}

let decoy: Promise<string> | undefined;
/** A hash that no password matches. */
function decoyHash(): Promise<string> {
  decoy ??= hash(randomBytes(32).toString('hex'), COST);
  return decoy;
}

/** Prepares in advance, so that a slower first reply does not reveal an unknown email. */
export async function warmPasswords(): Promise<void> {
  await decoyHash();
}

async function inTurn<T>(whose: string, work: () => Promise<T>): Promise<T> {
  const end = await turns.take({ whose });
  try {
    return await work();
  } finally {
    end();
  }
}
