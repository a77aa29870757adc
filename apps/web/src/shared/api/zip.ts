import { ZIP_TYPE, type Endpoint } from '@clinic/contract';
import { NoReplyError } from './client.ts';

/**
 * The zip file in a reply. A page or a file that broke off is no zip file.
 * @param onPart gets how much of it has arrived, from 0 to 1
 */
export async function zipOf(endpoint: Endpoint, response: Response, onPart: (part: number) => void): Promise<Blob> {
  const total = Number(response.headers.get('Content-Length') ?? 0);
  const chunks: BlobPart[] = [];
  let arrived = 0;
  try {
    const reader = response.body?.getReader();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      chunks.push(next.value);
      arrived += next.value.length;
      if (total > 0) onPart(Math.min(1, arrived / total));
    }
  } catch {
    throw new NoReplyError('silent', endpoint);
  }
  const file = new Blob(chunks, { type: ZIP_TYPE });
  const end = await file.slice(-22).text();
  if ((total > 0 && arrived !== total) || !end.startsWith('PK\x05\x06'))
    throw new NoReplyError('unreadable', endpoint, response.status);
  return file;
}
