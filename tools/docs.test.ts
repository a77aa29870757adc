import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkDocs } from './docs.mjs';

const root = mkdtempSync(join(tmpdir(), 'clinic-docs-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const TREE =
  '# Tree\n\n```\npackages/\n  domain/                          time\ntools/                             start\n```\n';
/** Put together, so that the check of this repository does not take the records of these tests for its own. */
const RECORDS = ['docs', 'decisions'].join('/');
const ASVS = '1.1.1,2,Decoded once,pass,"docs/security.md, *Sessions*; `start.mjs`"\n1.2.6,2,LDAP,n/a,no LDAP\n';
const GOOD = {
  'package.json': '{"version":"1.2.0","scripts":{"start":"x","backup":"x"}}',
  'CHANGELOG.md': '# Changelog\n\n## 1.2.0, today\n',
  'ARCHITECTURE.md': TREE,
  'packages/domain/index.ts': '',
  'tools/start.mjs': '',
  'docs/operations.md':
    'Set `PORT`. Run `npm start`; `npm run backup -- FILE`. See [the tree](../ARCHITECTURE.md#tree).',
  'apps/server/src/config.ts': 'const SETTINGS = z.object({\n  PORT: number(),\n})',
  'apps/server/src/commands/backup.ts': '',
  'docs/security.md': '- **Sessions**: 30 minutes. 1 rows pass, 1 do not apply, 0 fail',
  'docs/asvs.csv': `requirement,level,words,result,where\n${ASVS}`,
  [`${RECORDS}/0001-runtime.md`]: '# 1. Node.js',
  [`${RECORDS}/README.md`]: '0009 → [0001](0001-runtime.md)',
  'apps/server/src/db/migrations/0001-schema.sql': `-- See ${RECORDS}/0001 and ${RECORDS}/0009.`,
};

const words = (count: number): string => 'word '.repeat(count);
const records = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${RECORDS}/${2000 + n}-more.md`, 'More.']));

const asvs = (from: string, to: string): Record<string, string> => ({
  'docs/asvs.csv': `requirement,level,words,result,where\n${ASVS.replace(from, to)}`,
});

function check(changes: Record<string, string> = {}): string[] {
  rmSync(root, { recursive: true, force: true });
  for (const [path, content] of Object.entries({ ...GOOD, ...changes })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return checkDocs(root).filter((line) => !line.includes('does not name apps'));
}

test('documents that match the repository pass the check', () => {
  expect(check()).toEqual([]);
});

test('given as many words and records as allowed, nothing is reported', () => {
  expect(check({ ...records(88), [`${RECORDS}/1999-long.md`]: words(300), 'README.md': words(600) })).toEqual([]);
});

test.each<[string, Record<string, string>, string]>([
  ['a broken link', { 'README.md': '[x](docs/gone.md)' }, 'README.md: the link to docs/gone.md is broken'],
  [
    'a file that is not there',
    { 'README.md': 'See `domain/gone.ts`.' },
    "README.md: there is no file 'domain/gone.ts'",
  ],
  ['a command that is not there', { 'README.md': '`npm run deploy`' }, "README.md: there is no npm script 'deploy'"],
  ['a test command that is not there', { 'README.md': '`npm test`' }, "there is no npm script 'test'"],
  [
    'a folder that the tree names and is not there',
    { 'ARCHITECTURE.md': TREE.replace('tools/', 'tolls/') },
    'ARCHITECTURE.md names tolls',
  ],
  [
    'a folder that the tree does not name',
    { 'packages/extra/index.ts': '' },
    'ARCHITECTURE.md does not name packages/extra',
  ],
  [
    'a setting that is not documented',
    { 'apps/server/src/config.ts': 'const SETTINGS = z.object({\n  PORT: number(),\n  HOST: text(),\n})' },
    'does not mention the setting HOST',
  ],
  [
    'a command that is not documented',
    { 'apps/server/src/commands/audit.ts': '' },
    'does not mention the command npm run audit',
  ],
  [
    'a decision record that a comment names and is not there',
    { 'tools/start.mjs': `// Why: ${RECORDS}/0002.` },
    `tools/start.mjs: there is no decision record ${'0002'}`,
  ],
  [
    'a merged record that a document names',
    { 'README.md': `As record ${9} says.` },
    `README.md: there is no decision record ${'0009'}`,
  ],
  [
    'a record that a migration names and was never there',
    { 'apps/server/src/db/migrations/0002-two.sql': `-- ${RECORDS}/0008` },
    `0002-two.sql: there is no decision record ${'0008'}`,
  ],
  ['a decision record that is too long', { [`${RECORDS}/0002-long.md`]: words(301) }, 'has 301 words; it may have 300'],
  ['a README that is too long', { 'README.md': words(601) }, 'README.md has 601 words; it may have 600'],
  ['a decision record that is one too many', records(90), 'there are 91 decision records; 90 may be'],
  [
    'a requirement whose test is not there',
    asvs('start.mjs', 'gone.test.ts'),
    "1.1.1: there is no file 'gone.test.ts'",
  ],
  ['a requirement whose document is not there', asvs('docs/security', 'docs/safety'), "no file 'docs/safety.md'"],
  ['a requirement whose part is not there', asvs('*Sessions*', '*Keys*'), "docs/security.md has no part 'Keys'"],
  ['a requirement with another result', asvs('pass', 'perhaps'), '1.1.1: the result is pass, fail or n/a'],
  ['a requirement that is there twice', asvs('1.2.6', '1.1.1'), '1.1.1: this requirement is there twice'],
  ['a requirement without a reason', asvs('no LDAP', ''), '1.2.6: it says neither where nor why'],
  ['requirements that are counted wrongly', asvs('pass', 'fail'), '0 rows pass, 1 do not apply, 1 fail'],
  [
    'a version that is not in the changelog',
    { 'CHANGELOG.md': '\n## 1.1.9' },
    'CHANGELOG.md has no part for the version 1.2.0',
  ],
  ['documents that are too long together', { 'docs/a.md': words(60_000) }, 'all documents together have 60'],
])('given an error, it is reported: %s', (_what, changes, line) => {
  expect(check(changes).join('\n')).toContain(line);
});
