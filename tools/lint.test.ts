import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import js from '@eslint/js';
import ts from 'typescript';
import tseslint from 'typescript-eslint';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from './lib/paths.mjs';

const root = mkdtempSync(join(tmpdir(), 'clinic-lint-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CONFIG = join(ROOT, '.oxlintrc.json');
/** The rules that the product checks in addition to those that ESLint and typescript-eslint recommend. */
const ALSO = ['switch-exhaustiveness-check', 'eqeqeq', 'consistent-type-imports'];
/** What these rules find does not parse in a module. */
const NOT_PARSED = ['no-delete-var', 'no-dupe-args', 'no-nonoctal-decimal-escape', 'no-octal', 'no-with'];

type Rules = Readonly<Record<string, unknown>>;
const { config: lint } = ts.parseConfigFileTextToJson(CONFIG, readFileSync(CONFIG, 'utf8')) as {
  config: { rules: Rules; overrides: { files: string[]; rules: Rules }[] };
};
/** The names of the rules that are not off, without the plugin's. */
const namesIn = (rules: Rules): string[] =>
  Object.entries(rules)
    .filter(([, level]) => level !== 'off')
    .map(([name]) => name.replace(/^@?[\w-]+\//, ''))
    .filter((name) => !NOT_PARSED.includes(name))
    .sort();
const forModules = lint.overrides.find(({ rules }) => Object.values(rules).includes('error'))?.rules ?? {};

test('every rule that ESLint and typescript-eslint recommend is checked', () => {
  const rules: Rules = { ...js.configs.recommended.rules };
  const sets: Rules[] = [rules, ...tseslint.configs.recommendedTypeChecked.map((each) => ({ ...each.rules }))];
  const recommended: Rules = Object.fromEntries(sets.flatMap((each) => Object.entries(each)));
  expect(namesIn(lint.rules)).toEqual([...namesIn(recommended), ...ALSO].sort());
  // typescript-eslint switches off what the compiler checks.
  const off = Object.fromEntries(Object.entries(rules).filter(([name]) => recommended[name] === 'off'));
  expect(namesIn(forModules)).toEqual(namesIn(off).filter((name) => !namesIn(lint.rules).includes(name)));
});

// One fault for each rule that needs types, in a line of its own. Several of them exist only where TypeScript is strict.
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

// One fault for each other rule.
const PLAIN_FAULTS: Readonly<Record<string, string>> = {
  'for-direction': 'export const a1 = () => { for (let i = 0; i < 9; i--) void i; };',
  'no-async-promise-executor': 'export const a2 = () => new Promise<void>(async (done) => { await null; done(); });',
  'no-case-declarations':
    'export const a3 = (n: number) => { switch (n) { case 1: const m = n; return m; default: return 0; } };',
  'no-compare-neg-zero': 'export const a4 = (n: number) => n === -0;',
  'no-cond-assign': 'export const a5 = (n: number) => { if (n = 1) return n; return 0; };',
  'no-constant-binary-expression': 'export const a6 = (n: number) => n + 1 ?? 2;',
  'no-constant-condition': 'export const a7 = () => { if (true) return 1; return 2; };',
  'no-control-regex': 'export const a8 = /\\x1f/;',
  'no-debugger': 'export const a9 = () => { debugger; };',
  'no-dupe-else-if': 'export const b1 = (n: number) => { if (n > 1) return 1; else if (n > 1) return 2; return 3; };',
  'no-duplicate-case':
    'export const b2 = (n: number) => { switch (n) { case 1: return 1; case 1: return 2; default: return 3; } };',
  'no-empty': 'export const b3 = (n: number) => { if (n > 1) {} };',
  'no-empty-character-class': 'export const b4 = /a[]/;',
  'no-empty-pattern': 'export const b5 = ({}: object) => 1;',
  'no-empty-static-block': 'export class B6 { static {} }',
  'no-ex-assign': 'export const b7 = () => { try { JSON.parse(""); } catch (error) { error = 1; throw error; } };',
  'no-extra-boolean-cast': 'export const b8 = (n: number) => { if (!!n) return 1; return 2; };',
  'no-fallthrough':
    'export const b9 = (n: number) => { switch (n) { case 1: n++; case 2: return 2; default: return 3; } };',
  'no-global-assign': 'export const c1 = () => { Object = null as never; };',
  'no-invalid-regexp': 'export const c2 = () => new RegExp("[");',
  'no-irregular-whitespace': 'export const c3 = () =>\u00a01;',
  'no-loss-of-precision': 'export const c4 = 9007199254740993;',
  'no-misleading-character-class': 'export const c5 = /^[👍]$/;',
  'no-prototype-builtins': 'export const c7 = (o: object) => o.hasOwnProperty("a");',
  'no-regex-spaces': 'export const c8 = /a  b/;',
  'no-self-assign': 'export const c9 = (n: number) => { n = n; return n; };',
  'no-shadow-restricted-names': 'export const d1 = (undefined: number) => undefined;',
  'no-sparse-arrays': 'export const d2 = [1, , 2];',
  'no-unassigned-vars': 'export const d3 = () => { let n: number | undefined; return n; };',
  'no-unexpected-multiline': 'export const d4 = (n: number[]) => { const m = n\n[0]; return m; };',
  'no-unsafe-finally': 'export const d5 = () => { try { return 1; } finally { return 2; } };',
  'no-unsafe-optional-chaining': 'export const d6 = (o?: { n: () => number }) => (o?.n)();',
  'no-unused-labels': 'export const d7 = () => { label: for (;;) break; };',
  'no-unused-private-class-members': 'export class D8 { #n = 1; }',
  'no-useless-assignment': 'export const d9 = () => { let n = 1; n = 2; return n; };',
  'no-useless-backreference': 'export const e1 = /\\1(a)/;',
  'no-useless-catch': 'export const e2 = () => { try { JSON.parse(""); } catch (error) { throw error; } };',
  'no-useless-escape': 'export const e3 = "\\d";',
  'preserve-caught-error':
    'export const e4 = () => { try { JSON.parse(""); } catch (error) { throw new Error("x"); } };',
  'require-yield': 'export const e5 = function* () { return 1; };',
  'use-isnan': 'export const e6 = (n: number) => n === NaN;',
  'valid-typeof': 'export const e7 = (n: unknown) => typeof n === "nunber";',
  'no-var': 'export var e8 = 1;',
  'prefer-const': 'export const e9 = () => { let n = 1; return n; };',
  'prefer-rest-params': 'export const f1 = function () { return arguments; };',
  'prefer-spread': 'export const f2 = (f: (n: number) => void, n: [number]) => f.apply(undefined, n);',
  eqeqeq: 'export const f3 = (n: number) => n == 1;',
  'ban-ts-comment': '// @ts-ignore',
  'no-array-constructor': 'export const f5 = () => new Array(1, 2);',
  'no-duplicate-enum-values': 'export enum F6 { a = 1, b = 1 }',
  'no-empty-object-type': 'export type F7 = {};',
  'no-explicit-any': 'export type F8 = any;',
  'no-extra-non-null-assertion': 'export const f9 = (n?: { m: number }) => n!!.m;',
  'no-misused-new': 'export interface G1 { new (): G1; }',
  'no-namespace': 'export namespace G2 { export const n = 1; }',
  'no-non-null-asserted-optional-chain': 'export const g3 = (n?: { m?: number }) => n?.m!;',
  'no-require-imports': 'import g4 = require("fs"); export { g4 };',
  'no-this-alias': 'export class G5 { n() { const self = this; return self; } }',
  'no-unnecessary-type-constraint': 'export type G6<T extends unknown> = T[];',
  'no-unsafe-declaration-merging': 'export interface G7 { n: number }\nexport class G7 { m = 1; }',
  'no-unsafe-function-type': 'export type G8 = Function;',
  'no-unused-expressions': 'export const g9 = (n: number) => { n + 1; };',
  'no-unused-vars':
    'const h1 = 1;\nexport const h1b = () => { try { JSON.parse(""); } catch (unused) { void 0; } };\nexport const h1c = (_n: number, m: number) => 1;',
  'no-wrapper-object-types': 'export type H2 = String;',
  'prefer-as-const': 'export const h3: "x" = "x";',
  'prefer-namespace-keyword': 'declare module H4 { const n: number; }',
  'triple-slash-reference': '/// <reference path="./x" />',
  'consistent-type-imports': 'import { PathLike } from "node:fs"; export type H5 = PathLike;',
};

// One fault for each rule that is checked only in JavaScript.
const MODULE_FAULTS: Readonly<Record<string, string>> = {
  'constructor-super': 'export class A extends Array { constructor() { void 1; } }',
  'getter-return': 'export const a = { get n() {} };',
  'no-class-assign': 'class A {} A = 1; export { A };',
  'no-const-assign': 'const a = 1; a = 2; export { a };',
  'no-dupe-class-members': 'export class A { a() {} a() {} }',
  'no-dupe-keys': 'export const a = { n: 1, n: 2 };',
  'no-func-assign': 'function a() {} a = 1; export { a };',
  'no-import-assign': 'import a from "node:fs"; a = 1;',
  'no-new-native-nonconstructor': 'export const a = new Symbol("x");',
  'no-obj-calls': 'export const a = Math();',
  'no-redeclare': 'var a = 1; var a = 2; export { a };',
  'no-setter-return': 'export const a = { set n(v) { return v; } };',
  'no-this-before-super': 'export class A extends Array { constructor() { this.n = 1; super(); } }',
  'no-undef': 'export const a = nowhere;',
  'no-unreachable': 'export const a = () => { return 1; a(); };',
  'no-unsafe-negation': 'export const a = (k, o) => !k in o;',
};

/** Writes the files into a project of its own, with the product's lint settings, and returns what lint finds. */
function linted(name: string, files: Readonly<Record<string, string>>) {
  const folder = join(root, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  copyFileSync(CONFIG, join(folder, '.oxlintrc.json'));
  const base = join(ROOT, 'tsconfig.base.json');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: base, include: ['.'] }));
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--format', 'json', '.'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, OXLINT_TSGOLINT_PATH: join(ROOT, 'node_modules/.bin/tsgolint') },
    },
  );
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code?: string; filename: string; labels: { span: { line: number } }[] }[];
  };
  const found = diagnostics.map(({ code, filename, labels }) => ({
    rule: /\((.+)\)/.exec(code ?? '')?.[1] ?? 'no rule',
    file: basename(filename),
    line: labels[0]?.span.line ?? 0,
  }));
  return { found, status };
}

test('given one fault for each rule with types, lint reports each in its line, and no other fault of these rules', () => {
  const text = [...Object.values(FAULTS), 'declare enum Kind { One = 1 }'].join('\n');
  const { found, status } = linted('typed', { 'faults.ts': text });
  const typed = found.filter(({ rule }) => rule in FAULTS).map(({ rule, line }) => `${line}: ${rule}`);
  expect(typed.sort()).toEqual(
    Object.keys(FAULTS)
      .map((name, line) => `${line + 1}: ${name}`)
      .sort(),
  );
  expect(status).toBe(1);
});

test('given one file with a fault for each other rule, lint reports this rule in each', () => {
  const files = Object.entries(PLAIN_FAULTS).map(([rule, text]) => [`${rule}.ts`, `${text}\n`]);
  const modules = Object.entries(MODULE_FAULTS).map(([rule, text]) => [`${rule}.mjs`, `${text}\n`]);
  const { found } = linted('plain', Object.fromEntries([...files, ...modules]) as Record<string, string>);
  const reported = new Set(found.map(({ rule, file }) => `${file}: ${rule}`));
  const expected = [...files, ...modules].map(([file = '']) => `${file}: ${file.replace(/\.\w+$/, '')}`);
  expect(expected.filter((each) => !reported.has(each))).toEqual([]);
  expect([...Object.keys(FAULTS), ...Object.keys(PLAIN_FAULTS)].sort()).toEqual(namesIn(lint.rules));
  expect(Object.keys(MODULE_FAULTS).sort()).toEqual(namesIn(forModules));
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
