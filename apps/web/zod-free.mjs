import * as zod from 'zod/mini';

/**
 * Pages use the contract for its paths, texts and types; the server does the checking. Its schemas would be a twentieth
 * of the first load, so in the pages' build every schema is one value that accepts being built and refuses to be used.
 */
const STUB = '\0zod-free';
const NAMES = Object.keys(zod).filter((name) => name !== 'default');

export function zodFree() {
  return {
    name: 'zod-free',
    enforce: 'pre',
    resolveId: (source) => (source === 'zod/mini' ? STUB : null),
    load: (id) =>
      id === STUB
        ? `const use = (name) => () => { throw new Error('schemas are not part of the pages: ' + String(name)); };
const schema = new Proxy(function () {}, {
  get: (_, name) => /^(safe)?parse|^_/i.test(String(name)) ? use(name) : schema,
  apply: () => schema,
});
${NAMES.map((name) => `export { schema as ${name} };`).join('\n')}`
        : null,
  };
}
