import { TEXTS, type Endpoint, type QueryOf, type ReplyOf } from '@clinic/contract';
import { noteForegroundCall } from '../session/activity.ts';
import { endSession, getSession } from '../session/session-store.ts';
import { NoReplyError, NotSignedInError, addressOf, errorOfReply, unreadableReply } from './client.ts';

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
  request.open(endpoint.method, addressOf(endpoint, undefined, input.query));
  request.setRequestHeader('Authorization', `Bearer ${token}`);
  request.setRequestHeader('Accept', 'application/json');
  request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
    if (lengthComputable && total > 0) input.onSent(loaded / total);
  };
  return new Promise<ReplyOf<E>>((resolve, reject) => {
    request.onerror = () => reject(new NoReplyError());
    request.onload = () => {
      if (request.status === 401 && getSession().token === token) endSession('refused');
      if (request.status >= 300) return reject(errorOfReply(request.status, request.responseText));
      try {
        resolve(JSON.parse(request.responseText) as ReplyOf<E>);
      } catch {
        reject(unreadableReply(request.status));
      }
    };
    request.send(input.files);
  });
}
