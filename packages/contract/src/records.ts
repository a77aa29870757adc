import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { RECORD_SCOPES } from './record-scopes.ts';
import { dateText, instantText, locationSchema, nameSchema, textSchema } from './wire.ts';

/** The kinds of records whose changes are noted. The id of a `day` is its location and date: `tampa/2026-11-20`. */
export const RECORD_KINDS = ['appointment', 'day', 'therapist', 'client'] as const;
export const recordKindSchema = z.enum(RECORD_KINDS);
export type RecordKind = z.infer<typeof recordKindSchema>;

/** The events of webhooks. */
export const WEBHOOK_EVENTS = ['appointment.changed', 'day.changed', 'therapist.changed', 'client.changed'] as const;
export const webhookEventSchema = z.enum(WEBHOOK_EVENTS);
export type WebhookEvent = z.infer<typeof webhookEventSchema>;

/** Another program that reads the clinic's records. It logs in with a key of its own. */
export const serviceAccountSchema = z.object({
  /** The `client_id` of the program. */
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  /** The locations whose records it may read; null for all. */
  locations: z.nullable(z.array(locationSchema)),
  /** The RFC 7638 thumbprints of its public keys. */
  keys: z.array(z.string()),
  made_at: instantText,
  /** When it last got a token. */
  used_at: z.nullable(instantText),
  disabled: z.boolean(),
  version: z.number(),
});
export type ServiceAccount = z.infer<typeof serviceAccountSchema>;

const serviceAccountShape = {
  name: nameSchema,
  scopes: z.array(z.enum(RECORD_SCOPES)).check(z.minLength(1)),
  locations: z.nullable(z.array(locationSchema)),
};
/** Public keys as JSON text: a JWK, or a JWK set. */
const keysSchema = textSchema(16_384);

export const recordChangeSchema = z.object({
  kind: recordKindSchema,
  id: z.string(),
  /** Grows with every change of this record. */
  version: z.number(),
  location: z.string(),
  /** The date of an appointment or a day; null for people. */
  date: z.nullable(dateText),
});
export type RecordChange = z.infer<typeof recordChangeSchema>;

/** An address that is told what changed. */
export const webhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  locations: z.nullable(z.array(locationSchema)),
  disabled: z.boolean(),
  /** Why the server itself disabled it; null otherwise. */
  disabled_why: z.nullable(z.string()),
  /** Since when no delivery has succeeded; null if the last one did. */
  failing_since: z.nullable(instantText),
  /** How many deliveries wait for another attempt, and how many were given up. */
  waiting: z.number(),
  failed: z.number(),
  /** What the last attempt without success met; null if there was none. */
  fault: z.nullable(z.string()),
  version: z.number(),
});
export type Webhook = z.infer<typeof webhookSchema>;

const webhookShape = {
  url: textSchema(2000),
  events: z.array(webhookEventSchema).check(z.minLength(1)),
  locations: z.nullable(z.array(locationSchema)),
};
const idParams = z.object({ id: z.uuid() });
const withSecret = z.object({ webhook: webhookSchema, secret: z.string() });

export const recordsEndpoints = {
  listServiceAccounts: endpoint('GET', '/service-accounts', {
    access: 'clinic',
    at: 'none',
    audit: 'none',
    summary: 'Other programs that may read the clinic’s records',
    reply: z.array(serviceAccountSchema),
  }),
  addServiceAccount: endpoint('POST', '/service-accounts', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Let another program read the clinic’s records',
    body: z.object({ ...serviceAccountShape, keys: keysSchema }),
    reply: serviceAccountSchema,
    status: 201,
  }),
  changeServiceAccount: endpoint('PUT', '/service-accounts/:id', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Change what another program may read, or end it at once',
    params: idParams,
    body: z.object({
      ...serviceAccountShape,
      /** New keys; left out to keep those it has. */
      keys: z.optional(keysSchema),
      disabled: z.boolean(),
      version: z.number(),
    }),
    reply: serviceAccountSchema,
    refusals: ['stale-version'],
  }),
  /**
   * Without `since`, no changes, only the position from which to ask. Each change is returned at least once, and a
   * record that changed several times at least with its newest version.
   */
  changes: endpoint('GET', '/changes', {
    access: 'records',
    scope: 'changes.read',
    at: 'own',
    audit: 'changes.read',
    summary: 'Which records have changed since a position',
    query: z.object({ since: z.optional(textSchema(200)) }),
    reply: z.object({
      changes: z.array(recordChangeSchema),
      /** The `since` of the next request. */
      next: z.string(),
      /** Whether there are more changes now. */
      more: z.boolean(),
    }),
    refusals: ['changes-gone'],
  }),
  listWebhooks: endpoint('GET', '/webhooks', {
    access: 'clinic',
    at: 'none',
    audit: 'none',
    summary: 'Addresses that are told what changed',
    reply: z.array(webhookSchema),
  }),
  /** The secret is shown only now. */
  addWebhook: endpoint('POST', '/webhooks', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Tell another program what changed',
    body: z.object(webhookShape),
    reply: withSecret,
    status: 201,
  }),
  changeWebhook: endpoint('PUT', '/webhooks/:id', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Change an address that is told what changed, or end it',
    params: idParams,
    body: z.object({ ...webhookShape, disabled: z.boolean(), version: z.number() }),
    reply: webhookSchema,
    refusals: ['stale-version'],
  }),
  /** The secret is shown only now. The one before signs as well for a day. */
  renewWebhookSecret: endpoint('POST', '/webhooks/:id/secret', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'A new secret for an address',
    params: idParams,
    reply: withSecret,
  }),
  replayWebhook: endpoint('POST', '/webhooks/:id/replay', {
    access: 'clinic',
    at: 'none',
    audit: 'change',
    summary: 'Send again what was given up',
    params: idParams,
    reply: z.object({ deliveries: z.number() }),
  }),
};
