import * as contract from '@clinic/contract';
import { API, ERRORS, refusalsOf, type Endpoint } from '@clinic/contract';
import { groupBy, mapValues } from '@clinic/domain';
import * as z from 'zod/mini';

type Schema = z.ZodMiniType;
type Json = Readonly<Record<string, unknown>>;

/** An endpoint of the contract, with its method and URL. */
export interface DocumentedRoute {
  readonly url: string;
  readonly endpoint: Endpoint;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security?: readonly Json[];
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: Json }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Reply>>;
}
type Content = Readonly<Record<string, { readonly schema: Json }>>;
interface Reply {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { description: string; schema: Json }>>;
  readonly content?: Content;
}

export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: Json;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json };
}

/** Makes the OpenAPI document for these routes. All of its content comes from the contract. */
export function openApiOf(routes: readonly DocumentedRoute[]): OpenApi {
  const schemas = new Schemas();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { url, endpoint } of routes) {
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operationOf(endpoint, schemas);
  }
  // Only the event stream uses this schema. No reply refers to it, so it is added here.
  schemas.of(contract.clinicEventSchema, 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Clinic Scheduler',
      version: '1',
      description:
        'Every call of the scheduler’s API. A refusal is `{"detail": …}`: a text, or an object with `message`.',
    },
    paths,
    components: {
      schemas: schemas.named,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

function operationOf(endpoint: Endpoint, schemas: Schemas): Operation {
  const [tag, operationId] = nameOf(endpoint);
  const body = endpoint.body && schemas.of(endpoint.body, 'input');
  return {
    operationId,
    summary: endpoint.summary,
    tags: [tag],
    ...(endpoint.access === 'public' ? {} : { security: [{ bearer: [] }] }),
    parameters: (['params', 'query', 'headers'] as const).flatMap((part) =>
      schemas.fieldsOf(endpoint[part]).map((field) => ({ ...field, in: WHERE[part] })),
    ),
    ...(body
      ? { requestBody: { required: true, content: { [endpoint.bodyType ?? 'application/json']: { schema: body } } } }
      : {}),
    responses: {
      [endpoint.status ?? 200]: successOf(endpoint, schemas),
      ...refusedReplies(endpoint, schemas),
      ...mapValues(endpoint.alsoReplies ?? {}, (schema) => ({
        description: endpoint.summary,
        content: { 'application/json': { schema: schemas.of(schema, 'output') } },
      })),
    },
  };
}

const WHERE = { params: 'path', query: 'query', headers: 'header' } as const;

/** Returns the group and name under which the contract lists an endpoint. */
function nameOf(endpoint: Endpoint): [group: string, name: string] {
  for (const [group, calls] of Object.entries<Record<string, Endpoint>>(API)) {
    const name = Object.keys(calls).find((each) => calls[each] === endpoint);
    if (name !== undefined) return [group, name];
  }
  throw new Error(`${endpoint.method} ${endpoint.path} is not in the contract's list of endpoints.`);
}

function successOf(endpoint: Endpoint, schemas: Schemas): Reply {
  const { reply, otherReply, replyHeaders } = endpoint;
  const content: Content = {
    ...(reply ? { 'application/json': { schema: schemas.of(reply, 'output') } } : {}),
    ...Object.fromEntries((otherReply?.types ?? []).map((type) => [type, { schema: otherSchema(otherReply?.text) }])),
  };
  return {
    description: otherReply?.text ?? (Object.keys(content).length > 0 ? 'Done' : 'Done; no content'),
    ...(replyHeaders ? { headers: mapValues(replyHeaders, (description) => ({ description, schema: TEXT })) } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

const TEXT: Json = { type: 'string' };
const otherSchema = (text: string | undefined): Json =>
  text === undefined ? { type: 'string', format: 'binary' } : TEXT;

/** Returns an endpoint's refusals by status, each described by its error codes and their sentences. */
function refusedReplies(endpoint: Endpoint, schemas: Schemas): Record<string, Reply> {
  const byStatus = groupBy(new Set(refusalsOf(endpoint)), (code) => ERRORS[code].status);
  const schema = schemas.of(contract.detailSchema, 'output');
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `${code}: ${ERRORS[code].text}`).join('\n\n'),
        ...(HEADERS[status] ? { headers: HEADERS[status] } : {}),
        content: { 'application/json': { schema } },
      },
    ]),
  );
}

const RETRY = { 'retry-after': { description: 'Seconds to wait', schema: { type: 'integer' } } };
const HEADERS: Readonly<Record<number, Reply['headers']>> = {
  [ERRORS['not-signed-in'].status]: { 'www-authenticate': { description: '`Bearer`, without a token', schema: TEXT } },
  [ERRORS['too-many'].status]: RETRY,
  [ERRORS.busy.status]: RETRY,
};

/** Converts the contract's schemas to JSON Schema; an exported object appears once, under its name. */
class Schemas {
  readonly named: Record<string, Json> = {};

  /** Returns the JSON Schema of a schema, or a reference to it if it has a name. */
  of(schema: Schema, io: 'input' | 'output'): Json {
    const {
      $schema: _,
      $defs,
      ...json
    } = z.toJSONSchema(schema, {
      io,
      metadata: NAMES,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
        const { pattern } = jsonSchema;
        if (typeof pattern === 'string') Object.assign(jsonSchema, { pattern: plainPattern(pattern) });
        if (jsonSchema.pattern === undefined) delete jsonSchema.pattern;
        // Clients generated today must accept fields that a later server adds.
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    }) as { $schema?: unknown; $defs?: Record<string, Json> } & Json;
    for (const [name, each] of Object.entries($defs ?? {})) this.#keep(name, each);
    const own = NAMES.get(schema)?.id;
    return own === undefined || '$ref' in json ? (referring(json) as Json) : this.#keep(own, json);
  }

  /** Returns an object's fields, which become an endpoint's parameters. */
  fieldsOf(schema: Schema | undefined): { name: string; required: boolean; schema: Json }[] {
    if (!schema) return [];
    const { properties = {}, required = [] } = this.of(schema, 'input') as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, each]) => ({
      name,
      required: required.includes(name),
      schema: each,
    }));
  }

  #keep(name: string, { id: _, ...json }: Json): Json {
    const kept = referring(json) as Json;
    const before = this.named[name];
    if (before && JSON.stringify(before) !== JSON.stringify(kept))
      throw new Error(`The schema ${name} differs between requests and replies.`);
    this.named[name] = kept;
    return { $ref: `#/components/schemas/${name}` };
  }
}

/**
 * A pattern in the syntax that the regular expressions of every language share; undefined if nothing is left of it. Half
 * characters (`Cs`) are left out: most languages cannot write them, and every request with one is refused anyway.
 */
function plainPattern(pattern: string): string | undefined {
  const plain = pattern.replaceAll('\\p{Cc}', '\\u0000-\\u001f\\u007f-\\u009f').replaceAll('\\p{Cs}', '');
  return plain.includes('[^]') ? undefined : plain;
}

const NAMES = z.registry<{ id: string }>();
for (const [name, schema] of Object.entries(contract)) {
  if (name.endsWith('Schema') && isObject(schema))
    NAMES.add(schema, { id: `${name[0]?.toUpperCase()}${name.slice(1, -'Schema'.length)}` });
}

function isObject(value: unknown): value is Schema {
  return value instanceof z.core.$ZodObject;
}

/** Makes a JSON Schema's references point into this document. */
function referring(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(referring);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) =>
      key === '$ref' && typeof value === 'string'
        ? [key, value.replace('#/$defs/', '#/components/schemas/')]
        : [key, referring(value)],
    ),
  );
}
