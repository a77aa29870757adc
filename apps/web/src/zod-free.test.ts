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

test('the build keeps only what a page needs to call the API, and marks constants that can be left out when unused', () => {
  const module = `const shape = z.object({ name: z.string() });
export const limit = 5, calls = {
  read: endpoint({ method: 'GET', path: '/read/:id', access: 'own', summary: 'Read', params: shape, refusals: ['busy'] }),
  other: later(shape),
};`;
  const shorten = shortened as (code: string, program: unknown) => string;
  expect(shorten(module, parseAst(module)))
    .toBe(`const shape = /* @__PURE__ */ (() => (z.object({ name: z.string() })))();
export const limit = 5, calls = /* @__PURE__ */ (() => ({
  read: { method: "GET", path: "/read/:id", access: "own" },
  other: later(shape),
}))();`);
});
