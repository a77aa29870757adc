import { ACCOUNT } from './account-english.ts';
import { ACCOUNT_IN_SPANISH } from './account-spanish.ts';
import { fill, type ValuesOf } from './catalogue.ts';
import type { LanguageCode } from './language-code.ts';

/** The sentences of logging in, and of one's own account. */
export const accountWords =
  (code: LanguageCode) =>
  <K extends keyof typeof ACCOUNT>(key: K, ...[values]: ValuesOf<(typeof ACCOUNT)[K]>): string =>
    fill((code === 'es' ? ACCOUNT_IN_SPANISH : ACCOUNT)[key], values);
