import { createContext, use } from 'react';
import type { OwnChange } from '@clinic/contract';
import {
  addDays,
  capital,
  ENGLISH_FORMS,
  isoDate,
  ownDayWords,
  parseTime,
  SPANISH_FORMS,
  type LanguageCode,
} from '@clinic/domain';
import { ApiError, NoReplyError } from '../../../shared/api/client.ts';
import { failureWords, saidWords } from '../../../shared/api/failure-words.ts';
import type { TimeoutWords } from '../../../shared/session/session-timeout.tsx';
import type { QuestionWords } from '../../../shared/unsaved/guards.ts';

/** What kind of failure an error is, for languages that the server's sentences are not in. */
function failureOf(error: unknown): 'unsure' | 'offline' | 'silent' | 'changed' | 'invalid' | 'often' | 'other' {
  if (error instanceof NoReplyError) return error.maySave ? 'unsure' : error.why === 'offline' ? 'offline' : 'silent';
  if (!(error instanceof ApiError)) return 'other';
  if (error.status === 429) return 'often';
  if (error.status === 404 || error.status === 409) return 'changed';
  return error.status === 400 || error.status === 422 ? 'invalid' : 'other';
}

/** The wording of a therapist's own page, in English or Spanish. */
type Words = ReturnType<typeof wordsIn>;

export function wordsIn(code: LanguageCode) {
  const forms = code === 'es' ? SPANISH_FORMS : ENGLISH_FORMS;
  const t = ownDayWords(code);
  const time = (text: string): string => forms.exactTime(parseTime(text) ?? 0);
  /** A window in words: `8:30 AM to 11:30 AM`. */
  const window = ({ start, end }: { start: string; end: string }): string =>
    t('window', { start: time(start), end: time(end) });
  return {
    code,
    t,
    list: forms.list,
    window,
    /** A session's time and clients, or its service if it has none: `8:30 AM to 11:30 AM Bo Lee`. */
    stretch: ({ clients, service, ...times }: OwnChange['gone'][number]): string => {
      const what = clients.length === 0 ? t(`service.${service}`) : forms.list(clients);
      return t('stretch', { window: window(times), what });
    },
    /** A date in words: `Today, Friday, November 20`. */
    day: (date: string, today: string): string => {
      const words = forms.longDate(isoDate(date));
      if (date === today) return t('today', { date: words });
      return date === addDays(isoDate(today), 1) ? t('tomorrow', { date: words }) : capital(words);
    },
    /** A date and time: `Fri, Nov 20, 9:15 AM`. */
    moment: (date: string, at: string): string => t('moment', { date: forms.shortDate(isoDate(date)), time: time(at) }),
    /** Why a change failed. In English, the server's own sentence. */
    failure: (error: unknown, look: string): string =>
      code === 'en' ? failureWords(error, look) : t(`failed.${failureOf(error)}`),
    /** Why nothing could be loaded; null where the page has said all there is to say. */
    notRead: (error: unknown): string | null =>
      code === 'en'
        ? saidWords(error)
        : error instanceof NoReplyError
          ? t(error.why === 'offline' ? 'notRead.offline' : 'notRead.other')
          : null,
    /** The question before edits are discarded; undefined in English, which it is in by itself. */
    leaving: (): QuestionWords | undefined =>
      code === 'en' ? undefined : { title: t('leaveTitle'), keep: t('leaveKeep'), discard: t('leaveDiscard') },
    timeout: (): TimeoutWords => ({
      title: (minutes) => t(`ends.${forms.plural(minutes)}`, { count: String(minutes) }),
      kept: t('endsKept'),
      ends: (hours) => t(`endsAnyway.${forms.plural(hours)}`, { count: String(hours) }),
      stay: t('stay'),
      logOut: t('logOut'),
      close: t('close'),
    }),
    /** How many changes there are, in words: `2 changes to your days`. */
    changes: (count: number): string => t(`changes.${forms.plural(count)}`, { count: String(count) }),
    /**
     * The message to a therapist who refused a change, or who saw a change and has not answered it yet; null for any
     * other change.
     */
    state: ({ said_no, seen_at, call }: OwnChange): string | null => {
      if (said_no) return t('saidNo');
      return seen_at !== null && call === 'ask' ? t('seenAsk') : null;
    },
  };
}

export const WordsContext = createContext<Words>(wordsIn('en'));
export const useWords = (): Words => use(WordsContext);
