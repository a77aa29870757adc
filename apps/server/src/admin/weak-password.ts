import type { PasswordWeakness } from '@clinic/contract';
import { locationValues } from '@clinic/domain';
import { isCommon } from './common-passwords.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Words in lower case that an attacker who knows the product and its users would try first (docs/security.md). A
 * password that contains little else is refused.
 */
export const contextWords = (): readonly string[] => [
  ...words(`
    clinic scheduler schedule calendar demo staff admin administrator therapist therapy client patient absence
    bcba rbt hospital health florida`),
  ...locationValues().flatMap((name) => [name.replaceAll(' ', ''), ...name.split(' ')]),
];

/** Parts of the most common passwords of twelve or more characters. */
const COMMON_PARTS = words(`
    password passwort passw0rd pass welcome letmein login access secret changeme change qwertyuiop asdfghjkl
    zxcvbnm qwerty qwertz azerty asdfgh asdf zxcvb 1qaz2wsx 3edc4rfv 1q2w3e4r5t6y 1q2w3e4r qazwsxedc qazwsx
    iloveyou ilove love monkey dragon football baseball sunshine princess superman batman master shadow michael
    trustno1 starwars computer internet summer winter spring autumn fall hello test user company abc`);

/** The minimum number of characters left after removing what attackers try. */
const LEAST_LEFT = 6;

/**
 * Says why a password is too easy to guess; null if it is not. First, everything that attackers try is removed: the
 * words above, the account's own name and email, sequences (`1234`, `abcd`) and repeats. Enough characters must be
 * left. Second, the password must not be on the list of stolen passwords.
 */
export function weakness(password: string, own: readonly string[]): PasswordWeakness | null {
  const plain = password.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (new Set(plain).size < 5) return 'too-few-characters';
  const personal = own
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= 3);
  const tried = [...contextWords(), ...COMMON_PARTS, ...personal].sort((a, b) => b.length - a.length);
  const left = withoutRuns(tried.reduce((text, word) => text.replaceAll(word, ' '), plain)).replaceAll(' ', '');
  if (left.length < LEAST_LEFT && left.length < plain.length) return 'common-words';
  return isCommon(password) ? 'stolen' : null;
}

/**
 * Removes repeated parts (`abcabc`), and runs of three or more characters that are equal (`aaa`) or consecutive
 * (`abc`).
 */
function withoutRuns(text: string): string {
  const kept: string[] = [];
  for (let i = 0; i < text.length;) {
    const step = (text.codePointAt(i + 1) ?? NaN) - (text.codePointAt(i) ?? NaN);
    let end = i + 1;
    while (Math.abs(step) <= 1 && (text.codePointAt(end) ?? NaN) - (text.codePointAt(end - 1) ?? NaN) === step) end++;
    if (end - i < 3) kept.push(text[i] ?? '');
    i = end - i < 3 ? i + 1 : end;
  }
  return kept.join('').replaceAll(/(.{2,}?)\1+/g, '$1');
}
