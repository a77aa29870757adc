import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearsToken } from '../access/bears-token.ts';
import type { App, Deps } from '../access/deps.ts';
import type { AccountAct } from '../admin/accounts.service.ts';
import { Refusal } from '../platform/refusal.ts';
import { readPatch, readResource } from './patch.ts';
import { invalid, ScimError } from './scim-error.ts';
import {
  chosen,
  ERROR_SCHEMA,
  listOf,
  presentUser,
  providerConfig,
  resourceType,
  userSchema,
  USER_SCHEMA,
} from './scim.presenter.ts';
import { selectPage, type ScimRow, type Wanted } from './scim.queries.ts';
import { changeUser, createUser, deleteUser, findUser, scimVersion } from './scim.service.ts';

const SCIM_PATH = '/scim/v2';
const MEDIA_TYPE = 'application/scim+json';
const MOST_ON_PAGE = 200;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Users of the clinic's directory (SCIM 2, RFC 7643 and 7644), for the service that provisions them: Entra, Okta and
 * others. Known by the token in `SCIM_TOKEN`; without this setting there is nothing here.
 */
export async function scimRoutes(app: App, deps: Deps): Promise<void> {
  await app.register((scope, _options, done) => {
    const parse = scope.getDefaultJsonParser('error', 'error');
    // Some services name a type even where they send nothing, as with DELETE.
    scope.addContentTypeParser(MEDIA_TYPE, { parseAs: 'string' }, (request, body, parsed) => {
      if (body.length === 0) parsed(null);
      else void parse(request, String(body), parsed);
    });
    scope.addHook('onRequest', (request, _reply, next) => {
      const { scimToken } = deps.config;
      if (scimToken === undefined) next(new Refusal('not-found'));
      else next(bearsToken(request, scimToken) ? undefined : new ScimError(401, 'The token is wrong or missing.'));
    });
    scope.addHook('onSend', (_request, reply, payload, next) => {
      next(null, inScim(payload, reply.statusCode));
    });
    scope.setErrorHandler((error, _request, reply) => {
      if (error instanceof ScimError) return sendError(error, reply);
      throw error;
    });
    userRoutes(scope, deps);
    discoveryRoutes(scope, deps);
    done();
  });
}

const baseOf = ({ config }: Deps): string => `${config.publicUrl ?? ''}${SCIM_PATH}`;
const PUBLIC = { access: 'public' } as const;

/** A refusal of the API, `{"detail": …}`, in SCIM's form. */
function inScim(payload: unknown, status: number): unknown {
  const text = typeof payload === 'string' ? payload : '';
  if (status < 400 || !text.startsWith('{"detail"')) return payload;
  const { detail } = JSON.parse(text) as { detail: unknown };
  return JSON.stringify({ schemas: [ERROR_SCHEMA], status: String(status), detail });
}

function sendError({ status, scimType, message: detail }: ScimError, reply: FastifyReply): FastifyReply {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  const type = scimType === undefined ? {} : { scimType };
  return send(reply.code(status), { schemas: [ERROR_SCHEMA], status: String(status), ...type, detail });
}

const send = (reply: FastifyReply, body: unknown): FastifyReply =>
  reply.type(`${MEDIA_TYPE}; charset=utf-8`).header('cache-control', 'no-store').send(JSON.stringify(body));

function userRoutes(app: App, deps: Deps): void {
  const { db, accessClock, config } = deps;
  const mapping = config.oidc?.roles ?? null;
  const actOf = (request: FastifyRequest): AccountAct => ({
    accountId: null,
    requestId: request.id,
    at: accessClock.now(),
    locations: null,
    by: 'SCIM',
  });
  const show = (reply: FastifyReply, row: ScimRow, status = 200): FastifyReply => {
    const user = presentUser(row, baseOf(deps));
    if (status === 201) reply.header('location', user.meta.location);
    const query = reply.request.query as Readonly<Record<string, unknown>>;
    return send(reply.code(status).header('etag', scimVersion(row)), chosen(user, query));
  };
  const idOf = (request: FastifyRequest): string => {
    const { id = '' } = request.params as { id?: string };
    if (!UUID.test(id)) throw new ScimError(404, 'There is no such user.');
    return id.toLowerCase();
  };
  const asked = (request: FastifyRequest) => ({ mapping, ifMatch: request.headers['if-match'] });

  app.get(`${SCIM_PATH}/Users`, { config: PUBLIC }, async (request, reply) => {
    const query = request.query as Readonly<Record<string, unknown>>;
    const startIndex = Math.max(1, numberOf(query['startIndex'], 1));
    const limit = Math.min(MOST_ON_PAGE, Math.max(0, numberOf(query['count'], MOST_ON_PAGE)));
    const { total, rows } = await selectPage(db, wantedBy(query['filter']), { offset: startIndex - 1, limit });
    return send(
      reply,
      listOf(
        rows.map((row) => chosen(presentUser(row, baseOf(deps)), query)),
        total,
        startIndex,
      ),
    );
  });
  app.get(`${SCIM_PATH}/Users/:id`, { config: PUBLIC }, async (request, reply) =>
    show(reply, await findUser(db, idOf(request))),
  );
  app.post(`${SCIM_PATH}/Users`, { config: PUBLIC }, async (request, reply) =>
    show(reply, await createUser(db, actOf(request), readResource(request.body), mapping), 201),
  );
  app.put(`${SCIM_PATH}/Users/:id`, { config: PUBLIC }, async (request, reply) => {
    const draft = readResource(request.body);
    if (draft.userName === undefined) throw invalid('userName: needed.');
    // What a whole resource leaves out is empty. But whoever is disabled stays so until the service says otherwise, and
    // roles stay: a service that does not send them leaves them to the sign-on.
    const whole = { externalId: null, ...draft };
    return show(reply, await changeUser(db, actOf(request), idOf(request), () => whole, asked(request)));
  });
  app.patch(`${SCIM_PATH}/Users/:id`, { config: PUBLIC }, async (request, reply) =>
    show(
      reply,
      await changeUser(
        db,
        actOf(request),
        idOf(request),
        (before) => readPatch(request.body, before.scim_roles ?? []),
        asked(request),
      ),
    ),
  );
  app.delete(`${SCIM_PATH}/Users/:id`, { config: PUBLIC }, async (request, reply) => {
    await deleteUser(db, actOf(request), idOf(request));
    return reply.code(204).send();
  });
}

/** The routes that say what this service can do. */
function discoveryRoutes(app: App, deps: Deps): void {
  const base = baseOf(deps);
  const documents: Readonly<Record<string, unknown>> = {
    '/ServiceProviderConfig': providerConfig(base, MOST_ON_PAGE),
    '/ResourceTypes': listOf([resourceType(base)]),
    '/ResourceTypes/User': resourceType(base),
    '/Schemas': listOf([userSchema(base)]),
    [`/Schemas/:id`]: userSchema(base),
  };
  for (const path of ['/.search', '/Users/.search'])
    app.post(`${SCIM_PATH}${path}`, { config: PUBLIC }, () => {
      throw new ScimError(501, 'Search with GET /Users.');
    });
  app.get(`${SCIM_PATH}/*`, { config: PUBLIC }, () => {
    throw new ScimError(404, 'There is nothing at this address.');
  });
  for (const [path, document] of Object.entries(documents))
    app.get(`${SCIM_PATH}${path}`, { config: PUBLIC }, (request, reply) => {
      const { id } = request.params as { id?: string };
      if (id !== undefined && id !== USER_SCHEMA) throw new ScimError(404, 'There is no such schema.');
      return send(reply, document);
    });
}

function numberOf(value: unknown, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (typeof value !== 'string' || !/^-?\d{1,9}$/.test(value)) throw invalid('startIndex and count are whole numbers.');
  return Number(value);
}

/** Reads `userName eq "dana@clinic.example"`, the one kind of filter that provisioning services use. */
function wantedBy(filter: unknown): Wanted | null {
  if (filter === undefined) return null;
  const found = typeof filter === 'string' ? /^\s*([\w.[\] "]+?)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i.exec(filter) : null;
  const name = found?.[1]?.toLowerCase().replaceAll(/\s+/g, ' ') ?? '';
  const by = FILTERS.get(name);
  const value = jsonText(found?.[2]);
  if (by === undefined || value === null)
    throw invalid(
      'The filter must be: userName, externalId, id or emails.value, eq, and a text in quotes.',
      'invalidFilter',
    );
  return { by, value };
}

const FILTERS: ReadonlyMap<string, Wanted['by']> = new Map([
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['id', 'id'],
  ['emails', 'email'],
  ['emails.value', 'email'],
  ['emails[type eq "work"].value', 'email'],
]);

function jsonText(text: string | undefined): string | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
