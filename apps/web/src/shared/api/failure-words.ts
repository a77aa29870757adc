import { NoReplyError, SaidError } from './client.ts';

/**
 * Why a change failed, in words for the user. Without a reply the server may have made it after all, so the message says
 * where to look (`look`, such as `the list`). `done`: what would have become of the change.
 */
export function failureWords(error: unknown, look: string, done = 'saved'): string {
  if (!(error instanceof NoReplyError))
    return error instanceof SaidError ? error.message : `${WRONG} Check ${look} before trying again.`;
  if (error.maySave) return `${error.message} It may have been ${done}. Check ${look} before trying again.`;
  return error.why === 'offline'
    ? `Not ${done}: there is no connection. Try again when it is back.`
    : `Not ${done}. ${error.message} Try again.`;
}

const WRONG = 'Something went wrong on this page.';

/** What an error says to users. The message of an error that is not written for them is not shown. */
export const saidWords = (error: unknown): string => (error instanceof SaidError ? error.message : WRONG);
