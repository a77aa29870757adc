import { NoReplyError } from './client.ts';

/**
 * Why saving failed, in words for the user. Without a reply the server may have saved after all, so the message says
 * where to look (`look`, such as `the list`).
 */
export function failureWords(error: unknown, look: string): string {
  if (error instanceof NoReplyError)
    return `${error.message} It may have been saved. Check ${look} before trying again.`;
  return error instanceof Error ? error.message : `Something went wrong. Check ${look} before trying again.`;
}
