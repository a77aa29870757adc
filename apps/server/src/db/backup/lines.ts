import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { reasonOf } from '../../start-error.ts';

/** Says in one sentence what is wrong with a backup file. */
export class BackupFault extends Error {}

export const notABackup = (file: string): BackupFault => new BackupFault(`${file} is not a backup of the scheduler.`);
export const endsEarly = (file: string): BackupFault =>
  new BackupFault(`${file} ends too early: the backup is not complete.`);

const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads a gzipped file line by line. Only `\n` ends a line; JSON escapes it within strings. Throws a BackupFault if the
 * file is missing, not gzip, or cut short.
 */
export async function* linesOf(file: string): AsyncGenerator<Buffer> {
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

async function* split(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...held, chunk.subarray(from, end)]);
      held = [];
      from = end + 1;
    }
    held.push(chunk.subarray(from));
  }
  const rest = Buffer.concat(held);
  if (rest.length > 0) yield rest;
}

function faultOf(file: string, error: NodeJS.ErrnoException): BackupFault {
  if (error.code === 'ENOENT') return new BackupFault(`There is no file ${file}.`);
  if (error.code === 'Z_BUF_ERROR') return endsEarly(file);
  if (error.code?.startsWith('Z_')) return notABackup(file);
  return new BackupFault(`${file} cannot be read: ${reasonOf(error)}.`);
}
