import { plainName } from '../names.ts';

/** The languages in which people are told. */
export type LanguageCode = 'en' | 'es';

/** The language to speak with someone whose language was typed as this: the first of ours that it names, else English. */
export function languageOf(typed: string): LanguageCode {
  const [first] = /^(?:es|spa)\b|spanish|espanol|castellano|english|ingles/.exec(plainName(typed)) ?? [];
  return first === undefined || first === 'english' || first === 'ingles' ? 'en' : 'es';
}
