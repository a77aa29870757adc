import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';

type Schema = z.ZodMiniType;

/**
 * Who may call. `public`: everyone. `signed-in`: schedulers and administrators, checked for the location if there is
 * one. `admin`: administrators. `therapist`: therapists, about themselves. `own`: every account, about itself.
 */
export type Access = 'public' | 'own' | 'signed-in' | 'admin' | 'therapist';

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
  /** JSON by default; with `multipart/form-data` the route reads the parts itself. */
  bodyType?: 'application/x-www-form-urlencoded' | 'multipart/form-data';
  /** Request headers besides the token, in lower case. */
  headers?: Schema;
  /** The JSON of a success; left out when the reply is empty or not JSON. */
  reply?: Schema;
  /** What a success may be besides JSON, or instead of it: a file's bytes, or a stream of text. */
  otherReply?: { readonly types: readonly string[]; readonly text?: string };
  /** The reply's headers, in lower case. */
  replyHeaders?: Readonly<Record<string, string>>;
  status?: 200 | 201 | 204;
  /** Replies other than a success or `{detail}`. */
  alsoReplies?: Readonly<Record<number, Schema>>;
  /** The refusals it may send, besides those that `refusalsOf` derives. */
  refusals?: readonly ErrorCode[];
}

/** Checks an endpoint's shape while keeping its exact types. */
export const endpoint = <const E extends Endpoint>(e: E): E => e;

type Out<S> = S extends Schema ? z.infer<S> : undefined;
type In<S> = S extends Schema ? z.input<S> : undefined;
export type ReplyOf<E extends Endpoint> = Out<E['reply']>;
export type BodyOf<E extends Endpoint> = In<E['body']>;
export type QueryOf<E extends Endpoint> = In<E['query']>;
export type ParamsOf<E extends Endpoint> = In<E['params']>;

/**
 * Every code with which a call may refuse: those that follow from its access, parameters, body and method, and its own.
 */
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
