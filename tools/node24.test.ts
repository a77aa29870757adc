import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fetchNode24 } from './lib/node24.mjs';

const machine = `${process.platform}-${process.arch}`;
const name = `node-${machine}`;
const folder = mkdtempSync(join(tmpdir(), 'clinic-node-'));
const pinOf = (bytes: Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
const runtime = join(folder, 'runtime');
let real: Buffer;
let tampered: Buffer;
/** The package that the registry sends, and the hash that the registry gives for it. */
let sent: { tarball: Buffer; integrity: string };
let registry: Server;

function tarball(prints: string): Buffer {
  const root = mkdtempSync(join(folder, 'package-'));
  mkdirSync(join(root, 'package', 'bin'), { recursive: true });
  writeFileSync(join(root, 'package', 'package.json'), JSON.stringify({ name, version: '24.21.0' }));
  writeFileSync(join(root, 'package', 'bin', 'node'), `#!/bin/sh\necho ${prints}\n`);
  chmodSync(join(root, 'package', 'bin', 'node'), 0o755);
  execFileSync('tar', ['-czf', join(root, 'it.tgz'), '-C', root, 'package']);
  return readFileSync(join(root, 'it.tgz'));
}

beforeAll(async () => {
  [real, tampered] = [tarball('v24.21.0'), tarball('evil')];
  registry = createServer((request, reply) => {
    const { port } = registry.address() as AddressInfo;
    if (request.url?.endsWith('.tgz')) return reply.end(sent.tarball);
    const dist = { tarball: `http://127.0.0.1:${port}/${name}.tgz`, integrity: sent.integrity };
    reply.setHeader('content-type', 'application/json');
    reply.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: '24.21.0' },
        versions: { '24.21.0': { name, version: '24.21.0', dist } },
      }),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => registry.once('listening', resolve));
});
beforeEach(() => {
  rmSync(runtime, { recursive: true, force: true });
  const { port } = registry.address() as AddressInfo;
  process.env['npm_config_registry'] = `http://127.0.0.1:${port}/`;
  process.env['npm_config_fetch_retries'] = '0';
  // npm's cache is empty, so every test downloads.
  process.env['npm_config_cache'] = mkdtempSync(join(folder, 'cache-'));
});
afterAll(() => {
  delete process.env['npm_config_registry'];
  delete process.env['npm_config_cache'];
  delete process.env['npm_config_fetch_retries'];
  registry.close();
  rmSync(folder, { recursive: true });
});

test('the pinned package is downloaded and moved into place', async () => {
  sent = { tarball: real, integrity: pinOf(real) };
  const node = await fetchNode24(runtime, { [machine]: pinOf(real) });
  expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toBe('v24.21.0\n');
  expect(readdirSync(runtime)).toEqual(['node24']);
});

test.each([
  ['and the registry gives its true hash', () => pinOf(tampered)],
  ['and the registry gives the hash of the real one', () => pinOf(real)],
])('a package that was tampered with is refused: %s', async (_what, integrity) => {
  sent = { tarball: tampered, integrity: integrity() };
  await expect(fetchNode24(runtime, { [machine]: pinOf(real) })).rejects.toThrow(
    'is not the one that was pinned, so it was not used',
  );
  expect(existsSync(join(runtime, 'node24'))).toBe(false);
});

test('given a machine that has no pinned package, the message says to install Node', async () => {
  await expect(fetchNode24(runtime, {})).rejects.toThrow(`Node 24 is needed on ${machine}: install Node 24 or newer.`);
});
