import { createContext, use } from 'react';
import { accountWords, type LanguageCode } from '@clinic/domain';
import { ApiError, NoReplyError } from '../api/client.ts';
import { failureWords } from '../api/failure-words.ts';
import { passkeyFault } from './passkeys.ts';

/** The wording of logging in and of one's own account, in English or Spanish. */
function wordsIn(code: LanguageCode) {
  const t = accountWords(code);
  const locale = code === 'es' ? 'es-US' : 'en-US';
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  /** Why the browser used no passkey; null for any other error. */
  const passkeyWords = (error: unknown): string | null => {
    const fault = passkeyFault(error);
    return fault === null ? null : t(`passkey.${fault}`);
  };
  /** Why the server refused something, or did not reply. In English, the server's own sentence. */
  const refusal = (error: unknown, look: string): string => {
    if (code === 'en') return failureWords(error, look);
    if (error instanceof NoReplyError)
      return t(error.maySave ? 'silent.unsure' : error.why === 'offline' ? 'silent.offline' : 'silent.none');
    return t(error instanceof ApiError && error.status === 429 ? 'refused.often' : 'refused.other');
  };
  return {
    code,
    t,
    moment: (instant: string): string => moment.format(new Date(instant)),
    day: (instant: string): string => day.format(new Date(instant)),
    passkeyWords,
    failure: (error: unknown, look: string): string => passkeyWords(error) ?? refusal(error, look),
    /** The server's sentence about one field, or ours in its place. */
    ofField: (text: string, own: 'refused.current' | 'refused.new'): string => (code === 'en' ? text : t(own)),
  };
}

const WORDS = { en: wordsIn('en'), es: wordsIn('es') } as const;
export type AccountWords = (typeof WORDS)['en'];

/** The language of one's own account: English for staff, whose pages are English. */
export const AccountLanguage = createContext<LanguageCode>('en');
export const useAccountWords = (): AccountWords => WORDS[use(AccountLanguage)];
