import { parseDate } from '@clinic/domain';
import type { Random } from '@clinic/testkit';

/** The part of JSON Schema that the OpenAPI document uses. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly multipleOf?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly description?: string;
}

/**
 * The keywords of JSON Schema that `mismatch` checks or may ignore. Any other keyword makes it throw, so that no
 * keyword goes unchecked.
 */
const KNOWN = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'items',
  'minItems',
  'maxItems',
  'enum',
  'const',
  'anyOf',
  'oneOf',
  'allOf',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'pattern',
  'format',
  'description',
]);

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value === 'object' ? 'object' : typeof value;

/** Says where and how a value violates a schema; null when it matches. */
function mismatch(schema: JsonSchema, value: unknown, path = ''): string | null {
  const unknown = Object.keys(schema).find((word) => !KNOWN.has(word));
  if (unknown !== undefined) throw new Error(`the schema at ${path} says '${unknown}', which is not checked`);
  const type = typeOf(value);
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  const fits = types?.some((t) => t === type || (t === 'integer' && Number.isInteger(value))) ?? true;
  if (!fits) return `${path}: is ${type}, not ${String(types)}`;
  if (schema.enum && !schema.enum.includes(value)) return `${path}: is none of the values`;
  if ('const' in schema && schema.const !== value) return `${path}: is not the value`;
  for (const part of schema.allOf ?? []) {
    const why = mismatch(part, value, path);
    if (why !== null) return why;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && choices.every((choice) => mismatch(choice, value, path) !== null)) return `${path}: fits no choice`;
  if (typeof value === 'string') return mismatchOfText(schema, value, path);
  if (typeof value === 'number') {
    if (schema.multipleOf !== undefined && value % schema.multipleOf !== 0) return `${path}: is not a multiple`;
    const below = schema.minimum !== undefined && value < schema.minimum;
    return below || (schema.maximum !== undefined && value > schema.maximum) ? `${path}: is out of range` : null;
  }
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity)) return `${path}: length`;
    return first(value.map((each, i) => () => (schema.items ? mismatch(schema.items, each, `${path}/${i}`) : null)));
  }
  return type === 'object' ? mismatchOfObject(schema, value as Record<string, unknown>, path) : null;
}

function mismatchOfText(schema: JsonSchema, value: string, path: string): string | null {
  if (value.length < (schema.minLength ?? 0) || value.length > (schema.maxLength ?? Infinity)) return `${path}: length`;
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) return `${path}: pattern`;
  if (schema.format === 'date' && parseDate(value) === null) return `${path}: is not a date`;
  if (schema.format === 'date-time' && !INSTANT.test(value)) return `${path}: is not an instant`;
  return null;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Returns the document with each reference replaced by the schema that it points to. */
export function withoutReferences<T>(document: T): T {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: string };
    if ($ref !== undefined) return resolve($ref.slice(2).split('/').reduce(stepInto, document));
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each)]));
  };
  return resolve(document) as T;
}

const stepInto = (value: unknown, key: string): unknown => (value as Record<string, unknown>)[key];

/** Says how a reply differs from the document's description; null when it matches. */
export function replyFault(
  operation: { readonly responses: Readonly<Record<string, { readonly content?: object }>> },
  reply: { readonly status: number; readonly type: string; readonly body: string },
): string | null {
  const said = operation.responses[reply.status];
  if (!said) return `the document has no ${reply.status}`;
  const contents = Object.entries((said.content ?? {}) as Record<string, { schema: JsonSchema }>);
  if (contents.length === 0) return reply.body === '' ? null : `${reply.status} should be empty`;
  const content = contents.find(([type]) => reply.type.split(';')[0] === type);
  if (!content) return `the document has no ${reply.type} for ${reply.status}`;
  return reply.type.includes('json') ? mismatch(content[1].schema, JSON.parse(reply.body)) : null;
}

function mismatchOfObject(schema: JsonSchema, value: Record<string, unknown>, path: string): string | null {
  const missing = schema.required?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path}: ${missing} is missing`;
  return first(
    Object.entries(value).map(([name, each]) => () => {
      const own = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      if (own) return mismatch(own, each, `${path}/${name}`);
      if (schema.additionalProperties === false) return `${path}/${name}: is not allowed`;
      return typeof schema.additionalProperties === 'object'
        ? mismatch(schema.additionalProperties, each, `${path}/${name}`)
        : null;
    }),
  );
}

function first(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const why = check();
    if (why !== null) return why;
  }
  return null;
}

/** Values that programs often handle wrongly. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -0,
  2 ** 53,
  Number.MIN_VALUE,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  '__proto__',
  'constructor',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '2026-11-20T08:30:00Z',
  '24:01',
  '-1:00',
  "' or 1=1 --",
  '$1',
  '%00',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '=1+1',
  '{{7*7}}',
  '${7*7}',
  'NaN',
  'Infinity',
  'x'.repeat(5000),
  'é'.repeat(300),
  '👩‍👧'.repeat(40),
  [],
  {},
  [[]],
  [null],
  { a: { b: {} } },
];

const TEXTS = [
  'altamonte',
  'tampa',
  'Ana Ruiz',
  'Bo Lee',
  'Option 1',
  '2026-11-23',
  '09:00',
  '10:30',
  'Direct Therapy',
];

/**
 * Makes a value for a schema; each part is invalid with probability `wrong`. Many strings are valid, so that many
 * requests pass the first checks.
 */
export function makeValue(random: Random, schema: JsonSchema | undefined, wrong: number, depth = 0): unknown {
  if (!schema || random.chance(wrong)) return random.pick(HOSTILE);
  if (schema.enum) return random.pick(schema.enum);
  if ('const' in schema) return schema.const;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return makeValue(random, random.pick(choices), wrong, depth);
  const type = random.pick([schema.type ?? 'string'].flat());
  switch (type) {
    case 'object': {
      const known = Object.entries(schema.properties ?? {}).filter(
        ([name]) => !random.chance(wrong) && (schema.required?.includes(name) || random.chance(0.5)),
      );
      const record: Record<string, unknown> = {};
      for (const [name, each] of known) record[name] = makeValue(random, each, wrong, depth + 1);
      const further = typeof schema.additionalProperties === 'object' && depth < 8 ? random.int(0, 2) : 0;
      for (let n = 0; n < further; n++) {
        const value = makeValue(random, schema.additionalProperties as JsonSchema, wrong, depth + 1);
        Object.defineProperty(record, random.pick(TEXTS), { value, enumerable: true, configurable: true });
      }
      if (random.chance(wrong)) record['unexpected'] = random.pick(HOSTILE);
      return record;
    }
    case 'array':
      return Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () =>
        makeValue(random, schema.items, wrong, depth + 1),
      );
    case 'string':
      return random.pick(TEXTS);
    case 'integer':
      return random.int(-2, 8);
    case 'number':
      return random.pick([0, 1, 2, 60, -1, 0.5]);
    case 'boolean':
      return random.chance(0.5);
    default:
      return null;
  }
}
