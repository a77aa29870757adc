import { tidyText } from './names.ts';

/** Accents on one letter: the time to compare them grows with the square of their number. */
export const MOST_ACCENTS = 30;

/** Invisible characters count as well, because removing them would bring accents together. */
const MANY_ACCENTS = new RegExp(`[\\p{M}\\p{Cf}\\p{Default_Ignorable_Code_Point}]{${MOST_ACCENTS + 1}}`, 'u');

const MANY_ACCENTS_FAULT = `has more than ${MOST_ACCENTS} accents on one letter`;

export const hasManyAccents = (text: string): boolean => text.length > MOST_ACCENTS && MANY_ACCENTS.test(text);

/** Characters that Unicode has not assigned or leaves to each font: one screen shows a letter, another a box or nothing. */
const UNREADABLE = /[\p{Cn}\p{Co}]/u;

/** Why a text cannot be stored as a name or a short value; null if it can. Every door of text asks this. */
export function characterFault(text: string): string | null {
  if (/^[ -~]*$/.test(text)) return null;
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return 'contains a control character';
  if (hasManyAccents(text)) return MANY_ACCENTS_FAULT;
  return UNREADABLE.test(tidyText(text)) ? 'contains a character that most screens cannot show' : null;
}

/** A text in a person's own words, on one line: what cannot be read becomes a space, and invisible characters go. */
export const oneLine = (text: string): string => tidyText(tidyText(text).replace(/[\p{Cc}\p{Cn}\p{Co}]+/gu, ' '));

/** Like `characterFault`, for a text that `oneLine` will make readable. */
export const lineFault = (text: string): string | null =>
  /\p{Cs}/u.test(text) ? 'contains half a character' : hasManyAccents(oneLine(text)) ? MANY_ACCENTS_FAULT : null;
