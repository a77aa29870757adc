import type { Closure } from '@clinic/contract';
import { isoDate, shortDate } from '@clinic/domain';
import { timeWords as said } from '../../shared/time-words.ts';

type When = Pick<Closure, 'from_date' | 'from_time' | 'to_date' | 'to_time'>;

const isStart = (time: string): boolean => time === '00:00';
const isEnd = (time: string): boolean => time === '24:00' || time === '23:59';

/** When a location is closed: `Thu, Nov 26`, `Thu, Dec 24, from 12:00 PM`, `Wed, Nov 25 to Fri, Nov 27, 12:00 PM`. */
export function whenWords({ from_date, from_time, to_date, to_time }: When): string {
  const [first, last] = [shortDate(isoDate(from_date)), shortDate(isoDate(to_date))];
  if (from_date !== to_date)
    return `${first}${isStart(from_time) ? '' : `, ${said(from_time)}`} to ${last}${isEnd(to_time) ? '' : `, ${said(to_time)}`}`;
  if (isStart(from_time)) return isEnd(to_time) ? first : `${first}, until ${said(to_time)}`;
  return isEnd(to_time) ? `${first}, from ${said(from_time)}` : `${first}, ${said(from_time)} to ${said(to_time)}`;
}

export const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
