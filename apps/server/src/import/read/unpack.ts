import { inflateRawSync } from 'node:zlib';
import { CFB as untyped } from '@e965/xlsx';
import { LIMITS } from './limits.ts';

const LOCAL_HEADER = 0x04034b50;
const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

/** Thrown when a part of an archive is damaged, or larger than what is left of the limit. */
class UnreadablePart extends Error {
  override name = 'UnreadablePart';
}

/**
 * A ZIP archive whose parts are unpacked one by one, as its directory lists them: bytes between or after them are
 * ignored. Names are compared as spreadsheet programs compare them: letter case, backslashes and a slash in front do not
 * matter. All parts that are read may unpack to `most` bytes together. This is measured by unpacking, because a directory
 * can state a false size.
 */
export class Archive {
  readonly #zip: Buffer;
  readonly #entries: ReadonlyMap<string, Entry>;
  #left: number;

  private constructor(zip: Buffer, entries: ReadonlyMap<string, Entry>, most: number) {
    this.#zip = zip;
    this.#entries = entries;
    this.#left = most;
  }

  /** Returns null if the archive has no directory, has too many parts, or has two parts of the same name. */
  static open(bytes: Uint8Array, most = LIMITS.unpackedMb * 1024 * 1024, parts: number = LIMITS.parts): Archive | null {
    const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const listed = directoryOf(zip, parts);
    if (!listed) return null;
    const entries = new Map(listed.map((entry) => [key(entry.name), entry]));
    return entries.size === listed.length ? new Archive(zip, entries, most) : null;
  }

  /** The names of the parts, in small letters and with slashes. */
  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Unpacks a part; null if there is none of this name. Throws UnreadablePart. */
  part(name: string): Buffer | null {
    const entry = this.#entries.get(key(name));
    if (!entry) return null;
    if (entry.flags & ENCRYPTED) throw new UnreadablePart('the part is encrypted');
    const part = unpackPart(this.#zip, entry, this.#left);
    this.#left -= part.length;
    if (this.#left < 0) throw new UnreadablePart('the archive unpacks to too much');
    return part;
  }
}

const key = (name: string): string => name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase();

interface Entry {
  readonly name: string;
  /** The position of the part's local header. */
  readonly at: number;
  readonly packed: number;
  readonly method: number;
  readonly flags: number;
}

/** Finds the archive's parts; null if there are more than `most`, or if no directory can be found. */
function directoryOf(zip: Buffer, most: number): Entry[] | null {
  // The end record comes last, but a comment of at most 65,535 bytes, or bytes that a program appended, may follow it.
  for (let end = zip.length - 22; end >= Math.max(0, zip.length - 22 - 0xffff); end--) {
    if (zip.readUInt32LE(end) !== END_OF_DIRECTORY) continue;
    const count = zip.readUInt16LE(end + 10);
    if (count > most) continue;
    try {
      return entriesAt(zip, zip.readUInt32LE(end + 16), count);
    } catch {
      continue; // these four bytes were not the beginning of an end record
    }
  }
  return null;
}

/** Reads the entries of the directory that begins here. Throws if their number is not `count`. */
function entriesAt(zip: Buffer, at: number, count: number): Entry[] {
  const entries: Entry[] = [];
  let next = at;
  for (let i = 0; i < count; i++) {
    if (zip.readUInt32LE(next) !== DIRECTORY_ENTRY) throw new Error('not a directory entry');
    const length = zip.readUInt16LE(next + 28);
    entries.push({
      name: zip.toString('utf8', next + 46, next + 46 + length),
      at: zip.readUInt32LE(next + 42),
      packed: zip.readUInt32LE(next + 20),
      method: zip.readUInt16LE(next + 10),
      flags: zip.readUInt16LE(next + 8),
    });
    next += 46 + length + zip.readUInt16LE(next + 30) + zip.readUInt16LE(next + 32);
  }
  return entries;
}

function unpackPart(zip: Buffer, { at, packed, method }: Entry, most: number): Buffer {
  try {
    if (zip.readUInt32LE(at) !== LOCAL_HEADER) throw new Error('not a part');
    const begins = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
    if (begins + packed > zip.length) throw new Error('the part is cut off');
    const data = zip.subarray(begins, begins + packed);
    if (method === STORED) return data;
    if (method !== DEFLATED) throw new Error('an unknown compression method');
    return inflateRawSync(data, { maxOutputLength: most + 1 });
  } catch (cause) {
    throw new UnreadablePart('the part cannot be unpacked', { cause });
  }
}

/** What is used of the library's archives, for which it has no types. */
const CFB = untyped as {
  utils: { cfb_new(options: { root: string }): object; cfb_add(box: object, path: string, content: Buffer): void };
  write(box: object, options: { type: 'buffer'; fileType: 'zip' }): Buffer;
};

/** Makes an uncompressed archive of only these parts, so that the library reads nothing but checked content. */
export function packStored(parts: ReadonlyMap<string, Buffer>): Buffer {
  const box = CFB.utils.cfb_new({ root: 'R' });
  for (const [path, content] of parts) CFB.utils.cfb_add(box, `/${path}`, content);
  return CFB.write(box, { type: 'buffer', fileType: 'zip' });
}
