// Writes an OCI image without a daemon. The same content gives the same digest: names in order, one time, one owner.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { lastLines, run, ToolError } from './process.mjs';

const digestOf = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/**
 * @param {string} out the archive to write (an OCI layout as tar)
 * @param {{layers: string[], config: object, architecture: string, created: number, name: string, work: string}} image
 *   folders that become layers, in order; `created` in seconds; an empty folder to work in
 * @returns {Promise<string>} the digest of the image
 */
export async function writeImage(out, { layers, config, architecture, created, name, work }) {
  const layout = join(work, 'layout');
  mkdirSync(join(layout, 'blobs', 'sha256'), { recursive: true });
  const put = (bytes, mediaType) => {
    const digest = digestOf(bytes);
    writeFileSync(join(layout, 'blobs', 'sha256', digest.slice('sha256:'.length)), bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const packed = [];
  const diffs = [];
  for (const folder of layers) {
    const file = join(work, 'layer.tar');
    await pack(file, folder, created);
    const tar = readFileSync(file);
    rmSync(file);
    diffs.push(digestOf(tar));
    packed.push(put(gzipSync(tar, { level: 9 }), 'application/vnd.oci.image.layer.v1.tar+gzip'));
  }
  const json = (value) => Buffer.from(JSON.stringify(value));
  const time = new Date(created * 1000).toISOString();
  const settings = put(
    json({
      created: time,
      architecture,
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: diffs },
      history: diffs.map(() => ({ created: time, created_by: 'npm run ship -- image' })),
    }),
    'application/vnd.oci.image.config.v1+json',
  );
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = put(json({ schemaVersion: 2, mediaType, config: settings, layers: packed }), mediaType);
  const named = { ...manifest, annotations: { 'org.opencontainers.image.ref.name': name } };
  writeFileSync(
    join(layout, 'index.json'),
    json({ schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: [named] }),
  );
  writeFileSync(join(layout, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }));
  await pack(out, layout, created);
  return manifest.digest;
}

/** Packs a folder with GNU tar, as if everything were root's and made at this time. */
async function pack(file, folder, seconds) {
  const fixed = ['--sort=name', `--mtime=@${seconds}`, '--owner=0', '--group=0', '--numeric-owner', '--format=pax'];
  const plain = ['--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime', '--hard-dereference'];
  const made = await run('tar', ['-c', ...fixed, ...plain, '-f', file, '-C', folder, '.']);
  if (made.code !== 0) throw new ToolError(`GNU tar failed:\n${lastLines(made.output)}`);
}
