import type { FastifyReply, FastifyRequest, FastifySchema, RouteShorthandOptions } from 'fastify';
import { detailSchema, type Endpoint, type ReplyOf } from '@clinic/contract';
import type * as z from 'zod/mini';
import { callerOf } from '../access/caller.ts';
import type { App } from '../deps.ts';
import { SMALL_BODY_LIMIT } from './input-guard.ts';
import type { Caller } from '../access/sessions.ts';

type Parsed<S> = S extends z.ZodMiniType ? z.output<S> : undefined;

/**
 * The data that a handler receives: the parts of the request, checked against the contract's schemas, and the account
 * that makes it.
 */
export interface Call<E extends Endpoint> {
  readonly params: Parsed<E['params']>;
  readonly query: Parsed<E['query']>;
  readonly body: Parsed<E['body']>;
  /** The account that makes the request; reading it on a public route throws a refusal. */
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Limits how many requests a sender may make per minute: `count`, times the configured factor. */
export const perMinute = (count: number, { rateLimit }: { readonly rateLimit: number }) => ({
  max: Math.max(1, Math.round(count * rateLimit)),
  timeWindow: 60_000,
});

export interface RouteExtras {
  /** The maximum number of bytes in the body; by default `BODY_LIMIT`, or `SMALL_BODY_LIMIT` on public routes. */
  readonly bodyLimit?: number;
  readonly rateLimit?: NonNullable<RouteShorthandOptions['config']>['rateLimit'];
}

/**
 * Registers an endpoint of the contract below `/api`; its path, access, schemas and documentation come from the
 * contract. The handler returns the reply's value, or sends something other than JSON with `reply`.
 */
export function addRoute<const E extends Endpoint>(
  app: App,
  endpoint: E,
  handler: (call: Call<E>) => Promise<ReplyOf<E> | FastifyReply>,
  extras: RouteExtras = {},
): void {
  const status = endpoint.status ?? 200;
  const bodyLimit = extras.bodyLimit ?? (endpoint.access === 'public' ? SMALL_BODY_LIMIT : undefined);
  // `Call` and `ReplyOf` already type requests and replies, so Fastify does not need to.
  const schema: FastifySchema = {
    ...(endpoint.params ? { params: endpoint.params } : {}),
    ...(endpoint.query ? { querystring: endpoint.query } : {}),
    ...(endpoint.body && endpoint.bodyType !== 'multipart/form-data' ? { body: endpoint.body } : {}),
    response: { ...(endpoint.reply ? { [status]: endpoint.reply } : {}), '4xx': detailSchema, '5xx': detailSchema },
  };
  app.route({
    method: endpoint.method,
    url: `/api${endpoint.path}`,
    schema,
    config: {
      access: endpoint.access,
      endpoint,
      ...(extras.rateLimit === undefined ? {} : { rateLimit: extras.rateLimit }),
    },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    async handler(request, reply): Promise<FastifyReply> {
      const answer = await handler({
        params: request.params as Parsed<E['params']>,
        query: request.query as Parsed<E['query']>,
        body: request.body as Parsed<E['body']>,
        get caller() {
          return callerOf(request);
        },
        request,
        reply,
      });
      if (reply.sent || answer === reply) return reply;
      return (reply.code(status) as FastifyReply).send(status === 204 ? undefined : answer);
    },
  });
}
