// Checks the documents: their links work, the files, npm commands and decision records that they name exist, the tree in
// ARCHITECTURE.md matches the disk, every setting and command is documented, and they stay short enough to be read.
// This file is over 250 lines because each thing that documents may get wrong has its own check.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './lib/paths.mjs';
import { settingNames } from './lib/settings.mjs';

/** The most words: of all documents, of one that has its own limit, of a decision record; and how many records. */
const MOST_WORDS = 45_000;
const MOST_WORDS_OF = new Map([
  ['README.md', 600],
  ['docs/security.md', 1_500],
  ['docs/guide.md', 1_500],
  ['docs/reliability.md', 2_500],
  ['docs/cover-engine.md', 2_500],
  ['docs/operations.md', 3_000],
]);
const MOST_WORDS_OF_RECORD = 300;
const MOST_RECORDS = 90;
const RECORD = /^docs\/decisions\/(\d{4})-[^/]+\.md$/;

/**
 * Checks the Markdown files under `root`.
 * @returns {string[]} a line for each error
 */
export function checkDocs(root = ROOT) {
  const documents = markdownBelow(root);
  const { scripts, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return [
    ...documents.flatMap((path) => checkLinks(root, path)),
    ...documents.flatMap((path) => checkCommands(root, path, scripts)),
    ...checkFiles(root, documents),
    ...checkTree(root),
    ...checkSettings(root),
    ...checkLengths(root, documents),
    ...checkRecords(root, documents),
    ...checkAsvs(root),
    ...checkChangelog(root, version),
  ];
}

/** Checks that no document, and not all of them together, are longer than somebody reads. */
function checkLengths(root, documents) {
  const lengths = documents.map((path) => [relative(root, path), countWords(read(path))]);
  const records = lengths.filter(([path]) => RECORD.test(path));
  const all = lengths.reduce((sum, [, words]) => sum + words, 0);
  return [
    ...lengths
      .map(([path, words]) => [path, words, RECORD.test(path) ? MOST_WORDS_OF_RECORD : MOST_WORDS_OF.get(path)])
      .filter(([, words, most]) => words > most)
      .map(([path, words, most]) => `${path} has ${words} words; it may have ${most}`),
    ...(all > MOST_WORDS ? [`all documents together have ${all} words; they may have ${MOST_WORDS}`] : []),
    ...(records.length > MOST_RECORDS ? [`there are ${records.length} decision records; ${MOST_RECORDS} may be`] : []),
  ];
}

/**
 * Checks that every decision record that a document or a source file mentions exists. A migration never changes, so it
 * may name a number that was merged into another record; the list of records says into which.
 */
function checkRecords(root, documents) {
  const names = documents.map((path) => relative(root, path));
  const records = new Set(names.map((path) => RECORD.exec(path)?.[1]).filter((number) => number !== undefined));
  const list = join(root, 'docs/decisions/README.md');
  const merged = new Set(
    existsSync(list) ? [...read(list).matchAll(/(\d{4})(?=(?:,\d{4})*\s*→)/g)].map(([, number]) => number) : [],
  );
  return [...documents.filter((path) => path !== list), ...sourcesBelow(root)].flatMap((path) =>
    [...read(path).matchAll(/docs\/decisions\/(\d{4})|\b(?:record|decision) (\d{1,4})\b/g)]
      .map(([, inPath, number]) => (inPath ?? number).padStart(4, '0'))
      .filter((number) => !records.has(number) && !(path.endsWith('.sql') && merged.has(number)))
      .map((number) => `${relative(root, path)}: there is no decision record ${number}`),
  );
}

/**
 * Checks the list of security requirements: each row has a result and says why, the files and tests that it names exist,
 * so do the sections of docs/security.md, and that document counts the rows as they are.
 */
function checkAsvs(root) {
  const list = join(root, 'docs/asvs.csv');
  if (!existsSync(list)) return [];
  const security = read(join(root, 'docs/security.md'));
  const files = filesBelow(root, /./).map((path) => `/${relative(root, path)}`);
  const seen = new Set();
  const counts = { pass: 0, 'n/a': 0, fail: 0 };
  const problems = [];
  const [, ...rows] = read(list).trim().split('\n').map(cellsOf);
  for (const [id, level, requirement, result, where = '', ...more] of rows) {
    const report = (what) => problems.push(`docs/asvs.csv, ${id}: ${what}`);
    if (seen.has(id)) report('this requirement is there twice');
    seen.add(id);
    if (!/^\d+\.\d+\.\d+$/.test(id) || !/^[12]$/.test(level) || !requirement || more.length > 0)
      report('a row is: requirement, level, words, result, where');
    if (result in counts) counts[result] += 1;
    else report('the result is pass, fail or n/a');
    if (where.trim() === '') report('it says neither where nor why');
    for (const [, name] of where.matchAll(/`([\w./-]+\.(?:tsx?|mjs|sql|md|json|css))`/g))
      if (!files.some((file) => file.endsWith(`/${name}`))) report(`there is no file '${name}'`);
    for (const [path] of where.matchAll(/docs\/[\w./-]*\w/g))
      if (!files.some((file) => file.startsWith(`/${path}`))) report(`there is no file '${path}'`);
    for (const [, name] of where.matchAll(/security\.md, \*([^*]+)\*/g))
      if (!security.includes(`**${name}**`) && !security.includes(`## ${name}\n`))
        report(`docs/security.md has no part '${name}'`);
  }
  const sum = `${counts.pass} rows pass, ${counts['n/a']} do not apply, ${counts.fail} fail`;
  return security.includes(sum) ? problems : [...problems, `docs/security.md does not say: ${sum}`];
}

/** Checks that CHANGELOG.md has a part for the version in package.json. */
function checkChangelog(root, version) {
  const path = join(root, 'CHANGELOG.md');
  const text = existsSync(path) ? read(path) : '';
  return text.includes(`\n## ${version}`) ? [] : [`CHANGELOG.md has no part for the version ${version}`];
}

/** The cells of a line of CSV without line breaks in its cells. */
function cellsOf(line) {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^",]*)(?:,|$)/g)]
    .slice(0, line.endsWith(',') ? undefined : -1)
    .map(([, cell]) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}

/** Counted as `wc -w` counts. */
const countWords = (text) => text.split(/\s+/).filter((word) => word !== '').length;

function checkLinks(root, path) {
  return [...read(path).matchAll(/\]\(([^)\s#]+)(#[^)\s]*)?\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(dirname(path), decodeURIComponent(target))))
    .map((target) => `${relative(root, path)}: the link to ${target} is broken`);
}

/** Checks that each source file named in backticks exists: a path, or the last part of one (`calls/lines.test.ts`). */
function checkFiles(root, documents) {
  const files = sourcesBelow(root).map((path) => `/${relative(root, path)}`);
  return documents.flatMap((path) =>
    [...read(path).matchAll(/`([\w./-]+\.(?:ts|tsx|mjs|sql|css))`/g)]
      .map(([, name]) => name)
      // A name such as `x.ts` stands for any file.
      .filter((name) => !/(^|\/)x\./.test(name) && !files.some((file) => file.endsWith(`/${name}`)))
      .map((name) => `${relative(root, path)}: there is no file '${name}'`),
  );
}

function checkCommands(root, path, scripts) {
  return [...read(path).matchAll(/\bnpm (?:run(?: --silent)? ([\w:-]+)|(start|test)\b)/g)]
    .map(([, script, short]) => script ?? short)
    .filter((name) => !(name in scripts))
    .map((name) => `${relative(root, path)}: there is no npm script '${name}'`);
}

/**
 * Compares the tree in ARCHITECTURE.md with the disk: everything in the tree exists, and the tree leaves out nothing in
 * its folders.
 */
function checkTree(root) {
  const path = join(root, 'ARCHITECTURE.md');
  if (!existsSync(path)) return ['ARCHITECTURE.md is missing'];
  const tree = /```\n([\s\S]*?)```/.exec(read(path))?.[1] ?? '';
  const stack = [];
  const named = new Map(); // For each folder: the names that the tree lists in it.
  let last;
  for (const line of tree.split('\n').filter((each) => each.trim() !== '')) {
    const depth = (/^ */.exec(line)?.[0].length ?? 0) / 2;
    const [names, note = ''] = line.trim().split(/ {3,}/);
    if (!/^[\w./-]+( {2}[\w./-]+)*$/.test(names)) {
      // This line continues the list of folders on the previous line.
      if (last) named.set(last, [...(named.get(last) ?? []), ...words(line)]);
      continue;
    }
    stack.length = depth;
    const entries = names.split(/ {2}/);
    if (entries.length === 1 && depth > 10) named.set(last, [...(named.get(last) ?? []), ...words(line)]);
    const folder = stack.join('/');
    for (const entry of entries) named.set(folder, [...(named.get(folder) ?? []), entry.replace(/\/.*$/, '')]);
    if (entries.length === 1) {
      stack[depth] = entries[0].replace(/\/$/, '');
      last = stack.join('/');
      if (last.endsWith('/features') || last === 'features') named.set(last, words(note));
    }
  }
  const problems = [];
  for (const [folder, names] of named) {
    for (const name of names) {
      if (!existsSync(join(root, folder, name)))
        problems.push(`ARCHITECTURE.md names ${join(folder, name)}, which does not exist`);
    }
  }
  for (const folder of ['packages', 'apps', 'apps/server/src', 'apps/web/src', 'apps/web/src/features']) {
    if (!existsSync(join(root, folder))) continue;
    const known = named.get(folder) ?? (folder === 'apps' ? ['server', 'web', 'embed'] : []);
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (entry.isDirectory() && entry.name !== 'styles' && !known.includes(entry.name))
        problems.push(`ARCHITECTURE.md does not name ${folder}/${entry.name}`);
    }
  }
  return problems;
}

function words(text) {
  return text.split(/\s+/).filter((word) => /^[a-z][\w-]*$/.test(word));
}

/** Checks that docs/operations.md mentions every setting in config.ts and every command of the server. */
function checkSettings(root) {
  const config = join(root, 'apps/server/src/config.ts');
  const operations = join(root, 'docs/operations.md');
  if (!existsSync(config)) return [];
  const text = existsSync(operations) ? read(operations) : '';
  const settings = settingNames(root);
  if (settings.length === 0) return ['apps/server/src/config.ts: its settings could not be found'];
  const commands = join(root, 'apps/server/src/commands');
  const scripts = existsSync(commands)
    ? readdirSync(commands)
        .filter((name) => /^[a-z]+\.ts$/.test(name))
        .map((name) => `npm run ${name.slice(0, -3)}`)
    : [];
  return [
    ...settings
      .filter((name) => !text.includes(`\`${name}\``))
      .map((name) => `docs/operations.md does not mention the setting ${name}`),
    ...scripts
      .filter((each) => !text.replaceAll(' --silent', '').includes(each))
      .map((each) => `docs/operations.md does not mention the command ${each}`),
  ];
}

const markdownBelow = (folder) => filesBelow(folder, /\.md$/);
const sourcesBelow = (folder) => filesBelow(folder, /\.(?:ts|tsx|mjs|sql|css)$/);

function filesBelow(folder, pattern) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', '.git', '.runtime', '.cache', 'data', 'test-results'].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path, pattern);
    return pattern.test(entry.name) ? [path] : [];
  });
}

function read(path) {
  return readFileSync(path, 'utf8');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkDocs();
  for (const line of problems) process.stdout.write(`${line}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
