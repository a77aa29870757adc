import type { Recognised } from '@clinic/contract';
import { weekdayName } from '@clinic/domain';
import { timeWords } from './time-words.ts';

/** `Tuesdays, 9:00 AM – 11:00 AM` */
export const whenWords = ({ weekday, start, end }: Recognised): string =>
  `${weekdayName(weekday)}s, ${timeWords(start)} – ${timeWords(end)}`;

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const number = (n: number): string => NUMBERS[n] ?? String(n);

/** What speaks for the series: `12 of 13 Tuesdays, one covered by Kai, two cancelled`. */
export function evidenceWords({ held, weeks, weekday, covered, cancelled }: Recognised): string {
  const days = `${held} of ${weeks} ${weekdayName(weekday)}s`;
  const by = covered.map(({ therapist, dates }) => `${number(dates)} covered by ${therapist}`);
  return [days, ...by, ...(cancelled > 0 ? [`${number(cancelled)} cancelled`] : [])].join(', ');
}
