import { authEndpoints } from '@clinic/contract';
import { call } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { clearBackedUp } from '../storage/keys.ts';
import { clearDrafts } from './drafts.ts';
import { endSession } from './session-store.ts';

/** Ends the session on the server and here. The person wants to leave, so drafts are removed as well. */
export async function signOut(): Promise<void> {
  clearDrafts();
  clearBackedUp();
  // Stops requests under way, which would be refused once the session has ended.
  await queryClient.cancelQueries();
  // Without a connection, or when the server has already ended the session, it still ends on this computer.
  await call(authEndpoints.signOut, { on401: 'throw' }).catch(() => undefined);
  endSession('signed-out');
  queryClient.clear();
}
