import * as mini from 'zod/mini';

/**
 * Pages use the contract for its paths, texts and types; the server does the checking. Its schemas would be a twentieth
 * of the first load, so in the pages' build every schema is one value that accepts being built and refuses to be used.
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
