import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { dateText, instantText, locationSchema, timeText } from './wire.ts';

/** Where the browser ends the login at the clinic's sign-on. */
export const SIGN_OFF_PATH = '/api/sign-on/end';

export const LONGEST_PASSWORD = 1024;
/** A password with which someone logs in or confirms an action. */
export const passwordSchema = z.string().check(z.maxLength(LONGEST_PASSWORD));

export const tokenReplySchema = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  /** How long the token is valid, in seconds. */
  expires_in: z.number(),
});

/** A location as pages need it. */
export const locationReplySchema = z.object({
  /** Its name in the API. */
  value: z.string(),
  label: z.string(),
  group: z.string(),
  /** An IANA time zone. */
  zone: z.string(),
  /** The weekdays on which it is open, 0 is Sunday; empty if not recorded. */
  hours: z.array(z.object({ weekday: z.int(), start: timeText, end: timeText })),
  /** The first date on which it is closed for good. */
  closed_from: z.nullable(dateText),
});

/**
 * A `director` reads everything and changes nothing; a `viewer` reads what schedulers see at some locations and changes
 * nothing.
 */
export const roleSchema = z.enum(['scheduler', 'admin', 'therapist', 'director', 'viewer']);
export type Role = z.infer<typeof roleSchema>;

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
  /** The clinic's locations, also those that are closed, by label. */
  locations: z.optional(z.array(locationReplySchema)),
  /** Whether this is one of the demo clinic's accounts, which end with the first import or account. */
  demo: z.boolean(),
  /** Whether the session began with the clinic's account, so that logging out ends it there as well. */
  signed_on: z.boolean(),
  /** Whether the account can only set up a second factor, which its role needs. */
  must_set_up: z.boolean(),
  idle_minutes: z.number(),
  /** The longest time that anyone can stay logged in, in hours. */
  session_hours: z.number(),
  session_ends: instantText,
  admin_client_name: z.string(),
  /** The server's current time (see the setting CLOCK). Pages use it instead of the device's time. */
  now: instantText,
});
export type SessionReply = z.infer<typeof sessionReplySchema>;

export const authEndpoints = {
  login: endpoint('GET', '/login', {
    access: 'public',
    at: 'none',
    audit: 'none',
    summary: 'What the login page says before anyone has logged in',
    reply: z.object({
      /** Whether no one can log in, because there is no account yet. */
      no_account: z.boolean(),
      /** Whether people can log in with their clinic's account. */
      sign_on: z.boolean(),
      /** Whether only administrators log in with a password or a passkey. */
      admins_only: z.boolean(),
      demo_logins: z.array(z.object({ email: z.string(), password: z.string(), role: roleSchema })),
    }),
  }),
  token: endpoint('POST', '/token', {
    access: 'public',
    at: 'none',
    audit: 'change',
    summary: 'Log in',
    bodyType: 'application/x-www-form-urlencoded',
    refusals: ['invalid-credentials', 'code-needed', 'code-wrong', 'forbidden'],
    /** With a second factor, a login without `code` is refused once the password is right; it is sent again with it. */
    body: z.object({
      username: z.string().check(z.maxLength(254)),
      password: passwordSchema,
      code: z.optional(z.string().check(z.maxLength(40))),
    }),
    reply: tokenReplySchema,
    shape: { access_token: 0 },
  }),
  renew: endpoint('POST', '/token/renew', {
    access: 'own',
    at: 'none',
    audit: 'none',
    summary: 'A new token for the same session',
    reply: tokenReplySchema,
  }),
  signOut: endpoint('POST', '/sign-out', {
    access: 'own',
    at: 'none',
    audit: 'change',
    summary: 'End the session at once',
    status: 204,
  }),
  session: endpoint('GET', '/session', {
    access: 'own',
    at: 'none',
    audit: 'none',
    summary: 'Who is logged in',
    reply: sessionReplySchema,
  }),
};
