import { NoReplyError } from './client.ts';

/** Why a write failed. Without a reply it may have been saved, so it says where to look (`the list`) first. */
export function failureWords(error: unknown, look: string): string {
  if (error instanceof NoReplyError)
    return `${error.message} It may have been saved. Check ${look} before trying again.`;
  return error instanceof Error ? error.message : `Something went wrong. Check ${look} before trying again.`;
}
