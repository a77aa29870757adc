import { TEXTS, type Endpoint, type QueryOf, type ReplyOf } from '@clinic/contract';
import { noteForegroundCall } from '../session/activity.ts';
import { endSession, getSession } from '../session/session-store.ts';
import { NoReplyError, NotSignedInError, addressOf, errorOfReply, replyOf, watchSilence } from './client.ts';

/**
 * Sends files to the server and returns its reply. Fails in the same ways as `call`. Unlike fetch, it can report
 * progress: `onSent` receives how much has been sent, from 0 to 1.
 */
export function upload<E extends Endpoint>(
  endpoint: E,
  input: { query: QueryOf<E>; files: FormData; onSent: (part: number) => void },
): Promise<ReplyOf<E>> {
  const { token } = getSession();
  if (token === null) throw new NotSignedInError(TEXTS.authRequired);
  noteForegroundCall();
  const request = new XMLHttpRequest();
  const address = addressOf(endpoint, undefined, input.query);
  request.open(endpoint.method, address);
  request.setRequestHeader('Authorization', `Bearer ${token}`);
  request.setRequestHeader('Accept', 'application/json');
  request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
    if (lengthComputable && total > 0) input.onSent(loaded / total);
  };
  const silence = watchSilence();
  return new Promise<void>((resolve, reject) => {
    request.onload = () => resolve();
    request.onerror = () => reject(new NoReplyError(silence(), endpoint));
    request.send(input.files);
  }).then(() => {
    const { status, responseText, responseURL } = request;
    if (status === 401 && getSession().token === token) endSession('refused');
    if (responseURL !== new URL(address, location.href).href) throw new NoReplyError('unreadable', endpoint, status);
    if (status >= 300) throw errorOfReply(endpoint, status, responseText);
    return replyOf(endpoint, status, responseText);
  });
}
