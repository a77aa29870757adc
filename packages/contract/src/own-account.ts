import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { proofShape } from './passkey-schemas.ts';
import { newPasswordSchema } from './passwords.ts';
import { instantText } from './wire.ts';

/** A device or browser on which the account is logged in. Times are in ISO 8601, UTC. */
const ownSessionSchema = z.object({ begun_at: instantText, seen_at: instantText, current: z.boolean() });
export type OwnSession = z.infer<typeof ownSessionSchema>;

/** A person's own account: its first use, its password, and where it is logged in. */
export const ownAccountEndpoints = {
  acceptInvitation: endpoint('POST', '/welcome', {
    access: 'public',
    at: 'none',
    audit: 'change',
    summary: 'First use of an invitation: choose the password of your account',
    body: z.object({
      secret: z.string().check(z.maxLength(200)),
      password: newPasswordSchema,
    }),
    reply: z.object({ email: z.string() }),
    refusals: ['not-found', 'conflict', 'forbidden'],
  }),
  /**
   * Also ends the account's logins on all other devices and browsers. If the account has no password yet, this sets
   * one.
   */
  changePassword: endpoint('POST', '/password', {
    access: 'own',
    at: 'none',
    audit: 'change',
    summary: 'Change your own password',
    body: z.object({
      ...proofShape,
      new_password: newPasswordSchema,
    }),
    status: 204,
  }),
  sessions: endpoint('GET', '/sessions', {
    access: 'own',
    at: 'none',
    audit: 'none',
    summary: 'Where you are logged in',
    reply: z.array(ownSessionSchema),
  }),
  endOtherSessions: endpoint('POST', '/sessions/end-others', {
    access: 'own',
    at: 'none',
    audit: 'change',
    summary: 'Log out everywhere else',
    body: z.object(proofShape),
    status: 204,
  }),
};
