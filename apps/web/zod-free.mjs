import * as mini from 'zod/mini';

/**
 * The pages use the contract for its paths, messages and types, while the server checks the data with its schemas. The
 * schemas would be a twentieth of what a page loads first, so the pages' build replaces each of them with an object
 * that can be built but not used.
 */
const STUB = '\0zod-free';

const stub = `const use = (name) => () => { throw new Error('schemas are not part of the pages: ' + String(name)); };
const schema = new Proxy(function () {}, {
  get: (_, name) => /^(safe)?(parse|decode|encode)|^_/i.test(String(name)) ? use(name) : schema,
  apply: () => schema,
});
${Object.keys(mini)
  .map((name) => `export { schema as ${name} };`)
  .join('\n')}`;

export function zodFree() {
  return {
    name: 'zod-free',
    enforce: 'pre',
    resolveId: (source) => (source === 'zod/mini' ? STUB : null),
    load: (id) => (id === STUB ? stub : null),
  };
}
