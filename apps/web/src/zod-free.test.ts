import * as mini from 'zod/mini';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without types, as Vite's own configuration imports it
import { zodFree } from '../zod-free.mjs';

interface Plugin {
  resolveId: (source: string) => string;
  load: (id: string) => string;
}

test('the stand-in for the schema library exports every name that the library exports, even with a leading underscore', () => {
  const plugin = (zodFree as () => Plugin)();
  const source = plugin.load(plugin.resolveId('zod/mini'));
  const exported = new Set([...source.matchAll(/export \{ schema as ([\w$]+) \}/g)].map(([, name]) => name));
  expect(Object.keys(mini).filter((name) => !exported.has(name))).toEqual([]);
  expect(exported).toContain('_default');
});
