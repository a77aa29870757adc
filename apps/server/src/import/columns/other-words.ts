import { readTable } from './tables.ts';

const WORDS = new Map(
  readTable('other-words').map(([of, meaning, words = '']) => [`${of} ${meaning}`, words.split('|')]),
);

/** The other words that exports use for one of our values, such as a cause or the side that caused a loss. */
export const otherWords = (
  of: 'cause' | 'side' | 'period' | 'credential' | 'therapist',
  meaning: string,
): readonly string[] => WORDS.get(`${of} ${meaning}`) ?? [];
