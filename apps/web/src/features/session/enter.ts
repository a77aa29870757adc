import type { ReplyOf, authEndpoints } from '@clinic/contract';
import { unreadableReply } from '../../shared/api/client.ts';
import { keepToken } from '../../shared/session/session-store.ts';

/** Begins the login session that the server has just opened. */
export function enter({ access_token: token, expires_in: seconds }: ReplyOf<typeof authEndpoints.token>): void {
  if (!keepToken(token, seconds)) throw unreadableReply(200);
}
