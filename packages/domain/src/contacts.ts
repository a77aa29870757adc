/**
 * Telephone numbers and email addresses. Numbers are stored as typed; `dialable` turns a number into a form that a
 * telephone can dial.
 */

/** What people write after a number: an extension, or the kind of telephone (cell, home, work). */
const EXTENSION = /(?:;ext=|,|\b(?:extension|ext|x)\b\.?:?|x|#)\s*(\d{1,6})$/i;
const WHICH = /\(?\b(?:cell|mobile|home|work|office|main|c|m|h|w)\b\)?\.?$/i;
const LEAST = 7;
const MOST = 15; // The maximum number of digits in an international number (E.164).

/**
 * Turns a typed telephone number into the form for a `tel:` or `sms:` link (RFC 3966), or returns null when it is not a
 * number. Ignores spaces, parentheses, periods, slashes and dashes. Ten digits are a North American number, numbers of
 * other countries begin with `+` or `011`, and seven digits get no area code.
 */
export function dialable(typed: string): string | null {
  const text = typed
    .normalize('NFKC')
    .replace(/\p{Pd}/gu, '-')
    .trim()
    .replace(WHICH, '')
    .trim();
  const extension = EXTENSION.exec(text);
  const number = extension === null ? text : text.slice(0, extension.index).trim();
  if (!/^\+?[\d\s().\-/]+$/.test(number)) return null;
  const digits = number.replace(/\D/g, '');
  const called = number.startsWith('+') ? `+${digits}` : withCountry(digits);
  const length = called.replace('+', '').length;
  if (length < (called.startsWith('+') ? LEAST + 1 : LEAST) || length > MOST) return null;
  return extension === null ? called : `${called};ext=${extension[1] ?? ''}`;
}

function withCountry(digits: string): string {
  if (digits.length === 10 && !digits.startsWith('0')) return `+1${digits}`;
  if (digits.length === 11 && digits.startsWith('1')) return `+${digits}`;
  return digits.startsWith('011') ? `+${digits.slice(3)}` : digits;
}

const LETTER = String.raw`\p{L}\p{M}\p{N}`;
const WORD = String.raw`[${LETTER}_+'&~#\-]+`;
const LABEL = String.raw`(?:[${LETTER}]|[${LETTER}][${LETTER}\-]{0,61}[${LETTER}])`;
const ADDRESS = new RegExp(String.raw`^(?!-)${WORD}(?:\.${WORD})*@(?:${LABEL}\.)+(?!\d+$)${LABEL}$`, 'u');

/**
 * Whether the text is an email address as people have them; whether it exists is not checked. Other forms that mail
 * servers know are refused, since programs disagree on what they mean: quotes, comments, encoded words, addresses of
 * machines (`a@[1.2.3.4]`), and a leading `-`, which programs take for an option.
 */
export const isEmailAddress = (text: string): boolean =>
  text.length <= 254 && text.indexOf('@') <= 64 && ADDRESS.test(text);
