import { ApiError, NoReplyError } from './client.ts';

/**
 * Why saving failed, in words for the person. Without a reply from the server itself it may have saved after all, so
 * the message says where to look (`look`, such as `the list`).
 */
export function failureWords(error: unknown, look: string): string {
  const silence = noReplyWords(error);
  if (silence !== null) return `${silence} It may have been saved. Check ${look} before trying again.`;
  return error instanceof Error ? error.message : `Something went wrong. Check ${look} before trying again.`;
}

/** Says that the server did not reply: there was no reply, or only a gateway's (502, 504). Null if the server replied. */
function noReplyWords(error: unknown): string | null {
  if (error instanceof NoReplyError) return error.message;
  const isGateway = error instanceof ApiError && (error.status === 502 || error.status === 504);
  return isGateway ? 'The server did not reply.' : null;
}
