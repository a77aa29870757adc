import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { tokenReplySchema } from './session.ts';

/** Where the browser begins to log in with the clinic's account; it comes back to the login page. */
export const SIGN_ON_PATH = '/api/sign-on';

/**
 * Why nobody was logged in with the clinic's account, by the word after `#failed=` in the login page's address. Each
 * sentence says what happened and what to do.
 */
export const SIGN_ON_FAILURES = {
  away: 'Your clinic’s sign-on cannot be reached. You are not logged in. Try again in a minute, or use your password.',
  declined: 'You did not finish logging in with your clinic’s account. Try again.',
  'not-accepted':
    'The answer of your clinic’s sign-on could not be verified. You are not logged in. Try again. If it happens again, ask your IT.',
  'too-late': 'This took too long, was used twice, or was begun in another browser. You are not logged in. Try again.',
  unknown:
    'Your clinic’s account has no account here yet. Ask an administrator to invite you, with the email address of your clinic’s account.',
  unverified:
    'Your clinic’s sign-on does not confirm your email address, so your account here was not found. Ask your IT.',
  'other-person': 'The account with your email address belongs to another login of your clinic. Ask an administrator.',
  'no-role': 'Your clinic’s account has no role in the scheduler. Ask your IT to add you to a group that has one.',
  disabled: 'Your account here is disabled. Ask an administrator.',
  'last-administrator':
    'Your clinic’s account is no longer an administrator’s, but no other administrator of all locations is left. Ask your IT, or log in with your password.',
} as const;
export type SignOnFailure = keyof typeof SIGN_ON_FAILURES;

export const signOnEndpoints = {
  /**
   * The browser got the code in the login page's address, after the `#`, and a cookie when it began. The code works
   * once, for a minute, and only with that cookie.
   */
  signOnToken: endpoint('POST', '/sign-on/token', {
    access: 'public',
    at: 'none',
    audit: 'change',
    summary: 'Fetch the token after logging in with the clinic’s account',
    body: z.object({ code: z.string().check(z.maxLength(100)) }),
    reply: tokenReplySchema,
    refusals: ['not-found', 'forbidden'],
  }),
};
