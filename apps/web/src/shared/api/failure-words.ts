import { NoReplyError } from './client.ts';

/**
 * Why saving failed, for people. Without a reply it may have worked, so the text says where to look first (`the
 * list`).
 */
export function failureWords(error: unknown, look: string): string {
  if (error instanceof NoReplyError)
    return `${error.message} It may have been saved. Check ${look} before trying again.`;
  return error instanceof Error ? error.message : `Something went wrong. Check ${look} before trying again.`;
}
