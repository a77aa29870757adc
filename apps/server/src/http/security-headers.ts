import helmet from 'helmet';
import type { App } from '../access/deps.ts';

/**
 * The only Trusted Types policy; the Scheduler page uses it for `/legacy/*`. The content security policy below forbids
 * everything inline or from another site, and any string that becomes HTML or a script without passing this Trusted
 * Types policy.
 */
const TRUSTED_TYPES_POLICY = 'legacy-scheduler';

const CONTENT_SECURITY_POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
  'object-src': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': [TRUSTED_TYPES_POLICY],
};

/** Browsers insist on TLS for a year. Subdomains are not included, because they may belong to someone else. */
const TRANSPORT_SECURITY = 'max-age=31536000';

/**
 * Adds the security headers to every reply. Strict-Transport-Security is added only when a trusted proxy reports that
 * the request came over TLS.
 */
export function securityHeaders(app: App): void {
  // Made once; the plugin `@fastify/helmet` would make it again for each request.
  const addHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: CONTENT_SECURITY_POLICY },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onRequest', (request, reply, done) =>
    addHeaders(request.raw, reply.raw, (cause) =>
      done(cause === undefined ? undefined : new Error('no headers', { cause })),
    ),
  );
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.protocol === 'https') reply.header('strict-transport-security', TRANSPORT_SECURITY);
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
    const { access, endpoint } = request.routeOptions.config;
    const isData = request.url.startsWith('/api/') || access === 'signed-in' || endpoint !== undefined;
    if (isData && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done();
  });
}
