import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const healthSchema = z.object({
  status: z.enum(['ok', 'unavailable']),
  reason: z.optional(z.string()),
  warning: z.optional(z.string()),
  version: z.optional(z.string()),
});

/** The paths of these endpoints are at the top level of the server's address, not under `/api`. */
export const healthEndpoints = {
  healthz: endpoint('GET', '/healthz', {
    access: 'public',
    at: 'none',
    audit: 'none',
    summary: 'The server is running',
    reply: healthSchema,
  }),
  readyz: endpoint('GET', '/readyz', {
    access: 'public',
    at: 'none',
    audit: 'none',
    summary: 'The server is ready: its database responds and is up to date',
    reply: healthSchema,
    alsoReplies: { 503: healthSchema },
  }),
};
