import { addDays, dayOfWeek, parseDate, weekdayName, type IsoDate } from '@clinic/domain';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Reads a date from `today`, `tomorrow`, `yesterday`, `mon`, `11/23`, `nov 23`, `23 nov` or `2026-11-23`; null for any
 * other text. The name of a day means the first such day after today. A date without a year gets the year that brings
 * it nearest to today.
 */
export function parseDateWords(typed: string, today: IsoDate): IsoDate | null {
  const text = typed.trim().toLowerCase();
  if (text.length < 2) return null;
  const exact = parseDate(text);
  if (exact) return exact;
  if ('today'.startsWith(text) && text.length > 2) return today;
  if ('tomorrow'.startsWith(text) && text.length > 2) return addDays(today, 1);
  if ('yesterday'.startsWith(text) && text.length > 2) return addDays(today, -1);
  if (text.length > 2)
    for (let ahead = 1; ahead <= 7; ahead++) {
      const date = addDays(today, ahead);
      if (weekdayName(dayOfWeek(date)).toLowerCase().startsWith(text)) return date;
    }
  const numbers = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(text);
  if (numbers) return nearest(Number(numbers[1]), Number(numbers[2]), numbers[3], today);
  const words = /^(?:([a-z]{3})[a-z]*\s+(\d{1,2})|(\d{1,2})\s+([a-z]{3})[a-z]*)(?:,?\s+(\d{4}))?$/.exec(text);
  if (!words) return null;
  const month = MONTHS.indexOf(words[1] ?? words[4] ?? '') + 1;
  return month === 0 ? null : nearest(month, Number(words[2] ?? words[3]), words[5], today);
}

function nearest(month: number, day: number, year: string | undefined, today: IsoDate): IsoDate | null {
  const inYear = (y: number): IsoDate | null =>
    parseDate(`${y}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`);
  if (year !== undefined) return inYear(Number(year));
  const now = Number(today.slice(0, 4));
  const away = (date: IsoDate): number => Math.abs(Date.parse(date) - Date.parse(today));
  return (
    [now - 1, now, now + 1]
      .map(inYear)
      .filter((date) => date !== null)
      .sort((a, b) => away(a) - away(b))[0] ?? null
  );
}
