import { createHash } from 'node:crypto';
import type { FhirResource, OperationOutcome, OperationOutcomeIssue } from 'fhir/r4.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS } from '@clinic/contract';
import { groupBy } from '@clinic/domain';
import { callerOf } from '../../access/caller.ts';
import type { App, Deps } from '../../access/deps.ts';
import { SMALL_BODY_LIMIT } from '../../http/input-guard.ts';
import { perMinute } from '../../http/route.ts';
import { onSnapshot } from '../../db/retry.ts';
import { refusal, Refusal } from '../../platform/refusal.ts';
import { grantToken, type TokenRequest } from '../programs/service-token.ts';
import { appointments } from './appointments.ts';
import { bundleOf } from './bundle.ts';
import { capabilityOf, smartConfigurationOf } from './capability.ts';
import type { Found, Kind } from './kind.ts';
import { locations, patients, practitionerRoles, practitioners, schedules } from './people.ts';
import { readSearch, type Search } from './search.ts';
import { slots } from './slots.ts';

const KINDS: readonly Kind[] = [appointments, schedules, slots, practitioners, practitionerRoles, patients, locations];
const BASE = '/fhir/r4';
const FHIR_JSON = 'application/fhir+json; charset=utf-8';
const TOKENS_A_MINUTE = 30;

/** The clinic's records in FHIR R4, to read: docs/decisions/0330. Refusals are an OperationOutcome. */
export async function fhirRoutes(app: App, deps: Deps): Promise<void> {
  const limit = app.rateLimit();
  await app.register(
    (scope, _options, done) => {
      scope.addHook('onRequest', (request, reply, next) => {
        reply.header('cache-control', 'no-store');
        next(acceptsJson(request) ? undefined : new Refusal('not-acceptable'));
      });
      scope.addHook('preSerialization', (_request, reply, payload, next) => {
        if (isDetail(payload)) void reply.type(FHIR_JSON);
        next(null, isDetail(payload) ? outcomeOf(reply.statusCode, payload.detail) : payload);
      });
      scope.setNotFoundHandler({ preHandler: limit }, (request, reply) => refuseUnknown(request, reply));
      statementRoutes(scope, deps);
      for (const kind of KINDS) kindRoutes(scope, deps, kind);
      done();
    },
    { prefix: BASE },
  );
}

/** The routes that anybody may call: what the server can do, and the exchange of an assertion for a token. */
function statementRoutes(scope: App, deps: Deps): void {
  const config = { access: 'public' as const };
  scope.get('/metadata', { config }, (request, reply) =>
    sendResource(reply, capabilityOf(baseOf(request, deps), KINDS)),
  );
  scope.get('/.well-known/smart-configuration', { config }, (request, reply) =>
    reply.send(smartConfigurationOf(baseOf(request, deps))),
  );
  const rateLimit = perMinute(TOKENS_A_MINUTE, deps.config);
  scope.post('/token', { config: { ...config, rateLimit }, bodyLimit: SMALL_BODY_LIMIT }, async (request, reply) => {
    const endpoint = `${baseOf(request, deps)}/token`;
    const granted = await grantToken(deps, formOf(request.body), { endpoint, requestId: request.id });
    const status = 'access_token' in granted ? 200 : granted.error === 'invalid_client' ? 401 : 400;
    return reply.code(status).header('pragma', 'no-cache').send(granted);
  });
}

/** The fields of a form; one that is sent twice counts as missing. */
function formOf(body: unknown): TokenRequest {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === 'string'));
}

function kindRoutes(scope: App, deps: Deps, kind: Kind): void {
  const { type } = kind;
  const config = { access: 'records' as const, needs: { scope: 'fhir.read' as const, resource: type } };
  const known = Object.keys(kind.params);
  const find = (request: FastifyRequest, search: Search): Promise<Found> => {
    const { locations: may } = callerOf(request);
    const { wallOf, accessClock } = deps;
    return onSnapshot(deps.db, (db) => kind.find({ db, wallOf, now: accessClock.now(), locations: may }, search));
  };
  scope.get(`/${type}`, { config }, async (request, reply) => {
    const search = readSearch(request, known);
    const found = await inTurn(request, () => find(request, search));
    await record(request, type, found);
    return sendResource(reply, bundleOf(baseOf(request, deps), type, search, found));
  });
  scope.get<{ Params: { id: string } }>(`/${type}/:id`, { config }, async (request, reply) => {
    const found = await inTurn(request, () => find(request, searchOf(request.params.id)));
    const [resource] = found.resources;
    if (!resource) throw refusal('no-such-resource');
    await record(request, type, found);
    const tag = tagOf(resource);
    reply.header('etag', tag);
    const { lastUpdated } = resource.meta ?? {};
    if (lastUpdated !== undefined) reply.header('last-modified', new Date(lastUpdated).toUTCString());
    if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();
    return sendResource(reply, resource);
  });
}

/** Waits until the account may do one more thing at a time, as every other call does. */
async function inTurn<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const endTurn = await request.server.takeTurn?.(request);
  return work().finally(endTurn);
}

const searchOf = (id: string): Search => ({
  values: (name) => (name === '_id' ? [[id]] : []),
  dates: () => [],
  count: 1,
  after: undefined,
  used: [],
});

/** Records what a reply shows before it is sent: the records of each location by their ids. */
async function record(request: FastifyRequest, type: string, { shown }: Found): Promise<void> {
  const { auditReads } = request.server;
  const detail = { resource: type };
  if (shown.length === 0)
    return auditReads.record(request, { action: 'records.read', subjectKind: 'record', subjectIds: [], detail });
  const groups = groupBy(shown, ({ kind, location }) => `${kind} ${location}`);
  await Promise.all(
    [...groups.values()].map((of) => {
      const [{ kind, location }] = of;
      const subject = { subjectKind: kind, subjectIds: of.map(({ id }) => id), location };
      return auditReads.record(request, { action: 'records.read', ...subject, detail });
    }),
  );
}

/** `W/"3"` for the third version; a hash of the content where versions are not counted. */
function tagOf(resource: FhirResource): string {
  const version =
    resource.meta?.versionId ?? createHash('sha256').update(JSON.stringify(resource)).digest('hex').slice(0, 16);
  return `W/"${version}"`;
}

const isKnown = (header: string | undefined, tag: string): boolean =>
  header !== undefined && header.split(',').some((each) => [tag, tag.slice(2), '*'].includes(each.trim()));

const sendResource = (reply: FastifyReply, resource: FhirResource): FastifyReply =>
  reply.type(FHIR_JSON).send(resource);

/** The address of this endpoint, as the program that asks knows it. */
const baseOf = ({ protocol, headers }: FastifyRequest, { config }: Pick<Deps, 'config'>): string =>
  `${config.publicUrl ?? new URL(`${protocol}://${headers.host}`).origin}${BASE}`;

function acceptsJson({ headers, query }: FastifyRequest): boolean {
  const format = (query as Record<string, unknown> | null)?.['_format'];
  if (typeof format === 'string') return /json/i.test(format);
  const { accept } = headers;
  return accept === undefined || accept === '' || /json|\*\/\*|application\/\*/i.test(accept);
}

interface Detail {
  readonly detail: string | { readonly message: string };
}
const isDetail = (payload: unknown): payload is Detail =>
  typeof payload === 'object' && payload !== null && 'detail' in payload && !('resourceType' in payload);

function outcomeOf(status: number, detail: Detail['detail']): OperationOutcome {
  const text = typeof detail === 'string' ? detail : detail.message;
  return {
    resourceType: 'OperationOutcome',
    issue: [{ severity: 'error', code: issueOf(status), diagnostics: text, details: { text } }],
  };
}

const ISSUES: Readonly<Record<number, OperationOutcomeIssue['code']>> = {
  400: 'invalid',
  401: 'login',
  403: 'forbidden',
  404: 'not-found',
  405: 'not-supported',
  406: 'not-supported',
  413: 'too-long',
  415: 'not-supported',
  421: 'not-supported',
  422: 'invalid',
  429: 'throttled',
  503: 'transient',
};
const issueOf = (status: number): OperationOutcomeIssue['code'] =>
  ISSUES[status] ?? (status >= 500 ? 'exception' : 'processing');

const READ_PATHS = new RegExp(
  `^${BASE}/(?:metadata|\\.well-known/smart-configuration|(?:${KINDS.map(({ type }) => type).join('|')})(?:/[^/]+)?)$`,
);

function refuseUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? '';
  const allow = READ_PATHS.test(path) ? 'GET, HEAD' : path === `${BASE}/token` ? 'POST' : null;
  const { status, text } = ERRORS[allow === null ? 'not-found' : 'method-not-allowed'];
  if (allow !== null) reply.header('allow', allow);
  return reply.code(status).send({ detail: text });
}
