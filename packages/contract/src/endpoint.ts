import type * as z from 'zod/mini';

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
  /** The JSON of a success; left out when the reply is empty or not JSON. */
  reply?: Schema;
  status?: 200 | 201 | 204;
}

/** Keeps an endpoint's exact types while checking its shape. */
export const endpoint = <const E extends Endpoint>(e: E): E => e;

type Out<S> = S extends Schema ? z.infer<S> : undefined;
type In<S> = S extends Schema ? z.input<S> : undefined;
export type ReplyOf<E extends Endpoint> = Out<E['reply']>;
export type BodyOf<E extends Endpoint> = In<E['body']>;
export type QueryOf<E extends Endpoint> = In<E['query']>;
export type ParamsOf<E extends Endpoint> = In<E['params']>;
