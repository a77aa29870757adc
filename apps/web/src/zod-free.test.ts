import * as mini from 'zod/mini';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without types, as Vite's own configuration imports it
import { shortened, zodFree } from '../zod-free.mjs';

interface Plugin {
  resolveId: (source: string) => string;
  load: (id: string) => string;
}

test('the replacement for the schema library has all of its exports, even those with a leading underscore', () => {
  const [plugin] = (zodFree as () => [Plugin])();
  const source = plugin.load(plugin.resolveId('zod/mini'));
  const exported = new Set([...source.matchAll(/export \{ schema as ([\w$]+) \}/g)].map(([, name]) => name));
  expect(Object.keys(mini).filter((name) => !exported.has(name))).toEqual([]);
  expect(exported).toContain('_default');
});

const shorten = shortened as (code: string, program: unknown, calls: unknown) => string;
const made = { method: 'GET', path: '/read/:id', access: 'own', summary: 'Read', shape: { rows: [{}] } };
const short = (code: string): string => shorten(code, parseAst(code), [['read', made]]);

test('the build keeps only what a page needs to call the API, and marks constants that can be left out when unused', () => {
  const module = `const shape = z.object({ name: z.string() });
export const limit = 5, calls = {
  read: endpoint('GET', '/read/:id', { ...common, summary: 'Read', reply: rows, refusals: ['busy'] }),
  other: later(shape),
};`;
  expect(short(module)).toBe(`const shape = /* @__PURE__ */ (() => (z.object({ name: z.string() })))();
export const limit = 5, calls = /* @__PURE__ */ (() => ({
  read: { method: "GET", path: "/read/:id", access: "own", shape: {"rows":[{}]} },
  other: later(shape),
}))();`);
});

test('a call that a function makes keeps the shape that is written with it; without one, the build stops', () => {
  const of = (shape: string) => `const callsOf = (path) => ({
  list: endpoint('GET', path, { access: 'own', summary: 'All'${shape} }),
});`;
  expect(short(of(', shape: [{ id: 0 }]'))).toBe(`const callsOf = (path) => ({
  list: { method: 'GET', path: path, access: 'own', shape: [{ id: 0 }] },
});`);
  expect(() => short(of(''))).toThrow('needs a written shape');
});
