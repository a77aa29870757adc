import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, FastifySchema, RouteShorthandOptions } from 'fastify';
import { detailSchema, type Audit, type Endpoint, type ReadAction, type ReplyOf } from '@clinic/contract';
import { isLocation, type Location } from '@clinic/domain';
import type * as z from 'zod/mini';
import type { Act } from '../access/act.ts';
import { callerOf, isLocationChecked, requireLocation } from '../access/caller.ts';
import type { AuditReads } from '../access/audit-reads.ts';
import type { App } from '../access/deps.ts';
import { SMALL_BODY_LIMIT } from './input-guard.ts';
import type { AuditEntry } from '../access/audit.ts';
import type { Caller } from '../access/sessions.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Records what replies show. */
    auditReads: AuditReads;
    /** Who acts with a request. */
    actOf: (request: FastifyRequest) => Act;
  }
}

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
  /** The same account with the time and the request, for what writes. */
  readonly act: Act;
  /** Says what the reply shows, for the audit trail. A call about one day need not: the route names the day. */
  readonly shows: (...shown: readonly Shown[]) => void;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** What a handler returns: nothing, if the endpoint has no reply. */
type Answer<E extends Endpoint> =
  Promise<ReplyOf<E> | Buffer | string | Readable> | (E['reply'] extends object ? never : Promise<void>);

/** People or records that a reply shows, at one location; see `AuditEntry`. */
type Shown = Pick<AuditEntry, 'subjectKind' | 'subjectIds' | 'detail'> & { readonly location: Location | null };

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
 * Registers an endpoint of the contract; its path, access, schemas and documentation come from the
 * contract. The route checks the location that the call names, and records what it shows before the reply is sent. The
 * handler returns the reply's value; for something other than JSON, a text or bytes, and their type with `reply.type`.
 */
export function addRoute<const E extends Endpoint>(
  app: App,
  endpoint: E,
  handler: (call: Call<E>) => Answer<E>,
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
    url: endpoint.atTop ? endpoint.path : `/api${endpoint.path}`,
    schema,
    config: {
      access: endpoint.access,
      ...(endpoint.scope === undefined ? {} : { needs: { scope: endpoint.scope } }),
      endpoint,
      ...(extras.rateLimit === undefined ? {} : { rateLimit: extras.rateLimit }),
    },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    async handler(request, reply): Promise<FastifyReply> {
      // The turn ends with the work, even if the client has hung up before, and not with the reading of the reply.
      const endTurn = await request.server.takeTurn?.(request);
      const answer = await work(request, reply).finally(endTurn);
      return (reply.code(status) as FastifyReply).send(status === 204 ? undefined : answer);
    },
  });

  async function work(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const location = namedLocation(endpoint, request);
    if (location !== undefined) requireLocation(callerOf(request), location);
    let shown: readonly Shown[] | undefined;
    const answer = await handler({
      params: request.params as Parsed<E['params']>,
      query: request.query as Parsed<E['query']>,
      body: request.body as Parsed<E['body']>,
      get caller() {
        return callerOf(request);
      },
      get act() {
        return request.server.actOf(request);
      },
      shows: (...more) => void (shown = [...(shown ?? []), ...more]),
      request,
      reply,
    });
    if (endpoint.at === 'found' && !isLocationChecked(callerOf(request)))
      throw new Error(`${endpoint.method} ${endpoint.path} did not check a location`);
    if (isRead(endpoint.audit))
      await recordReads(request, endpoint.audit, shown ?? [dayOf(endpoint, request, location)]);
    return answer;
  }
}

const isRead = (audit: Audit): audit is ReadAction => audit !== 'change' && audit !== 'none';

/** The location in the field that the endpoint names; undefined if the call names none. */
function namedLocation({ at }: Endpoint, request: Pick<FastifyRequest, 'query' | 'body'>): Location | undefined {
  const value = at.includes('.') ? fieldAt(request, at) : undefined;
  return isLocation(value) ? value : undefined;
}

const fieldAt = ({ query, body }: Pick<FastifyRequest, 'query' | 'body'>, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (of, name) =>
        typeof of === 'object' && of !== null ? new Map<string, unknown>(Object.entries(of)).get(name) : undefined,
      { query, body },
    );

/** What the reply to a call about one day at a location shows. */
function dayOf({ at, path }: Endpoint, request: FastifyRequest, location: Location | undefined): Shown {
  const date = fieldAt(request, `${at.split('.')[0] ?? ''}.date`);
  if (location === undefined || typeof date !== 'string') throw new Error(`${path} did not say what it shows`);
  return { subjectKind: 'day', subjectIds: [`${location}/${date}`], location };
}

const recordReads = (request: FastifyRequest, action: ReadAction, shown: readonly Shown[]): Promise<unknown> =>
  Promise.all(shown.map((each) => request.server.auditReads.record(request, { action, ...each })));
