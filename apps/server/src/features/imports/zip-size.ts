import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';

/** What an XLSX workbook may unpack to, all its parts together, in bytes; and how many parts it may have. */
const MOST_UNPACKED = 200 * 1024 * 1024;
const MOST_PARTS = 500;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

/**
 * Whether a ZIP archive stays within the limits when it is unpacked: looked up in its directory first, then measured by
 * unpacking each part without keeping it, as a directory can lie. Also false for what is no ZIP archive that can be read
 * so (damaged, encrypted, of the 64-bit kind that no export of this size needs).
 */
export async function unpacksWithin(bytes: Uint8Array, most = MOST_UNPACKED, parts = MOST_PARTS): Promise<boolean> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const entries = directoryOf(zip, parts);
    if (!entries || entries.reduce((sum, entry) => sum + entry.unpacked, 0) > most) return false;
    let left = most;
    for (const { at, packed, method } of entries) {
      const begins = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
      left -= await sizeOf(zip.subarray(begins, begins + packed), method, left);
      if (left < 0) return false;
    }
    return true;
  } catch {
    return false;
  }
}

interface Entry {
  /** Where its local header begins. */
  readonly at: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly method: number;
}

/** The archive's parts, or null when there are too many or none can be found. Throws when the bytes end too early. */
function directoryOf(zip: Buffer, most: number): Entry[] | null {
  // The end record is last, before a comment of at most 65,535 bytes.
  for (let end = zip.length - 22; end >= Math.max(0, zip.length - 22 - 0xffff); end--) {
    if (zip.readUInt32LE(end) !== END_OF_DIRECTORY) continue;
    const count = zip.readUInt16LE(end + 10);
    if (count > most) return null;
    const entries: Entry[] = [];
    let next = zip.readUInt32LE(end + 16);
    for (let i = 0; i < count; i++) {
      if (zip.readUInt32LE(next) !== DIRECTORY_ENTRY) return null;
      entries.push({
        at: zip.readUInt32LE(next + 42),
        packed: zip.readUInt32LE(next + 20),
        unpacked: zip.readUInt32LE(next + 24),
        method: zip.readUInt16LE(next + 10),
      });
      next += 46 + zip.readUInt16LE(next + 28) + zip.readUInt16LE(next + 30) + zip.readUInt16LE(next + 32);
    }
    return entries;
  }
  return null;
}

/** How many bytes a part unpacks to; stops counting above `most`. */
async function sizeOf(packed: Buffer, method: number, most: number): Promise<number> {
  if (method === STORED) return packed.length;
  if (method !== DEFLATED) throw new Error('a way of packing that is not known');
  let size = 0;
  const inflated = Readable.from([packed]).pipe(createInflateRaw());
  for await (const chunk of inflated) {
    size += (chunk as Buffer).length;
    if (size > most) break;
  }
  return size;
}
