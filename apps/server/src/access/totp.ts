import { createHmac, timingSafeEqual } from 'node:crypto';

// Time-based one-time passwords (RFC 6238) with the values that every authenticator app understands: SHA-1, six digits,
// thirty seconds. Thirty lines over Node's HMAC, checked with the RFC's own vectors, instead of a package.

const STEP_SECONDS = 30;
const DIGITS = 6;
/** How many steps a phone's clock may be wrong, either way. */
const DRIFT = 1;

/** The code of a time step (HOTP, RFC 4226). */
export function codeAt(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * The time step of a code that is right now, or was or will be within a step; null if it is wrong. Does the same work
 * for every code.
 * @param now milliseconds since 1970
 */
export function stepOf(secret: Buffer, code: string, now: number): number | null {
  const typed = Buffer.from(code.replaceAll(/\s/g, '').padEnd(DIGITS, ' '));
  const current = Math.floor(now / 1000 / STEP_SECONDS);
  let found: number | null = null;
  for (let step = current - DRIFT; step <= current + DRIFT; step++) {
    const right = Buffer.from(codeAt(secret, step));
    if (typed.length === right.length && timingSafeEqual(typed, right)) found ??= step;
  }
  return found;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base 32 (RFC 4648) without padding, as authenticator apps take a secret that is typed. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** What the QR code says to an authenticator app. */
export function setUpAddress(secret: Buffer, email: string): string {
  const label = `${encodeURIComponent('Scheduler')}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=Scheduler`;
}
