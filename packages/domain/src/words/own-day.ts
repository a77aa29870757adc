import { fill, type ValuesOf } from './catalogue.ts';
import type { LanguageCode } from './language-code.ts';
import { OWN_DAY } from './own-day-english.ts';
import { OWN_DAY_IN_SPANISH } from './own-day-spanish.ts';

/** The sentences of a therapist's own page. */
export const ownDayWords =
  (code: LanguageCode) =>
  <K extends keyof typeof OWN_DAY>(key: K, ...[values]: ValuesOf<(typeof OWN_DAY)[K]>): string =>
    fill((code === 'es' ? OWN_DAY_IN_SPANISH : OWN_DAY)[key], values);
