import helmet from '@fastify/helmet';
import type { App } from '../deps.ts';

/**
 * What browsers are told to refuse. Nothing inline, nothing from elsewhere, no text made into markup or script but by
 * the one Trusted Types policy, which the Scheduler page uses for `/legacy/*` alone.
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

/** For a year, and without the host's other names, which may be somebody else's. */
const TRANSPORT_SECURITY = 'max-age=31536000';

/** Sets the security headers on every reply; transport security where a trusted proxy says that TLS brought the request. */
export async function securityHeaders(app: App): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: CONTENT_SECURITY_POLICY },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onSend', async (request, reply) => {
    if (request.protocol === 'https') reply.header('strict-transport-security', TRANSPORT_SECURITY);
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
    const isData = request.url.startsWith('/api/') || request.routeOptions.config.access === 'signed-in';
    if (isData && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}
