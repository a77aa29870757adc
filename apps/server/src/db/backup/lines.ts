import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { reasonOf } from '../../start-error.ts';

/** A line of the file, or a part of a line that is too long to be held in memory. */
export interface Piece {
  readonly bytes: Buffer;
  readonly first: boolean;
  readonly last: boolean;
}

/** Says in one sentence what is wrong with a backup file. */
export class BackupFault extends Error {}

export const notABackup = (file: string): BackupFault => new BackupFault(`${file} is not a backup of the scheduler.`);
export const endsEarly = (file: string): BackupFault =>
  new BackupFault(`${file} ends too early: the backup is not complete.`);

const WHOLE = 1024 * 1024;
const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads a gzipped file line by line. Only `\n` ends a line; JSON escapes it within strings. Throws a BackupFault if the
 * file is missing, not gzip, or cut short.
 */
export async function* piecesOf(file: string): AsyncGenerator<Piece> {
  const source = createReadStream(file, { highWaterMark: CHUNK });
  const unzipped = createGunzip({ chunkSize: CHUNK });
  source.on('error', (error) => unzipped.destroy(error));
  source.pipe(unzipped);
  try {
    yield* split(unzipped);
  } catch (error) {
    throw faultOf(file, error as NodeJS.ErrnoException);
  } finally {
    source.destroy();
    unzipped.destroy();
  }
}

async function* split(chunks: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let held: Buffer[] = [];
  let size = 0;
  let first = true;
  const hold = (bytes: Buffer): void => {
    held.push(bytes);
    size += bytes.length;
  };
  const take = (last: boolean): Piece => {
    const bytes = held.length === 1 && held[0] ? held[0] : Buffer.concat(held, size);
    const piece = { bytes, first, last };
    held = [];
    size = 0;
    first = last;
    return piece;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      hold(chunk.subarray(from, end));
      yield take(true);
      from = end + 1;
    }
    if (from < chunk.length) hold(chunk.subarray(from));
    if (size >= WHOLE) yield take(false);
  }
  if (size > 0 || !first) yield take(true);
}

function faultOf(file: string, error: NodeJS.ErrnoException): BackupFault {
  if (error.code === 'ENOENT') return new BackupFault(`There is no file ${file}.`);
  if (error.code === 'Z_BUF_ERROR') return endsEarly(file);
  if (error.code?.startsWith('Z_')) return notABackup(file);
  return new BackupFault(`${file} cannot be read: ${reasonOf(error)}.`);
}
