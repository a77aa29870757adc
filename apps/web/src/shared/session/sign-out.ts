import { authEndpoints } from '@clinic/contract';
import { call } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { clearBackedUp } from '../storage/keys.ts';
import { clearDrafts } from './drafts.ts';
import { endSession } from './session-store.ts';

/** Ends the session at the server and here; what was typed goes too, since the person meant to leave. */
export async function signOut(): Promise<void> {
  clearDrafts();
  clearBackedUp();
  // What is being loaded would be refused as soon as the session has ended.
  await queryClient.cancelQueries();
  // A session that ended by itself, or no connection: it ends here all the same.
  await call(authEndpoints.signOut, { on401: 'throw' }).catch(() => undefined);
  endSession('signed-out');
  queryClient.clear();
}
