import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts small secrets that the database keeps, with a key made from the one that signs tokens. */
export interface Seal {
  /** @param about what the secret belongs to: it opens with the same text only */
  close(secret: Buffer, about: string): Buffer;
  /** The secret; null if it was sealed with another key, for something else, or was changed. */
  open(sealed: Buffer, about: string): Buffer | null;
}

/** @param tokenKey the key that signs tokens */
export function makeSeal(tokenKey: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', tokenKey, '', 'clinic-scheduler seal', 32));
  return {
    close(secret, about) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(secret), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    open(sealed, about) {
      try {
        const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(about)).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      } catch {
        return null;
      }
    },
  };
}
