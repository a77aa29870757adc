import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkDocs } from './docs.mjs';

const root = mkdtempSync(join(tmpdir(), 'clinic-docs-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const TREE =
  '# Tree\n\n```\npackages/\n  domain/                          time\ntools/                             start\n```\n';
const GOOD = {
  'package.json': '{"scripts":{"start":"x","backup":"x"}}',
  'ARCHITECTURE.md': TREE,
  'packages/domain/index.ts': '',
  'tools/start.mjs': '',
  'docs/operations.md':
    'Set `PORT`. Run `npm start`; `npm run backup -- FILE`. See [the tree](../ARCHITECTURE.md#tree).',
  'apps/server/src/config.ts': 'const SETTINGS = z.object({\n  PORT: number(),\n})',
  'apps/server/src/commands/backup.ts': '',
};

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
])('given an error, it is reported: %s', (_what, changes, line) => {
  expect(check(changes).join('\n')).toContain(line);
});
