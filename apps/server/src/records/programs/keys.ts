import { calculateJwkThumbprint, importJWK, type JWK } from 'jose';
import type { ServiceKey } from '../../access/service-callers.ts';
import { refusal } from '../../platform/refusal.ts';

const MOST_KEYS = 5;
const LEAST_RSA_BITS = 2048;
/** The members of a JWK that only a private or shared key has (RFC 7518). */
const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'];

/**
 * Reads public keys from a JWK or a JWK set in JSON. Refuses (`invalid`) anything else, a private key above all, and
 * keys that RS384 and ES384 cannot use. Keys are given here and never fetched from an address, so that nobody can make
 * the server ask an address of their choice.
 */
export async function readKeys(text: string): Promise<ServiceKey[]> {
  const keys = listIn(text);
  if (keys.length === 0 || keys.length > MOST_KEYS) throw refusal('key-count', MOST_KEYS);
  const read = await Promise.all(keys.map(readKey));
  return [...new Map(read.map((key) => [key.thumbprint, key])).values()];
}

function listIn(text: string): Record<string, unknown>[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal('key-unreadable');
  }
  const list: unknown[] = isRecord(value) && Array.isArray(value['keys']) ? value['keys'] : [value];
  if (!list.every(isRecord)) throw refusal('key-unreadable');
  return list;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function readKey(given: Record<string, unknown>): Promise<ServiceKey> {
  if (PRIVATE.some((member) => Object.hasOwn(given, member))) throw refusal('key-private');
  const { kty, crv, x, y, n, e, kid } = given;
  const id = typeof kid === 'string' && kid.length <= 200 ? { kid } : {};
  const jwk: JWK =
    kty === 'RSA' ? { kty, n: textOf(n), e: textOf(e) } : { kty: 'EC', crv: 'P-384', x: textOf(x), y: textOf(y) };
  if (kty !== 'RSA' && !(kty === 'EC' && crv === 'P-384')) throw refusal('key-unfit');
  try {
    const key = await importJWK(jwk, kty === 'RSA' ? 'RS384' : 'ES384');
    const { modulusLength } = 'algorithm' in key ? (key.algorithm as { modulusLength?: number }) : {};
    if (kty === 'RSA' && (modulusLength ?? 0) < LEAST_RSA_BITS) throw refusal('key-unfit');
  } catch {
    throw refusal('key-unfit');
  }
  return { thumbprint: await calculateJwkThumbprint(jwk), jwk: { ...jwk, ...id } };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
