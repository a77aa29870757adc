import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** The SHA-256 of a link's secret. Only this is stored. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Makes a new secret for a link. */
export function makeSecret(): { readonly secret: string; readonly hash: Buffer } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, hash: hashOf(secret) };
}
