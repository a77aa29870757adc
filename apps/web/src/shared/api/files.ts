import type { Endpoint } from '@clinic/contract';
import { NoReplyError } from './client.ts';

/**
 * The file in a reply. A login page or a file that broke off is no file: then throws NoReplyError. A workbook is told by
 * its bytes, since proxies change content types.
 */
export async function fileOf(endpoint: Endpoint, response: Response, format: 'csv' | 'xlsx'): Promise<Blob> {
  const file = await bytesOf(endpoint, response);
  const isFile =
    format === 'xlsx' ? await isWorkbook(file) : /^text\/csv\b/i.test(response.headers.get('Content-Type') ?? '');
  if (!isFile) throw new NoReplyError('unreadable', endpoint, response.status);
  return file;
}

/** The bytes of a reply, which may break off: then no one knows what the server did. */
export const bytesOf = (endpoint: Endpoint, response: Response): Promise<Blob> =>
  response.blob().catch(() => {
    throw new NoReplyError('silent', endpoint);
  });

const [FIRST, LAST] = ['PK\x03\x04', 'PK\x05\x06'];
/** The length of a zip file's last record without its comment, whose length is in the record's last two bytes. */
const LAST_BYTES = 22;

/** Whether a file is a whole workbook: a zip file with a workbook in it and with its last record at its end. */
export async function isWorkbook(file: Blob): Promise<boolean> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder('latin1').decode(bytes);
  const end = text.lastIndexOf(LAST) + LAST_BYTES;
  return (
    text.startsWith(FIRST) &&
    text.includes('xl/workbook') &&
    end > LAST_BYTES &&
    end + (bytes[end - 2] ?? 0) + (bytes[end - 1] ?? 0) * 256 === bytes.length
  );
}
