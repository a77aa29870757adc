import { randomUUID } from 'node:crypto';
import { maxHeaderSize } from 'node:http';
import formbody from '@fastify/formbody';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { absencesRoutes } from './plan/absences/absences.routes.ts';
import { absenceReportsRoutes } from './plan/absences/absence-reports.routes.ts';
import { accountsRoutes } from './admin/accounts.routes.ts';
import { planBRoutes } from './tell/calls/plan-b.routes.ts';
import { callsRoutes } from './tell/calls/calls.routes.ts';
import { historyRoutes } from './tell/history/history.routes.ts';
import { actionsRoutes } from './plan/commits/commits.routes.ts';
import { locationsRoutes } from './admin/locations.routes.ts';
import { invitationsRoutes } from './admin/invitations.routes.ts';
import { ownAccountRoutes } from './admin/own-account.routes.ts';
import { auditRoutes } from './admin/audit.routes.ts';
import { appointmentsRoutes } from './book/appointments.routes.ts';
import { seriesRoutes } from './book/series.routes.ts';
import { authRoutes } from './session/session.routes.ts';
import { causesRoutes } from './ledgers/causes/causes.routes.ts';
import { calendarRoutes } from './calendar/calendar.routes.ts';
import { ownDayRoutes } from './tell/own-day/own-day.routes.ts';
import { healthRoutes } from './http/health/health.routes.ts';
import { auditorRoutes } from './auditor/auditor.routes.ts';
import { exportsRoutes } from './import/export/exports.routes.ts';
import { folderRoutes } from './import/folder/folder.routes.ts';
import { importsRoutes } from './import/imports.routes.ts';
import { proposalsRoutes } from './plan/options/proposals.routes.ts';
import { preview, propose } from './plan/options/proposals.service.ts';
import { openSolver, type Solver } from './plan/options/solver.ts';
import { watchSolver } from './plan/options/watch-solver.ts';
import { makeSolves } from './plan/options/solves.ts';
import { profilesRoutes } from './profiles/profiles.routes.ts';
import { changesRoutes } from './records/changes/changes.routes.ts';
import { fhirRoutes } from './records/fhir/fhir.routes.ts';
import { programsRoutes } from './records/programs/programs.routes.ts';
import { webhooksRoutes } from './records/webhooks/webhooks.routes.ts';
import { reportsRoutes } from './ledgers/reports/reports.routes.ts';
import { makeupRoutes } from './weeks/makeup/makeup.routes.ts';
import { timesRoutes } from './weeks/times/times.routes.ts';
import { scimRoutes } from './scim/scim.routes.ts';
import { signOnRoutes } from './sign-on/sign-on.routes.ts';
import { standingRoutes } from './weeks/standing/standing.routes.ts';
import { timeslotsRoutes } from './timeslots/timeslots.routes.ts';
import { ledgersRoutes } from './ledgers/pages/ledgers.routes.ts';
import { presenceRoutes } from './today/presence.routes.ts';
import { todayRoutes } from './today/today.routes.ts';
import { closuresRoutes } from './weeks/closures/closures.routes.ts';
import { leaveRoutes } from './weeks/leave/leave.routes.ts';
import { readConnections } from './db/connection.ts';
import { guardAccess } from './access/access.ts';
import { actOf } from './access/act.ts';
import { guardHost } from './access/reach.ts';
import { apiDocs } from './http/api-docs.ts';
import type { App, Deps, Routes } from './access/deps.ts';
import { embedAccess } from './access/embed-access.ts';
import { announceStop } from './http/drain.ts';
import { mapError, recordingErrors } from './http/error-mapper.ts';
import { Refusal } from './platform/refusal.ts';
import { eventStreamRoutes } from './http/event-stream.ts';
import { watchHangUps } from './access/hang-up.ts';
import { readableUrl } from './http/readable-url.ts';
import { perMinute } from './http/route.ts';
import { BODY_LIMIT, guardInput, senderOf, SMALL_BODY_LIMIT } from './http/input-guard.ts';
import { loggerOptions, logRequest, QuietLog } from './http/logger.ts';
import { noteMethods } from './http/allowed-methods.ts';
import { metricsRoutes } from './http/metrics.ts';
import { BUILT_PAGES, pageRoutes, type PageFolders } from './http/pages.ts';
import { describeIssue } from './http/schema-texts.ts';
import { securityHeaders } from './http/security-headers.ts';
import { brokenRequests, endSlowReaders, IDLE, PATIENCE, type Patience } from './http/slow-clients.ts';
import { takeTurnsByAccount } from './http/account-turns.ts';

/**
 * Registers the routes of the cover feature. Features never import each other, so this function connects absences,
 * options and the calendar: for example, saving an absence returns options. The solver's workers start when the server
 * begins to listen (unless the settings say otherwise), or with the first problem.
 */
const coverRoutes = (app: App, deps: Deps, given?: Solver): void => {
  const opened =
    given ??
    openSolver({
      seconds: deps.config.solverSeconds,
      workers: deps.config.solverWorkers,
      onReplaced: (reason) => app.log.warn({ reason }, 'a solver worker was replaced'),
    });
  const solver = watchSolver(app.metrics, opened);
  app.addHook('onListen', (done) => {
    if (deps.config.solverWarmUp) solver.warm();
    done();
  });
  if (!given) app.addHook('onClose', () => solver.close());
  const solveFor = makeSolves(solver);
  proposalsRoutes(app, deps, solver, solveFor);
  absencesRoutes(app, deps, ({ waitFor, ...input }, act) =>
    propose(deps.db, solveFor(waitFor), deps.wallOf, input, act),
  );
  absenceReportsRoutes(app, deps, (input, act) => preview(deps.db, solveFor(), deps.wallOf, input, act));
  actionsRoutes(app, deps);
  planBRoutes(app, deps, solver);
  standingRoutes(app, deps, solver);
  timesRoutes(app, deps, solver);
  makeupRoutes(app, deps, solver);
};

const FEATURES: readonly Routes[] = [
  healthRoutes,
  authRoutes,
  signOnRoutes,
  scimRoutes,
  eventStreamRoutes,
  metricsRoutes,
  accountsRoutes,
  ownAccountRoutes,
  invitationsRoutes,
  locationsRoutes,
  auditRoutes,
  calendarRoutes,
  profilesRoutes,
  timeslotsRoutes,
  appointmentsRoutes,
  seriesRoutes,
  causesRoutes,
  todayRoutes,
  presenceRoutes,
  ledgersRoutes,
  reportsRoutes,
  callsRoutes,
  historyRoutes,
  ownDayRoutes,
  importsRoutes,
  exportsRoutes,
  auditorRoutes,
  folderRoutes,
  leaveRoutes,
  closuresRoutes,
  programsRoutes,
  fhirRoutes,
  changesRoutes,
  webhooksRoutes,
];

const REQUESTS_A_MINUTE = 600;

export interface AppOptions {
  readonly pages?: PageFolders;
  /** Receives the log lines. By default they go to standard error; tests pass a stream that they can read. */
  readonly logStream?: { write(line: string): void };
  /** The solver to use; the caller closes it. If missing, the application starts a solver, and closes it at the end. */
  readonly solver?: Solver;
  /** Additional routes, for tests of the guards. */
  readonly extraRoutes?: readonly Routes[];
  /** How long the server waits for slow clients; only tests change this. */
  readonly patience?: Patience;
}

/**
 * Builds the application, so that the caller can use `listen` or `inject`. The application closes only the resources
 * that it opened itself.
 */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<App> {
  const { config } = deps;
  const patience = options.patience ?? PATIENCE;
  const broken = brokenRequests(patience);
  const app: App = Fastify({
    logger: loggerOptions(config.logLevel, options.logStream),
    logController: new QuietLog(),
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeout: patience.requestMs,
    connectionTimeout: 0, // connections have no time limit, because event streams stay open indefinitely
    keepAliveTimeout: IDLE.keepAliveMs,
    http: {
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: patience.lookMs,
      keepAliveTimeoutBuffer: IDLE.graceMs,
    },
    clientErrorHandler: broken.refuse,
    // While the server stops, a request on an open connection still gets its reply; then the connection closes.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    routerOptions: { maxParamLength: maxHeaderSize }, // no request has a longer path; the schemas limit ids
    frameworkErrors: (error, request, reply) => void mapError(error, request, reply),
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
  }).withTypeProvider<ZodTypeProvider>();
  z.config({ customError: describeIssue });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler); // a reply that does not match its schema is not sent
  const onError = recordingErrors(deps);
  app.setErrorHandler((error, request, reply) => {
    deps.room.note(error);
    return onError(error, request, reply);
  });
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });

  // Loaded only where it is used.
  if (config.traceEndpoint !== undefined) (await import('./http/traces.ts')).traceRequests(app, config.traceEndpoint);
  const methodsOf = noteMethods(app);
  app.server.on('request', broken.note);
  announceStop(app);
  app.decorate('auditReads', deps.auditReads);
  app.decorate('actOf', (request: FastifyRequest) => actOf(request, deps));
  app.decorate('metrics', new Registry());
  endSlowReaders(app, patience);
  securityHeaders(app);
  watchHangUps(app);
  await app.register(formbody, { bodyLimit: SMALL_BODY_LIMIT });
  apiDocs(app);
  guardHost(app, config);
  // CORS headers must be set before the guard runs, so that a page can read why its API call was refused.
  embedAccess(app, config.embedOrigins);
  guardAccess(app, deps);
  await app.register(rateLimit, {
    hook: 'preHandler', // the limiter must run after the guard, so that people behind one IP address do not share a limit
    ...perMinute(REQUESTS_A_MINUTE, config),
    keyGenerator: senderOf,
    // Page files are exempt from the limit. The limiter reads a route's settings before the exemption can be set, so
    // each request is checked here.
    allowList: (request) => request.routeOptions.config.rateLimit === false,
    errorResponseBuilder: () => new Refusal('too-many'),
  });
  guardInput(app);
  takeTurnsByAccount(app, deps, readConnections(config.databaseConnections));
  coverRoutes(app, deps, options.solver);
  for (const routes of [...FEATURES, ...(options.extraRoutes ?? [])]) await routes(app, deps);
  await pageRoutes(app, options.pages ?? BUILT_PAGES, config.embedOrigins, methodsOf);
  await app.ready();
  return app;
}
