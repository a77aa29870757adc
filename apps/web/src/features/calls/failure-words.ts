import { ApiError, NoReplyError } from '../../shared/api/client.ts';

/** Why a write to the list failed; without a reply, it may have been saved. */
export function failureWords(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return error instanceof NoReplyError
    ? `${error.message} It may have been saved. Check the list before trying again.`
    : 'Something went wrong. Check the list before trying again.';
}
