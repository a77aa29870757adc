import type { Seal } from '../../access/seal.ts';
import type { Db } from '../../db/connection.ts';

const SEALED = 'sealed:';
const about = (id: string): string => `webhook ${id}`;

/** A webhook's secret as the database keeps it. */
export const sealSecret = (seal: Seal, id: string, secret: string): string =>
  SEALED + seal.close(Buffer.from(secret), about(id)).toString('base64url');

/**
 * A webhook's secret; null if it was sealed with another key (TOKEN_KEY). One of a version that sealed none is plain
 * until `sealSecrets`.
 */
export const openSecret = (seal: Seal, id: string, stored: string): string | null =>
  stored.startsWith(SEALED)
    ? (seal.open(Buffer.from(stored.slice(SEALED.length), 'base64url'), about(id))?.toString() ?? null)
    : stored;

/** Seals the secrets that an earlier version left plain; returns how many webhooks had one. */
export async function sealSecrets(db: Db, seal: Seal): Promise<number> {
  const plain = await db
    .selectFrom('webhook')
    .select(['id', 'secret', 'old_secret'])
    .where((eb) => eb.or([eb('secret', 'not like', `${SEALED}%`), eb('old_secret', 'not like', `${SEALED}%`)]))
    .execute();
  for (const { id, secret, old_secret: old } of plain) {
    const sealed = (text: string): string => (text.startsWith(SEALED) ? text : sealSecret(seal, id, text));
    await db
      .updateTable('webhook')
      .set({ secret: sealed(secret), old_secret: old === null ? null : sealed(old) })
      .where('id', '=', id)
      .where('secret', '=', secret)
      .execute();
  }
  return plain.length;
}
