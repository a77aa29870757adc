import { MINUTES_A_DAY } from '@clinic/domain';
import { wholeMinutes } from '../rows/fields.ts';

/** From here, a number with the format of a time has a date as well. */
const DATES_FROM = 2;
/** The days between the two days from which workbooks count. */
export const DAYS_TO_1904 = 1462;
const FIRST_DAY = Date.UTC(1899, 11, 30);

/**
 * Returns a number of a workbook as the text that its sheet shows, as far as an import must know it: dates and times
 * (minutes, without a zone), percent, leading zeros. Dates are `2026-12-07`, with a time `2026-12-07 09:00`; a time of
 * day alone is `09:00`, and a length of time may have more hours than a day.
 */
export function numberText(value: number, format: string, from1904: boolean): string {
  const { bare, hasTime, hasDate, isLength } = shownBy(format);
  if ((hasTime || hasDate || isLength) && value >= 0) {
    const minutes = wholeMinutes(value * MINUTES_A_DAY);
    if (isLength) return clock(minutes);
    if (value < (hasDate ? 1 : DATES_FROM)) return clock(minutes % MINUTES_A_DAY);
    return dateText(minutes, from1904, hasTime);
  }
  if (bare.includes('%')) return `${decimal(value * 100)}%`;
  if (/^0{2,}(?:[- ]0+)*$/.test(bare) && Number.isInteger(value) && value >= 0) return withZeros(value, bare);
  return decimal(value);
}

/** What a number format shows of a number. */
interface Shown {
  /** The format without what has no meaning: texts, colors, currencies. */
  readonly bare: string;
  readonly hasTime: boolean;
  readonly hasDate: boolean;
  readonly isLength: boolean;
}

const shown = new Map<string, Shown>();
const MOST_SHOWN = 5000;
export const LONGEST_FORMAT = 1000;

/** A workbook has few formats and many cells, so what a format shows is kept. */
export function shownBy(format: string): Shown {
  const known = shown.get(format);
  if (known) return known;
  // Characters in quotes, behind a backslash, and those that only take room, mean nothing.
  const first = (format.slice(0, LONGEST_FORMAT).split(';')[0] ?? '').replace(/"[^"]*"|\\.|[_*]./g, '');
  const bare = /^(?:general|standard)$/i.test(first) ? '' : first.replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  const isLength = bare.includes('[');
  const hasTime = /[hs]/i.test(bare);
  const hasDate = /[yd]/i.test(bare) || (/m/i.test(bare) && !hasTime && !isLength);
  if (shown.size >= MOST_SHOWN) shown.clear();
  shown.set(format, { bare, hasTime, hasDate, isLength });
  return { bare, hasTime, hasDate, isLength };
}

const two = (n: number): string => String(n).padStart(2, '0');
const clock = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;

function dateText(minutes: number, from1904: boolean, withTime: boolean): string {
  const date = new Date(FIRST_DAY + (minutes + (from1904 ? DAYS_TO_1904 * MINUTES_A_DAY : 0)) * 60_000);
  if (Number.isNaN(date.getTime())) return String(minutes);
  const [day, time] = [date.toISOString().slice(0, -14), minutes % MINUTES_A_DAY];
  return withTime || time !== 0 ? `${day} ${clock(time)}` : day;
}

/** A number without the last digits, in which its binary form differs: 0.1 + 0.2 is 0.3, as spreadsheets show it. */
const decimal = (value: number): string => String(Number(value.toPrecision(15)));

/** A number with a format such as `00000` or `000-00-0000`. */
function withZeros(value: number, format: string): string {
  const digits = [...String(value).padStart((format.match(/0/g) ?? []).length, '0')];
  const more = digits.length - (format.match(/0/g) ?? []).length;
  return digits.splice(0, more).join('') + [...format].map((char) => (char === '0' ? digits.shift() : char)).join('');
}
