import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * About 44,000 passwords of twelve or more characters among the million most common stolen ones (SecLists,
 * 10-million-password-list-top-1000000; its license is beside this file). The file has the first four bytes of the
 * SHA-256 of each password in lower case, sorted; `tools/common-passwords.mjs` makes it.
 */
const FILE = join(import.meta.dirname, 'common-passwords.bin');

let kept: Buffer | undefined;

/**
 * Whether a password is on that list, ignoring upper and lower case. About one in 100,000 other passwords also counts
 * as listed, because only four bytes are compared.
 */
export function isCommon(password: string): boolean {
  kept ??= readFileSync(FILE);
  const wanted = createHash('sha256').update(password.toLowerCase()).digest().readUInt32BE(0);
  let [low, high] = [0, kept.length / 4];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const head = kept.readUInt32BE(middle * 4);
    if (head === wanted) return true;
    if (head < wanted) low = middle + 1;
    else high = middle;
  }
  return false;
}
