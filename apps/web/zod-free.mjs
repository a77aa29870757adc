import * as mini from 'zod/mini';
import { API } from '@clinic/contract';

/**
 * The pages use the contract's paths, messages and types, but not its schemas: only the server checks data. The schemas
 * would be a twentieth of what a page loads first. So the pages' build replaces each schema with an object that can be
 * built but not used, and keeps of a reply's schema only its shape.
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
const SENT = ['method', 'path', 'access', 'writes', 'shape'];
const CALLS = Object.values(API).flatMap((group) => Object.entries(group));

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
export function shortened(code, program, calls = CALLS) {
  const edits = [];
  const keep = (from, to, text) => edits.push({ from, to, text });
  for (const statement of program.body) {
    const declaration = statement.declaration ?? statement;
    if (declaration.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
    for (const { init } of declaration.declarations) {
      const isPure = init?.type === 'CallExpression' || init?.type === 'ObjectExpression';
      if (isPure) keep(init.start, init.start, '/* @__PURE__ */ (() => (');
      for (const { name, call } of callsIn(init)) keep(call.start, call.end, shortCall(code, name, call, calls));
      if (isPure) keep(init.end, init.end, '))()');
    }
  }
  return edits
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to), code);
}

/** All `name: endpoint(method, path, { … })` within a node, also those that a function makes. */
function callsIn(node) {
  if (typeof node !== 'object' || node === null) return [];
  const { value: call, key } = node;
  if (call?.type === 'CallExpression' && call.callee.name === 'endpoint') return [{ name: key.name, call }];
  return Object.values(node).flatMap(callsIn);
}

/** What a page needs of `endpoint(method, path, { … })`, with the shape of its reply. */
function shortCall(code, name, call, calls) {
  const [method, path, { properties }] = call.arguments;
  const written = new Map(properties.map((p) => [p.key?.name, p]));
  const found = calls.find(([each, made]) => each === name && made.path === path.value)?.[1];
  const texts = SENT.map((part) => {
    if (found) return found[part] === undefined ? '' : `${part}: ${JSON.stringify(found[part])}`;
    const given = { method, path }[part];
    if (given) return `${part}: ${code.slice(given.start, given.end)}`;
    const { start, end } = written.get(part) ?? {};
    return code.slice(start ?? 0, end ?? 0);
  });
  if (!found && !written.has('shape')) throw new Error(`a call that a function makes needs a written shape: ${name}`);
  return `{ ${texts.filter(Boolean).join(', ')} }`;
}
