import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';

type Schema = z.ZodMiniType;

/** Who may call: everyone, signed-in accounts (location checked where there is one), or administrators. */
export type Access = 'public' | 'signed-in' | 'admin';

/** One call: its exact path below the base `/api`, its input and its output. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In Fastify's spelling: `/therapists/:id`. */
  path: string;
  access: Access;
  summary: string;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  /** JSON where nothing else is said; of `multipart/form-data` the route reads the parts itself. */
  bodyType?: 'application/x-www-form-urlencoded' | 'multipart/form-data';
  /** Request headers beside the token, in small letters. */
  headers?: Schema;
  /** The JSON of a success; left out when the reply is empty or not JSON. */
  reply?: Schema;
  /** What a success is sent as beside JSON, or instead of it: a file's bytes, or a stream of text. */
  otherReply?: { readonly type: string; readonly text?: string };
  /** What a reply's headers say, in small letters. */
  replyHeaders?: Readonly<Record<string, string>>;
  status?: 200 | 201 | 204;
  /** Replies of another shape than a success or `{detail}`. */
  alsoReplies?: Readonly<Record<number, Schema>>;
  /** How it may refuse, beside what `refusalsOf` reads off its shape. */
  refusals?: readonly ErrorCode[];
}

/** Keeps an endpoint's exact types while checking its shape. */
export const endpoint = <const E extends Endpoint>(e: E): E => e;

type Out<S> = S extends Schema ? z.infer<S> : undefined;
type In<S> = S extends Schema ? z.input<S> : undefined;
export type ReplyOf<E extends Endpoint> = Out<E['reply']>;
export type BodyOf<E extends Endpoint> = In<E['body']>;
export type QueryOf<E extends Endpoint> = In<E['query']>;
export type ParamsOf<E extends Endpoint> = In<E['params']>;

/** Every code that a call may refuse with: what its access, parameters, body and method bring with them, and its own. */
export function refusalsOf(call: Endpoint): ErrorCode[] {
  const given = call.params ?? call.query ?? call.body ?? call.headers;
  const writes = call.method !== 'GET';
  return [
    ...when(true, 'bad-request', 'wrong-host', 'too-many', 'internal', 'busy', 'database-away'),
    ...when(call.access !== 'public', 'not-signed-in', 'forbidden-location'),
    ...when(call.access === 'admin', 'forbidden'),
    ...when(call.params, 'not-found'),
    ...when(given, 'invalid'),
    ...when(call.body, 'too-large', 'unsupported-media'),
    ...when(writes, 'unsure', 'read-only', 'disk-full'),
    ...when(writes && call.access !== 'public' && given, 'conflict'),
    ...(call.refusals ?? []),
  ];
}

const when = (is: unknown, ...codes: ErrorCode[]): ErrorCode[] => (is ? codes : []);
