import { randomBytes } from 'node:crypto';
import type { Db } from '../db/connection.ts';
import type { PasskeyPurpose } from '../db/schema/access.ts';
import { isoAt } from '../platform/clock.ts';
import { refusal } from '../platform/refusal.ts';
import { insertChallenge, takeChallengeRow, type ChallengeAbout } from './passkeys.queries.ts';

/** How long users have to use their passkey. */
export const CHALLENGE_MS = 5 * 60_000;
const CHALLENGE_BYTES = 32;

/** Makes a new challenge, stored so that it works only once, in any process, until it expires. */
export async function makeChallenge(db: Db, now: number, about: ChallengeAbout): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES);
  const expires_at = isoAt(now + CHALLENGE_MS);
  await insertChallenge(db, { ...about, challenge, expires_at }, isoAt(now));
  return challenge.toString('base64url');
}

/** A challenge that was signed and cannot be used again, and the account or invitation that it was made for. */
interface TakenChallenge {
  readonly challenge: string;
  readonly accountId: string | null;
  readonly invitationId: string | null;
}

/**
 * Uses up the challenge that a browser's data names. Refuses a challenge that was made for another purpose, was used or
 * has expired.
 */
export async function takeChallenge(
  db: Db,
  purpose: PasskeyPurpose,
  clientDataJSON: string,
  now: number,
): Promise<TakenChallenge> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === null) throw refusal('passkey-timed-out');
  const bytes = Buffer.from(challenge, 'base64url');
  const row = await takeChallengeRow(db, { challenge: bytes, purpose }, isoAt(now));
  if (!row) throw refusal('passkey-timed-out');
  return { challenge, accountId: row.account_id, invitationId: row.invitation_id };
}

function challengeIn(clientDataJSON: string): string | null {
  const data = parsed(Buffer.from(clientDataJSON, 'base64url').toString());
  if (typeof data !== 'object' || data === null || !('challenge' in data)) return null;
  // Our headers forbid other sites to show our pages in a frame, so none of our pages can report that it is in a frame.
  const isFramed = 'crossOrigin' in data && data.crossOrigin === true;
  return typeof data.challenge === 'string' && !isFramed ? data.challenge : null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
