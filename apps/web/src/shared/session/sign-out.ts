import { SIGN_OFF_PATH, authEndpoints, type SessionReply } from '@clinic/contract';
import { call } from '../api/client.ts';
import { queryClient, queryKeys } from '../api/query-client.ts';
import { mayLeave } from '../unsaved/guards.ts';
import { endSession } from './session-store.ts';

/**
 * Ends the login session on the server and here, after asking about unsaved edits. What this tab and others hold of the
 * user is removed when they notice (app.tsx).
 */
export async function signOut(): Promise<void> {
  if (!mayLeave(() => void signOut())) return;
  // Cancels requests under way, which would be refused once the session has ended.
  await queryClient.cancelQueries();
  const sessions = queryClient.getQueriesData<SessionReply>({ queryKey: queryKeys.session });
  const signedOn = sessions.some(([, session]) => session?.signed_on);
  // The session ends on this computer even without a connection, or if the server has already ended it.
  await call(authEndpoints.signOut, { on401: 'throw' }).catch(() => undefined);
  endSession('signed-out');
  // Whoever came with the clinic's account is still logged in there, and on a shared computer the next person would be.
  if (signedOn) window.location.assign(SIGN_OFF_PATH);
}
