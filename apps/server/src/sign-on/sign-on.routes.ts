import type { FastifyReply, FastifyRequest } from 'fastify';
import { SIGN_OFF_PATH, SIGN_ON_PATH, signOnEndpoints, type SignOnFailure } from '@clinic/contract';
import { authenticate } from '../access/access.ts';
import { presentToken } from '../access/begin-session.ts';
import type { App, Deps } from '../access/deps.ts';
import { addressOf } from '../access/reach.ts';
import { describeError } from '../http/logger.ts';
import { addRoute, perMinute } from '../http/route.ts';
import { Refusal } from '../platform/refusal.ts';
import { bindBrowser, browserOf, leaveHint, takeHint } from './browser.ts';
import { makeProvider, SignOnFailed } from './provider.ts';
import { BEGUN_MS, beginSignOn, exchangeCode, takeAnswer, type SignOnRequest } from './sign-on.service.ts';

const CALLBACK_PATH = `${SIGN_ON_PATH}/callback`;
const LOGIN_PAGE = '/login';
const A_MINUTE = 60;

/**
 * Logging in with the clinic's account (OpenID Connect, code flow with PKCE). Browsers open these addresses; whatever
 * happens, they end on the login page, which finds a code or the reason of a failure after the `#`: that part of an
 * address is in no log and in no request.
 */
export function signOnRoutes(app: App, deps: Deps): void {
  const { config, db, accessClock, tokens, seal } = deps;
  const { oidc, publicUrl = '' } = config;
  const secure = publicUrl.startsWith('https:');
  const provider =
    oidc &&
    makeProvider(oidc, publicUrl + CALLBACK_PATH, (reason, cause) =>
      app.log.warn({ err: describeError(cause) }, reason),
    );
  const limited = { access: 'public', rateLimit: perMinute(A_MINUTE, config) } as const;
  const requestOf = (request: FastifyRequest, browser: string): SignOnRequest => ({
    at: accessClock.now(),
    requestId: request.id,
    from: addressOf(request),
    browser,
  });

  app.addHook('onListen', (done) => {
    // The server serves without the issuer, which is asked again when somebody signs on.
    void provider?.discover().catch(() => undefined);
    done();
  });

  app.route<{ Querystring: { here?: string } }>({
    method: 'GET',
    url: SIGN_ON_PATH,
    config: limited,
    handler(request, reply) {
      if (!provider) throw new Refusal('not-found');
      // The cookie belongs to the host to which the person comes back.
      const isElsewhere = request.hostname !== new URL(publicUrl).hostname && request.query.here === undefined;
      if (isElsewhere) return reply.redirect(`${publicUrl}${SIGN_ON_PATH}?here`);
      const browser = bindBrowser(request, reply, secure, BEGUN_MS / 1000);
      return orBack(request, reply, async () => (await beginSignOn(db, provider, requestOf(request, browser))).href);
    },
  });

  app.route({
    method: 'GET',
    url: CALLBACK_PATH,
    config: limited,
    handler(request, reply) {
      if (!provider || !oidc) throw new Refusal('not-found');
      return orBack(request, reply, async () => {
        const current = new URL(request.raw.url ?? '', publicUrl);
        const asked = requestOf(request, browserOf(request, secure));
        const { code, idToken } = await takeAnswer(db, provider, oidc, current, asked);
        leaveHint(reply, seal, secure, idToken, config.sessionHours * 3600);
        return `${LOGIN_PAGE}#code=${code}`;
      });
    },
  });

  app.route({
    method: 'GET',
    url: SIGN_OFF_PATH,
    config: limited,
    handler(request, reply) {
      if (!provider) throw new Refusal('not-found');
      return orBack(request, reply, async () => {
        const hint = takeHint(request, reply, seal, secure);
        const end = await provider.end(publicUrl + LOGIN_PAGE, hint).catch(() => null);
        return end?.href ?? LOGIN_PAGE;
      });
    },
  });

  addRoute(
    app,
    signOnEndpoints.signOnToken,
    async ({ body: { code }, request }) => {
      const asked = requestOf(request, browserOf(request, secure));
      const replaces = await authenticate(request, deps);
      return presentToken(await exchangeCode(db, tokens, config, code, { ...asked, replaces }));
    },
    { rateLimit: perMinute(A_MINUTE, config) },
  );
}

/** Sends the browser where the work says, or back to the login page with the reason why not. */
async function orBack(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<string>,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  try {
    return reply.redirect(await work());
  } catch (error) {
    if (!(error instanceof SignOnFailed)) request.log.error({ err: describeError(error) }, 'sign-on failed');
    const why: SignOnFailure = error instanceof SignOnFailed ? error.why : 'away';
    return reply.redirect(`${LOGIN_PAGE}#failed=${why}`);
  }
}
