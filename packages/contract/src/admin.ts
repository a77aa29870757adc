import * as z from 'zod/mini';
import { emailSchema } from './contacts.ts';
import { messageSchema } from './tell/calls.ts';
import { endpoint } from './endpoint.ts';
import { newPasswordSchema } from './passwords.ts';
import { passwordSchema, roleSchema } from './session.ts';
import { EDITED_VERSION, instantText, locationSchema, nameSchema, textSchema } from './wire.ts';

/** An account, as administrators see it. */
export const accountSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  locations: z.nullable(z.array(locationSchema)),
  disabled: z.boolean(),
  version: z.string(),
});
export type Account = z.infer<typeof accountSchema>;

export const accountBodySchema = z.object({
  email: emailSchema,
  name: nameSchema,
  role: roleSchema,
  locations: z.nullable(z.array(locationSchema)),
  password: z.optional(newPasswordSchema),
  disabled: z.optional(z.boolean()),
  /** True removes the account's second factor, for someone who has lost their phone and the recovery codes. */
  remove_second_factor: z.optional(z.boolean()),
  /** The administrator's own password, required to change the email or password of an existing
   * account, or to remove its second factor. */
  your_password: z.optional(passwordSchema),
});

/** An invitation: a link that lets a therapist or a colleague create their own account. */
const invitationShape = {
  id: z.string(),
  /** The id of the therapist who may use the link; null for a colleague. */
  therapist: z.nullable(z.string()),
  name: z.string(),
  role: roleSchema,
  /** Where the account may work; null for all locations. */
  locations: z.nullable(z.array(locationSchema)),
  email: z.string(),
  expires_at: instantText,
  /** The email with the link, and its state; null when an administrator hands the link over. */
  message: z.nullable(messageSchema),
};
export const invitationSchema = z.object(invitationShape);
export type Invitation = z.infer<typeof invitationSchema>;

/** Why links cannot be sent by email: no mail server is set up, or the clinic's pages have no public address. */
const emailOffSchema = z.enum(['no-mail-server', 'no-public-url']);
export type EmailOff = z.infer<typeof emailOffSchema>;

const auditRowSchema = z.object({
  /** The row's id; a request for the next page sends the last row's id as `before`. */
  id: z.string(),
  at: instantText,
  account: z.nullable(z.string()),
  action: z.string(),
  subject_kind: z.string(),
  subject_ids: z.array(z.string()),
  location: z.nullable(z.string()),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditRow = z.infer<typeof auditRowSchema>;

const idParams = z.object({ id: z.uuid() });

export const adminEndpoints = {
  listAccounts: endpoint('GET', '/accounts', {
    access: 'admin',
    at: 'own',
    audit: 'none',
    summary: 'All accounts',
    reply: z.array(accountSchema),
  }),
  createAccount: endpoint('POST', '/accounts', {
    access: 'admin',
    at: 'own',
    audit: 'change',
    summary: 'Add an account',
    body: accountBodySchema,
    reply: accountSchema,
    status: 201,
  }),
  updateAccount: endpoint('PUT', '/accounts/:id', {
    access: 'admin',
    at: 'own',
    audit: 'change',
    summary: 'Change or disable an account',
    params: idParams,
    body: z.object({ ...accountBodySchema.shape, ...EDITED_VERSION }),
    reply: accountSchema,
    refusals: ['stale-version'],
  }),
  listInvitations: endpoint('GET', '/invitations', {
    access: 'admin',
    at: 'own',
    audit: 'none',
    summary: 'People who were invited to an account and have not used the link yet',
    reply: z.object({ email_off: z.nullable(emailOffSchema), invitations: z.array(invitationSchema) }),
  }),
  /**
   * Without `send_to`, only this reply contains the link's secret, which is not stored. With `send_to`, the link goes
   * by email to that address and is not in the reply. A new link replaces the therapist's earlier link.
   */
  invite: endpoint('POST', '/invitations', {
    access: 'admin',
    at: 'own',
    audit: 'change',
    summary: 'Invite a therapist to an account of their own',
    body: z.object({
      therapist: textSchema(64),
      /** The email that the therapist will log in with. */
      email: emailSchema,
      /** The address to send the link to: an email address among the therapist's contacts. */
      send_to: z.optional(emailSchema),
    }),
    reply: z.object({ ...invitationShape, secret: z.nullable(z.string()) }),
    status: 201,
    refusals: ['not-found'],
  }),
  /** Like `invite`, for everyone but therapists. A new link replaces an earlier one to the same email. */
  inviteColleague: endpoint('POST', '/colleague-invitations', {
    access: 'admin',
    at: 'own',
    audit: 'change',
    summary: 'Invite a colleague to an account of their own',
    body: z.object({
      name: nameSchema,
      /** The email that they will log in with. */
      email: emailSchema,
      role: z.enum(['scheduler', 'admin', 'director', 'viewer']),
      locations: z.nullable(z.array(locationSchema)),
      /** Whether the link goes to that email; otherwise only this reply contains its secret. */
      by_email: z.boolean(),
    }),
    reply: z.object({ ...invitationShape, secret: z.nullable(z.string()) }),
    status: 201,
  }),
  withdrawInvitation: endpoint('DELETE', '/invitations/:id', {
    access: 'admin',
    at: 'own',
    audit: 'change',
    summary: 'End an invitation: its link can no longer be used',
    params: idParams,
    status: 204,
  }),
  audit: endpoint('GET', '/audit', {
    access: 'admin',
    at: 'own',
    audit: 'audit.read',
    summary: 'Who saw and did what',
    query: z.object({
      /**
       * Returns the rows before this date and time, or before the row with this `id` (the last row of the previous
       * page).
       */
      before: z.optional(z.union([z.iso.datetime(), z.string().check(z.regex(/^\d{1,16}\.\d{1,5}\.\d{1,18}$/))])),
      account: z.optional(z.uuid()),
      subject: z.optional(textSchema(100)),
    }),
    reply: z.array(auditRowSchema),
  }),
};
