import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import tseslint from 'typescript-eslint';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from './lib/paths.mjs';

const root = mkdtempSync(join(tmpdir(), 'clinic-lint-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CONFIG = join(ROOT, '.oxlintrc.json');
/** The rule that the product checks in addition to those that typescript-eslint recommends. */
const ALSO = 'switch-exhaustiveness-check';

const { config: lint } = ts.parseConfigFileTextToJson(CONFIG, readFileSync(CONFIG, 'utf8')) as {
  config: { rules: Record<string, unknown> };
};
const ruleNames = Object.keys(lint.rules).map((name) => name.replace('typescript/', ''));

test('every rule with types that typescript-eslint recommends is checked', () => {
  const recommended = tseslint.configs.recommendedTypeCheckedOnly.flatMap(({ rules = {} }) =>
    Object.entries(rules).filter(([name, level]) => name.startsWith('@') && level !== 'off'),
  );
  const names = recommended.map(([name]) => name.replace('@typescript-eslint/', ''));
  expect(ruleNames.toSorted()).toEqual([...names, ALSO].sort());
});

// One fault for each rule, in a line of its own. Several of them exist only where TypeScript is strict.
const FAULTS: Readonly<Record<string, string>> = {
  'await-thenable': 'export const a = async () => void (await 1);',
  'no-array-delete': 'export const b = (list: number[]) => delete list[0];',
  'no-base-to-string': 'export const c = (value: { x: number }) => value.toString();',
  'no-duplicate-type-constituents': 'export type D = "x" | "x";',
  'no-floating-promises': 'export const e = () => { Promise.resolve(1); };',
  'no-for-in-array': 'export const f = (list: number[]) => { for (const each in list) void each; };',
  'no-implied-eval': 'export const g = (later: (code: string) => void) => { later("1"); new Function("1"); };',
  'no-misused-promises':
    'export const h = (list: number[]) => { list.forEach(async () => { await Promise.resolve(); }); };',
  'no-redundant-type-constituents': 'export type I = unknown | string;',
  'no-unnecessary-type-assertion': 'export const j = (value: string) => value!;',
  'no-unsafe-argument': 'export const k = (value: any) => Math.max(value);',
  'no-unsafe-assignment': 'export const l = (value: any) => { const kept = value; void kept; };',
  'no-unsafe-call': 'export const m = (value: any) => { value(); };',
  'no-unsafe-enum-comparison': 'export const n = (value: Kind) => value === 1;',
  'no-unsafe-member-access': 'export const o = (value: any) => { void value.x; };',
  'no-unsafe-return': 'export const p = (value: any): string => value;',
  'no-unsafe-unary-minus': 'export const q = (value: string) => -value;',
  'only-throw-error': 'export const r = () => { throw "x"; };',
  'prefer-promise-reject-errors': 'export const s = () => Promise.reject("x");',
  'require-await': 'export const t = async () => 1;',
  'restrict-plus-operands': 'export const u = (value: number, other: bigint) => { void (value + other); };',
  'restrict-template-expressions': 'export const v = (value: string[]) => `${value}`;',
  'switch-exhaustiveness-check': 'export const w = (value: "x" | "y") => { switch (value) { case "x": return; } };',
  'unbound-method': 'export const x = (list: Set<number>) => list.add;',
};

test('given one fault for each rule, the lint with types reports each in its line and nothing else', () => {
  const lines = Object.values(FAULTS);
  writeFileSync(join(root, 'faults.ts'), [...lines, 'declare enum Kind { One = 1 }'].join('\n'));
  const base = join(ROOT, 'tsconfig.base.json');
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ extends: base, include: ['.'] }));
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '-c', CONFIG, '--format', 'json', '.'],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, OXLINT_TSGOLINT_PATH: join(ROOT, 'node_modules/.bin/tsgolint') },
    },
  );
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; labels: { span: { line: number } }[] }[];
  };
  const found = diagnostics.map(({ code, labels }) => `${labels[0]?.span.line}: ${code}`);
  const expected = Object.keys(FAULTS).map((name, line) => `${line + 1}: typescript(${name})`);
  expect(found.sort()).toEqual(expected.sort());
  expect(Object.keys(FAULTS).sort()).toEqual(ruleNames.toSorted());
  expect(status).toBe(1);
});

// Lint checks a file in the project of the nearest tsconfig.json. If the project leaves the file out, lint does not
// complain: it takes TypeScript's own settings, which are not strict, and finds much less.
test('every TypeScript file belongs to the strict project of the nearest tsconfig.json', () => {
  const git = (...args: string[]): string[] => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const files = git('ls-files', '--cached', '--others', '--exclude-standard', '--', '*.ts', '*.tsx').filter(Boolean);
  const projects = new Map<string, ReadonlySet<string>>();
  const filesOf = (config: string): ReadonlySet<string> => {
    const { config: read } = ts.readConfigFile(config, (path) => ts.sys.readFile(path)) as { config: unknown };
    const { fileNames, options } = ts.parseJsonConfigFileContent(read, ts.sys, dirname(config));
    expect(options.strict, config).toBe(true);
    return new Set(fileNames);
  };
  const left = files.filter((file) => {
    const path = join(ROOT, file);
    const config = ts.findConfigFile(dirname(path), (each) => ts.sys.fileExists(each));
    if (config === undefined) return true;
    const known = projects.get(config) ?? filesOf(config);
    projects.set(config, known);
    return !known.has(path);
  });
  expect(left).toEqual(['apps/embed/build.ts', 'vitest.config.ts']);
});
