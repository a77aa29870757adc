import { inflateRawSync } from 'node:zlib';

/** Returns the files in a zip archive, by name. Understands only archives written by the workbook library. */
export function unzip(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = zip.readUInt32LE(end + 16);
  for (let n = zip.readUInt16LE(end + 10); n > 0; n--) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [name, extra, comment] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)];
    const local = zip.readUInt32LE(at + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(from, from + size);
    files.set(
      zip.toString('utf8', at + 46, at + 46 + name),
      (method === 0 ? bytes : inflateRawSync(bytes)).toString('utf8'),
    );
    at += 46 + name + extra + comment;
  }
  return files;
}
