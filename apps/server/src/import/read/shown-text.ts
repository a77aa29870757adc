import { utils } from '@e965/xlsx';
import { LONGEST_FORMAT, shownBy } from './cell-text.ts';

/** A number as any format without texts shows it: a currency and separators may go, they name nothing. */
const ONLY_A_NUMBER = /^[-+(]?[\d.,\s\u2019']*\)?%?$/;

/**
 * Returns what the sheet shows of a value, if its format adds a text (`"K-"0` shows 17 as `K-17`): in columns of names and
 * identifiers that is what people read. Null if the format adds none. Dates, times and rounded numbers are not such texts.
 */
export function withFormatsText(value: number | string, format: string): string | null {
  if (format.length > LONGEST_FORMAT || PLAIN_FORMAT.test(format)) return null;
  const { hasTime, hasDate, isLength, bare } = shownBy(format);
  if (typeof value === 'string' ? !format.includes('@') : hasTime || hasDate || isLength || /e[+-]/i.test(bare))
    return null;
  // A format that the library cannot read changes nothing.
  const text = utils.format_cell({ t: typeof value === 'number' ? 'n' : 's', v: value, z: format });
  const name = text.replace(/\p{Sc}/gu, '').trim();
  return name === '' || (typeof value === 'number' && ONLY_A_NUMBER.test(name)) ? null : text.trim();
}

const PLAIN_FORMAT = /^(?:general|standard|[0#?.,%\s]*|@)$/i;
