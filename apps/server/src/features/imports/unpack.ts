import { inflateRawSync } from 'node:zlib';
import { LIMITS } from './limits.ts';

const LOCAL_HEADER = 0x04034b50;
const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

/**
 * Unpacks the XML parts of an XLSX workbook that its directory lists, by name. Bytes between or after them are ignored,
 * and so is `customXml`, in which Excel keeps queries and other long texts that are no part of a sheet.
 * Returns null if the parts cannot be read (damaged, encrypted, 64-bit, a duplicate name) or unpack to more than `most`
 * bytes. The size is measured by unpacking, because a directory can state a false size.
 */
export function unpackXml(
  bytes: Uint8Array,
  most = LIMITS.unpackedMb * 1024 * 1024,
  parts: number = LIMITS.parts,
): Map<string, Buffer> | null {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = directoryOf(zip, parts);
  if (!entries) return null;
  const found = new Map<string, Buffer>();
  let left = most;
  try {
    for (const entry of entries.filter(isRead)) {
      if (found.has(entry.name) || entry.flags & ENCRYPTED) return null;
      const part = unpackPart(zip, entry, left);
      left -= part.length;
      if (left < 0) return null;
      found.set(entry.name, part);
    }
  } catch {
    return null; // the part is damaged, or too large for what is left of `most` bytes
  }
  return found;
}

const isRead = ({ name }: Entry): boolean => /\.(xml|rels)$/i.test(name) && !/^customXml\//i.test(name);

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
  if (zip.readUInt32LE(at) !== LOCAL_HEADER) throw new Error('not a part');
  const begins = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  if (begins + packed > zip.length) throw new Error('the part is cut off');
  const data = zip.subarray(begins, begins + packed);
  if (method === STORED) return data;
  if (method !== DEFLATED) throw new Error('an unknown compression method');
  return inflateRawSync(data, { maxOutputLength: most + 1 });
}

/** Makes an uncompressed archive of only these parts, so that the library reads nothing but checked content. */
export function packStored(parts: ReadonlyMap<string, Buffer>): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [path, content] of parts) {
    const name = Buffer.from(path);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(LOCAL_HEADER, 0);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt32LE(content.length, 22);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(DIRECTORY_ENTRY, 0);
    entry.writeUInt32LE(content.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    local.push(head, name, content);
    directory.push(entry, name);
    at += head.length + name.length + content.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END_OF_DIRECTORY, 0);
  end.writeUInt16LE(parts.size, 8);
  end.writeUInt16LE(parts.size, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...local, listed, end]);
}
