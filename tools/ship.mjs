// npm run ship: makes what is handed to a hospital's IT. Each part is the same for the same commit.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { imageComponents, imageConfig, makeBase, makeNode, makeProduct } from './lib/image.mjs';
import { fetchPinnedNode } from './lib/node24.mjs';
import { writeImage } from './lib/oci.mjs';
import { ROOT } from './lib/paths.mjs';
import { run, say, ToolError, withNode } from './lib/process.mjs';
import { setUp } from './lib/setup.mjs';
import { noticesOf, sbomOf } from './lib/shipped.mjs';

const USAGE = `npm run ship -- image FILE.tar    an OCI image, made without a daemon (needs Debian 12 with GNU tar and git)
npm run ship -- sbom FILE.json    the list of components, as CycloneDX
npm run ship -- notices FILE.txt  the licenses of others
npm run ship -- base              writes Debian's present libraries into deploy/image-base.json
`;
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const here = process.env.INIT_CWD ?? process.cwd();

const PARTS = {
  image: makeImage,
  sbom: (file) => writeFileSync(file, `${JSON.stringify(sbomOf(), null, 2)}\n`),
  notices: (file) => writeFileSync(file, noticesOf()),
  base: () =>
    inFolder(async (work) => {
      mkdirSync(join(work, 'base'));
      await makeBase(join(work, 'base'), work, true);
    }),
};

try {
  const [part, file] = process.argv.slice(2);
  if (!Object.hasOwn(PARTS, part ?? '') || (part !== 'base' && !file)) throw new ToolError(USAGE.trimEnd());
  await setUp({ pages: false });
  const pinned = await fetchPinnedNode();
  // Another version may compress otherwise, which gives another digest.
  if (process.execPath === pinned) await PARTS[part](file && resolve(here, file));
  else await again(pinned);
} catch (error) {
  say(error instanceof ToolError ? error.message : error.stack);
  process.exitCode = 1;
}

async function again(node) {
  const { code, output } = await run(node, process.argv.slice(1), { env: withNode(node) });
  process.stderr.write(output);
  process.exitCode = code;
}

async function makeImage(file) {
  const git = async (...args) => (await run('git', args, { cwd: ROOT })).output.trim();
  const revision = await git('rev-parse', 'HEAD');
  const changed = await git('status', '--porcelain');
  if (changed !== '') say(`These files differ from the commit, and so does the image:\n${changed}`);
  const created = Number(await git('log', '-1', '--format=%ct'));
  const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch] ?? process.arch;
  if (architecture !== 'amd64') throw new ToolError(`deploy/image-base.json has no libraries for ${architecture}.`);
  await inFolder(async (work) => {
    const at = (name) => {
      mkdirSync(join(work, name));
      return join(work, name);
    };
    const [base, node, packages, product, stage] = ['base', 'node', 'packages', 'product', 'stage'].map(at);
    await makeBase(base, work);
    makeNode(node);
    await makeProduct(process.execPath, { packages, product, stage });
    const image = { config: imageConfig(version, revision), architecture, created, name: version, work: at('image') };
    const digest = await writeImage(file, { layers: [base, node, packages, product], ...image });
    writeFileSync(`${file}.cdx.json`, `${JSON.stringify(sbomOf(imageComponents()), null, 2)}\n`);
    say(`${file}: version ${version}, ${digest}`);
  });
}

async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-ship-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
