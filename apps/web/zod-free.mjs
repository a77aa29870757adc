/**
 * Pages use the contract for its paths, texts and types; the server does the checking. Its schemas would be a twentieth
 * of the first load, so in the pages' build every schema is one value that accepts being built and refuses to be used.
 */
const STUB = '\0zod-free';
const NAMES =
  'array boolean discriminatedUnion email gte int iso literal looseObject lte maxLength minLength nullable number object optional record refine regex string trim union unknown uuid enum';

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
${NAMES.split(' ')
  .map((name) => `export { schema as ${name} };`)
  .join('\n')}`
        : null,
  };
}
