// node tools/common-passwords.mjs LIST: makes the server's file of well-known passwords from LIST, which has one common
// password on each line. For each password that is long enough to be accepted, the file holds the first four bytes of
// the SHA-256 of its lower-case form, sorted. So the file is small and holds no readable passwords.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/paths.mjs';

const SHORTEST = 12;
const OUT = join(ROOT, 'apps', 'server', 'src', 'admin', 'common-passwords.bin');

const [list] = process.argv.slice(2);
if (!list) {
  process.stderr.write('Usage: node tools/common-passwords.mjs LIST\n');
  process.exit(1);
}
const words = new Set(
  readFileSync(list, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.toLowerCase())
    .filter((line) => line.length >= SHORTEST),
);
const heads = [...words].map((word) => createHash('sha256').update(word).digest().readUInt32BE(0));
const sorted = [...new Set(heads)].sort((a, b) => a - b);
const bytes = Buffer.alloc(sorted.length * 4);
sorted.forEach((head, i) => bytes.writeUInt32BE(head, i * 4));
writeFileSync(OUT, bytes);
process.stdout.write(`${words.size} passwords, ${bytes.length} bytes\n`);
