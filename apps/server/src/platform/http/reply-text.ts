import type { FastifySerializerCompiler } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import * as core from 'zod/v4/core';

/** Whether a schema would change nothing in a value that is sent as JSON. When in doubt, false. */
type Keeps = (value: unknown) => boolean;

/**
 * Makes the functions that write replies as JSON. A reply is sent only if it matches its schema, and never contains
 * keys that the schema does not name. To ensure this, the schema makes a copy, which takes three times as long as
 * writing the reply. So the reply is first only looked through. If the schema would change nothing, the reply itself is
 * written.
 */
export const replyCompiler: FastifySerializerCompiler<core.$ZodType> = (route) => {
  const throughSchema = serializerCompiler(route);
  const keeps = keepsOf(route.schema);
  return (reply) => (keeps(reply) ? JSON.stringify(reply) : throughSchema(reply));
};

const never: Keeps = () => false;

/** Returns the function for a schema; `never` for the kinds of schema that replies seldom have. */
export function keepsOf(schema: core.$ZodType): Keeps {
  if (schema instanceof core.$ZodString || schema instanceof core.$ZodNumber)
    return isFree(schema) ? typed(schema) : itself(schema);
  if (schema instanceof core.$ZodEnum || schema instanceof core.$ZodLiteral) return itself(schema);
  if (!isFree(schema)) return never;
  if (schema instanceof core.$ZodBoolean) return (value) => typeof value === 'boolean';
  if (schema instanceof core.$ZodUnknown) return () => true;
  if (schema instanceof core.$ZodOptional) return orElse(undefined, keepsOf(schema._zod.def.innerType));
  if (schema instanceof core.$ZodNullable) return orElse(null, keepsOf(schema._zod.def.innerType));
  if (schema instanceof core.$ZodArray) return keepsArray(keepsOf(schema._zod.def.element));
  if (schema instanceof core.$ZodRecord)
    return keepsRecord(keepsOf(schema._zod.def.keyType), keepsOf(schema._zod.def.valueType));
  if (schema instanceof core.$ZodObject) return keepsObject(schema);
  return never;
}

/** Whether a schema has no checks besides its type. */
const isFree = ({ _zod: { def } }: core.$ZodType): boolean =>
  !('format' in def) && !def.checks?.some((check) => check._zod.def.check !== 'meta');

const typed = (schema: core.$ZodType): Keeps =>
  schema instanceof core.$ZodNumber ? Number.isFinite : (value) => typeof value === 'string';

/** For a schema whose values are not objects: lets the schema itself decide. */
function itself(schema: core.$ZodType): Keeps {
  const known: ReadonlySet<unknown> | undefined = schema._zod.values;
  if (known) return (value) => known.has(value);
  return (value) => {
    const { success, data } = core.safeEncode(schema, value);
    return success && data === value;
  };
}

const orElse =
  (other: unknown, inner: Keeps): Keeps =>
  (value) =>
    value === other || inner(value);

const keepsArray =
  (element: Keeps): Keeps =>
  (value) => {
    if (!Array.isArray(value)) return false;
    for (const each of value) if (!element(each)) return false;
    return true;
  };

function keepsRecord(key: Keeps, element: Keeps): Keeps {
  return (value) => {
    if (!isPlain(value)) return false;
    for (const each in value) if (!key(each) || !element(value[each])) return false;
    return true;
  };
}

function keepsObject({ _zod: { def } }: core.$ZodObject): Keeps {
  const fields = new Map(
    Object.entries(def.shape).map(([key, field]) => [
      key,
      { keeps: keepsOf(field), needed: field instanceof core.$ZodOptional ? 0 : 1 },
    ]),
  );
  const needed = [...fields.values()].reduce((sum, field) => sum + field.needed, 0);
  const other = { keeps: def.catchall ? keepsOf(def.catchall) : never, needed: 0 };
  return (value) => {
    if (!isPlain(value)) return false;
    let found = 0;
    for (const key in value) {
      const field = fields.get(key) ?? other;
      if (!field.keeps(value[key])) return false;
      found += field.needed;
    }
    return found === needed;
  };
}

/** Whether an object is shown as it is; an instance of a class may have its own `toJSON`. */
const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  !Object.hasOwn(value, '__proto__');
