import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { instantText, locationSchema } from './wire.ts';

const tokenReplySchema = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  /** How long the token is valid, in seconds. */
  expires_in: z.number(),
});

export const roleSchema = z.enum(['scheduler', 'admin', 'therapist']);

/**
 * What a page needs to know about the account that is logged in, and how long it can stay logged in. Times are in ISO
 * 8601, UTC.
 */
export const sessionReplySchema = z.object({
  account: z.object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: roleSchema,
    /** The locations that the account may see; null for all. */
    locations: z.nullable(z.array(locationSchema)),
  }),
  idle_minutes: z.number(),
  /** The longest time that anyone can stay logged in, in hours. */
  session_hours: z.number(),
  session_ends: instantText,
  admin_client_name: z.string(),
  /** The server's current time (see the setting CLOCK), which pages use as the current time. */
  now: instantText,
});
export type SessionReply = z.infer<typeof sessionReplySchema>;

/** One place where the account is logged in. Times are in ISO 8601, UTC. */
const ownSessionSchema = z.object({ begun_at: instantText, seen_at: instantText, current: z.boolean() });
export type OwnSession = z.infer<typeof ownSessionSchema>;

const typedPassword = z.string().check(z.maxLength(1024));

export const authEndpoints = {
  token: endpoint({
    method: 'POST',
    path: '/token',
    access: 'public',
    summary: 'Sign in',
    bodyType: 'application/x-www-form-urlencoded',
    refusals: ['invalid-credentials'],
    body: z.object({ username: z.string().check(z.maxLength(254)), password: z.string().check(z.maxLength(1024)) }),
    reply: tokenReplySchema,
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/welcome',
    access: 'public',
    summary: 'First use of an invitation: choose the password of your account',
    body: z.object({
      secret: z.string().check(z.maxLength(200)),
      password: z.string().check(z.minLength(12, 'a password needs at least 12 characters'), z.maxLength(1024)),
    }),
    reply: z.object({ email: z.string() }),
    refusals: ['not-found', 'conflict'],
  }),
  renew: endpoint({
    method: 'POST',
    path: '/token/renew',
    access: 'own',
    summary: 'A new token for the same session',
    reply: tokenReplySchema,
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/sign-out',
    access: 'own',
    summary: 'End the session at once',
    status: 204,
  }),
  session: endpoint({
    method: 'GET',
    path: '/session',
    access: 'own',
    summary: 'Who is logged in',
    reply: sessionReplySchema,
  }),
  /** Also ends the account's logins on all other devices and browsers. */
  changePassword: endpoint({
    method: 'POST',
    path: '/password',
    access: 'own',
    summary: 'Change your own password',
    body: z.object({
      current_password: typedPassword,
      new_password: z.string().check(z.minLength(12, 'a password needs at least 12 characters'), z.maxLength(1024)),
    }),
    status: 204,
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/sessions',
    access: 'own',
    summary: 'Where you are logged in',
    reply: z.array(ownSessionSchema),
  }),
  endOtherSessions: endpoint({
    method: 'POST',
    path: '/sessions/end-others',
    access: 'own',
    summary: 'Log out everywhere else',
    body: z.object({ current_password: typedPassword }),
    status: 204,
  }),
};
