import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { extname, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { ROOT, RUNTIME } from './paths.mjs';
import { lastLines, run, say, ToolError, withNode } from './process.mjs';

const STAMP = join(RUNTIME, 'pages');
const SOURCES = [
  'apps/web',
  'apps/embed',
  'packages/domain',
  'packages/contract',
  'docs/guide.md',
  'docs/pictures',
  'package.json',
  'package-lock.json',
  'tools/lib/pages.mjs',
];
const BUILT = ['apps/web/dist/index.html', 'apps/embed/dist/embed/timeslot-cancel.js'];
const KEPT_MS = 7 * 24 * 60 * 60_000;
const LEFT_OUT = new Set(['node_modules', 'dist', 'dist.new', '.vite']);

/** Whether the built pages were made from the current sources. */
export function arePagesBuilt() {
  return (
    BUILT.every((path) => existsSync(join(ROOT, path))) &&
    existsSync(STAMP) &&
    readFileSync(STAMP, 'utf8') === fingerprint()
  );
}

/** Builds the application and the embedded pages, and puts compressed copies beside the files. */
export async function buildPages(node) {
  say('Building the pages (first run, and after changes).');
  const before = fingerprint();
  rmSync(STAMP, { force: true });
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const web = join(ROOT, 'apps', 'web');
  // Builds into another folder and then renames it, so that a running server is without its pages only for a moment.
  await build(node, web, [vite, 'build', '--outDir', 'dist.new', '--emptyOutDir', '--logLevel', 'warn']);
  compress(join(web, 'dist.new'));
  keepRecent(join(web, 'dist', 'assets'), join(web, 'dist.new', 'assets'));
  rmSync(join(web, 'dist'), { recursive: true, force: true });
  renameSync(join(web, 'dist.new'), join(web, 'dist'));
  await build(node, join(ROOT, 'apps', 'embed'), ['build.ts']);
  compress(join(ROOT, 'apps', 'embed', 'dist'));
  mkdirSync(RUNTIME, { recursive: true });
  writeFileSync(STAMP, before);
}

/**
 * Copies the files of the last week's builds beside the new ones, since open pages and a running server still ask for
 * them. File names contain a hash, so files of different builds do not collide.
 */
export function keepRecent(from, to) {
  if (!existsSync(from)) return;
  for (const name of readdirSync(from)) {
    const file = join(from, name);
    if (existsSync(join(to, name)) || Date.now() - statSync(file).mtimeMs > KEPT_MS) continue;
    cpSync(file, join(to, name), { preserveTimestamps: true });
  }
}

/** Builds the pages into these folders and nothing else: no files of earlier builds, no stamp. */
export async function buildPagesInto(node, web, embed) {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  await build(node, join(ROOT, 'apps', 'web'), [vite, 'build', '--outDir', web, '--emptyOutDir', '--logLevel', 'warn']);
  await build(node, join(ROOT, 'apps', 'embed'), ['build.ts', embed]);
  for (const folder of [web, embed]) compress(folder);
}

async function build(node, cwd, args) {
  const built = await run(node, args, { cwd, env: withNode(node, { ...process.env, NODE_ENV: 'production' }) });
  if (built.code !== 0)
    throw new ToolError(`The pages in ${relative(ROOT, cwd)} could not be built:\n${lastLines(built.output, 30)}`);
}

/** A hash over the names and contents of all sources of the pages. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const path of filesBelow(join(ROOT, source))) {
      hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path)).update('\0');
    }
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    return error.code === 'ENOTDIR' ? [path] : [];
  }
  return entries
    .filter((entry) => !LEFT_OUT.has(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(path, entry.name)) : [join(path, entry.name)]));
}

function compress(folder) {
  for (const path of filesBelow(folder)) {
    if (!['.js', '.css', '.html', '.svg', '.json', '.txt'].includes(extname(path))) continue;
    const content = readFileSync(path);
    if (content.length < 1024) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}
