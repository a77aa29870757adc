import * as z from 'zod/mini';
import type { ReadAction } from './audit-actions.ts';
import type { ErrorCode } from './errors.ts';
import type { RecordScope } from './record-scopes.ts';

type Schema = z.ZodMiniType;

/**
 * Who may use the endpoint. `public`: everyone. `signed-in`: schedulers and administrators, at locations that they may
 * see. Of these, directors may use what only reads, and viewers what only reads and is for `signed-in`. `admin`:
 * administrators. `clinic`: administrators with access to all locations, for what concerns every location. `therapist`:
 * therapists, about themselves. `own`: every account, about itself. `records`: service accounts with the endpoint's
 * scope, and administrators.
 */
export type Access = 'public' | 'own' | 'signed-in' | 'admin' | 'clinic' | 'therapist' | 'records';

/**
 * Where the location of a call comes from. The name of a field: the route refuses a caller who may not work there, and
 * a call without the field concerns all locations of the caller. `found`: what the call names is at a location, where
 * the use case requires that the caller may work (`requireLocation`); the route sends no reply if it forgets. `own`: the
 * use case reads and changes only what is at the caller's own locations, or the caller's own. `none`: nothing at a
 * location.
 */
export type At = `${'query' | 'body'}.${string}` | 'found' | 'own' | 'none';

/**
 * What the audit trail records. A read: who saw what, before the reply is sent. `change`: the use case records its
 * change in the same transaction. `none`: the call shows nothing about clients, and changes nothing.
 */
export type Audit = ReadAction | 'change' | 'none';

/** An endpoint: its exact path, its input and its output. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path under the base `/api`, with parameters as Fastify writes them: `/therapists/:id`. */
  path: string;
  /** Set if the path is not under `/api` but at the top of the server's address. */
  atTop?: true;
  access: Access;
  /** With access `records`: the scope that a service account needs. */
  scope?: RecordScope;
  at: At;
  audit: Audit;
  summary: string;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  /** The body's type: JSON unless set. For `multipart/form-data`, the route reads the parts itself. */
  bodyType?: 'application/x-www-form-urlencoded' | 'multipart/form-data';
  /** Request headers besides the token, in lower case. */
  headers?: Schema;
  /** The JSON of a successful reply; left out when the body is empty or not JSON. */
  reply?: Schema;
  /**
   * What the pages need of the reply, so that they take nothing else for a success. `endpoint` makes it from `reply`; it
   * is written out for calls of the specification, since another server may send only the fields that it names.
   */
  shape?: ReplyShape;
  /** The body of a successful reply if it may be other than JSON: a file, or a stream of text. */
  otherReply?: { readonly types: readonly string[]; readonly text?: string };
  /** The reply's headers, in lower case. */
  replyHeaders?: Readonly<Record<string, string>>;
  status?: 200 | 201 | 204;
  /** False if the call only reads or calculates although its method is not GET: when it fails, nothing was saved. */
  writes?: false;
  /** The bodies of other replies, by status, when they hold more than a plain `{detail}`. */
  alsoReplies?: Readonly<Record<number, Schema>>;
  /** The refusal codes that only this endpoint needs. `refusalsOf` adds the codes for its access, input and method. */
  refusals?: readonly ErrorCode[];
}

/** The least that a reply must be: `0` is any value, `{…}` an object with these fields, `[…]` a list of such entries. */
export type ReplyShape = 0 | readonly [ReplyShape] | { readonly [field: string]: ReplyShape };

/** Checks that an endpoint is well formed, and keeps its exact types. */
export const endpoint = <const E extends Omit<Endpoint, 'method' | 'path'>>(
  method: Endpoint['method'],
  path: string,
  rest: E,
): E & Pick<Endpoint, 'method' | 'path' | 'shape'> => ({
  ...rest,
  method,
  path,
  ...(rest.reply === undefined || rest.shape !== undefined ? {} : { shape: shapeOf(rest.reply) }),
});

/**
 * The shape of a schema: the lists and objects in it, or all its fields if it has none of these. While servers restart
 * one at a time, a page may get its reply from the previous version, which does not send the newest fields.
 */
function shapeOf(schema: Schema): ReplyShape {
  if (!(schema instanceof z.ZodMiniObject)) return kindOf(schema);
  const fields = Object.entries({ ...schema.shape }).filter(([, field]) => !(field instanceof z.ZodMiniOptional));
  const kinds = fields.map(([name, field]) => [name, kindOf(field)] as const);
  const nested = kinds.filter(([, kind]) => kind !== 0);
  return Object.fromEntries(nested.length > 0 ? nested : kinds);
}

function kindOf(schema: unknown): ReplyShape {
  if (schema instanceof z.ZodMiniArray) return [kindOf(schema.def.element)];
  return schema instanceof z.ZodMiniObject || schema instanceof z.ZodMiniRecord ? {} : 0;
}

type Out<S> = S extends Schema ? z.infer<S> : undefined;
type In<S> = S extends Schema ? z.input<S> : undefined;
export type ReplyOf<E extends Endpoint> = Out<E['reply']>;
export type BodyOf<E extends Endpoint> = In<E['body']>;
export type QueryOf<E extends Endpoint> = In<E['query']>;
export type ParamsOf<E extends Endpoint> = In<E['params']>;

/**
 * Whether accounts that only read may call an endpoint for staff: it shows something, or only calculates. One that
 * records a change, or whose method may write and that does not say otherwise, is refused.
 */
export const isForReaders = ({ method, audit, writes }: Pick<Endpoint, 'method' | 'audit' | 'writes'>): boolean =>
  audit !== 'change' && (method === 'GET' || writes === false);

/** All refusal codes of an endpoint: those in `refusals`, and those for its access, input and method. */
export function refusalsOf(call: Endpoint): ErrorCode[] {
  const given = call.params ?? call.query ?? call.body ?? call.headers;
  const writes = call.method !== 'GET';
  return [
    ...when(true, 'bad-request', 'wrong-host', 'too-many', 'internal', 'busy', 'database-away'),
    ...when(call.access !== 'public', 'not-signed-in', 'forbidden-location'),
    ...when(call.access !== 'public' && call.access !== 'own', 'forbidden'),
    ...when(call.params, 'not-found'),
    ...when(given, 'invalid'),
    ...when(call.body, 'too-large', 'unsupported-media'),
    ...when(writes, 'unsure', 'read-only', 'disk-full'),
    ...when(writes && call.access !== 'public' && given, 'conflict'),
    ...(call.refusals ?? []),
  ];
}

const when = (is: unknown, ...codes: ErrorCode[]): ErrorCode[] => (is ? codes : []);
