import * as mini from 'zod/mini';

/**
 * The pages use the contract's paths, messages and types, but not its schemas: only the server checks data. The schemas
 * would be a twentieth of what a page loads first. So the pages' build replaces each schema with an object that can be
 * built but not used.
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

const CONTRACT = /[\\/]packages[\\/]contract[\\/]src[\\/]/;
/** What a page needs of a call; the rest of its description is for the server. */
const SENT = new Set(['method', 'path', 'access']);

export function zodFree() {
  return [
    {
      name: 'zod-free',
      enforce: 'pre',
      resolveId: (source) => (source === 'zod/mini' ? STUB : null),
      load: (id) => (id === STUB ? stub : null),
    },
    {
      name: 'short-contract',
      apply: 'build',
      transform(code, id) {
        return CONTRACT.test(id) ? { code: shortened(code, this.parse(code)), map: null } : null;
      },
    },
  ];
}

/**
 * A module of the contract without the calls' summaries and schemas. Top-level constants are marked as pure, so that
 * the build leaves out those that no page uses.
 */
export function shortened(code, program) {
  const edits = [];
  const keep = (from, to, text) => edits.push({ from, to, text });
  for (const statement of program.body) {
    const declaration = statement.declaration ?? statement;
    if (declaration.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
    for (const { init } of declaration.declarations) {
      if (init?.type !== 'CallExpression' && init?.type !== 'ObjectExpression') continue;
      keep(init.start, init.start, '/* @__PURE__ */ (() => (');
      shortenCalls(init, keep);
      keep(init.end, init.end, '))()');
    }
  }
  return edits
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to), code);
}

/** Leaves out all properties of `endpoint({ … })` that a page does not need. */
function shortenCalls(init, keep) {
  const found = init.type === 'ObjectExpression' ? init.properties.map((p) => p.value) : [init];
  for (const call of found) {
    if (call?.type !== 'CallExpression' || call.callee.name !== 'endpoint') continue;
    const [description] = call.arguments;
    const sent = description.properties.filter((p) => SENT.has(p.key?.name));
    const text = sent.map((p) => `${p.key.name}: ${JSON.stringify(p.value.value)}`).join(', ');
    keep(call.start, call.end, `{ ${text} }`);
  }
}
