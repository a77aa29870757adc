import { authEndpoints } from '@clinic/contract';
import { call } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { clearBackedUp } from '../storage/keys.ts';
import { clearDrafts } from './drafts.ts';
import { endSession } from './session-store.ts';

/** Ends the session on the server and here, and removes drafts, since the person chose to leave. */
export async function signOut(): Promise<void> {
  clearDrafts();
  clearBackedUp();
  // Loads in progress would be refused once the session has ended.
  await queryClient.cancelQueries();
  // The session had already ended, or there is no connection: it ends here anyway.
  await call(authEndpoints.signOut, { on401: 'throw' }).catch(() => undefined);
  endSession('signed-out');
  queryClient.clear();
}
