import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

/** The sizes in a zip file's headers have 32 bits. */
const LARGEST = 0xffff_ffff;
const DEFLATED = 8;
/** Names are in UTF-8. */
const FLAGS = 0x800;
/** January 1, 1980: the same files make the same bytes at any time. */
const DATE = 0x21;

interface Entry {
  readonly name: Buffer;
  readonly at: number;
  readonly checksum: number;
  readonly size: number;
  readonly packed: number;
}

/**
 * Writes a zip file part by part into an empty file. The parts are compressed while they arrive, outside the main
 * thread; none is ever in memory as a whole.
 */
export class ZipFile {
  readonly #file: FileHandle;
  readonly #entries: Entry[] = [];
  #at = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Adds a part with this content. Throws an Error if the file would be larger than 4 GB. */
  async add(name: string, content: AsyncIterable<string> | Iterable<Buffer>): Promise<void> {
    const at = this.#at;
    const head = headerOf(Buffer.from(name));
    await this.#write(head);
    let [checksum, size] = [0, 0];
    const began = this.#at;
    const write = (chunk: Buffer): Promise<void> => this.#write(chunk);
    await pipeline(
      async function* () {
        for await (const piece of content) {
          const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
          checksum = crc32(bytes, checksum);
          size += bytes.length;
          yield bytes;
        }
      },
      createDeflateRaw(),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) await write(chunk);
      },
    );
    const entry = { name: Buffer.from(name), at, checksum, size, packed: this.#at - began };
    if (size > LARGEST || this.#at > LARGEST) throw new Error('the zip file is larger than 4 GB');
    const sizes = sizesOf(entry);
    await this.#file.write(sizes, 0, sizes.length, at + 14);
    this.#entries.push(entry);
  }

  /** Writes the directory. @returns the file's size in bytes */
  async end(): Promise<number> {
    const at = this.#at;
    for (const entry of this.#entries) await this.#write(directoryEntryOf(entry));
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.#entries.length, 8);
    end.writeUInt16LE(this.#entries.length, 10);
    end.writeUInt32LE(this.#at - at, 12);
    end.writeUInt32LE(at, 16);
    await this.#write(end);
    return this.#at;
  }

  async #write(bytes: Buffer): Promise<void> {
    await this.#file.write(bytes, 0, bytes.length, this.#at);
    this.#at += bytes.length;
  }
}

/** The header before a part; its checksum and sizes are written when they are known. */
function headerOf(name: Buffer): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(FLAGS, 6);
  head.writeUInt16LE(DEFLATED, 8);
  head.writeUInt16LE(DATE, 12);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name]);
}

function sizesOf({ checksum, packed, size }: Entry): Buffer {
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32LE(checksum, 0);
  sizes.writeUInt32LE(packed, 4);
  sizes.writeUInt32LE(size, 8);
  return sizes;
}

function directoryEntryOf(entry: Entry): Buffer {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(20, 6);
  head.writeUInt16LE(FLAGS, 8);
  head.writeUInt16LE(DEFLATED, 10);
  head.writeUInt16LE(DATE, 14);
  sizesOf(entry).copy(head, 16);
  head.writeUInt16LE(entry.name.length, 28);
  head.writeUInt32LE(entry.at, 42);
  return Buffer.concat([head, entry.name]);
}
