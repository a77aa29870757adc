import type { MakeupPiece, Owed } from '@clinic/contract';
import { clockTime, duration, isoDate, parseTime, shortDate } from '@clinic/domain';

/** Clients who are owed at least half an hour, which is the least that can be made up. */
export const canMakeUp = ({ owed }: Owed): boolean => owed >= 30;

/** Why the time was lost, the most first: `Weather 2 h, no reason yet 1 h`. */
export const causesWords = ({ lost_by }: Owed): string =>
  lost_by.map(({ label, minutes }) => `${label ?? 'no reason yet'} ${duration(minutes)}`).join(', ');

/** What authorizations have left, in words. */
export const leftWords = ({ left }: Owed): string =>
  left === null ? 'not checked' : left === 0 ? 'nothing' : duration(left);

const time = (text: string): string => clockTime(parseTime(text) ?? 0);

/** `Mon, Nov 23, 8:00 AM – 10:00 AM` */
export const whenWords = ({ date, start, end }: MakeupPiece): string =>
  `${shortDate(isoDate(date))}, ${time(start)} – ${time(end)}`;

export const KNOWS_WORDS = { team: 'on the team', known: 'known', new: 'new face' } as const;

/** The minutes of these sessions. */
export const minutesOf = (pieces: readonly MakeupPiece[]): number =>
  pieces.reduce((sum, { start, end }) => sum + (parseTime(end) ?? 0) - (parseTime(start) ?? 0), 0);
