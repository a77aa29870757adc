import { authEndpoints, type ReplyOf } from '@clinic/contract';
import { NoReplyError } from '../../shared/api/client.ts';
import { keepToken } from '../../shared/session/session-store.ts';

/** Begins the login session that the server has just opened. */
export function enter({ access_token: token, expires_in: seconds }: ReplyOf<typeof authEndpoints.token>): void {
  if (!keepToken(token, seconds)) throw new NoReplyError('unreadable', authEndpoints.token, 200);
}
