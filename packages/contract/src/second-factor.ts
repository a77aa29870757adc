import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { proofShape } from './passkey-schemas.ts';

const codes = z.object({ codes: z.array(z.string()) });

/** A person's own second factor: an authenticator app beside the password (RFC 6238), and codes for a lost phone. */
export const secondFactorEndpoints = {
  secondFactor: endpoint('GET', '/second-factor', {
    access: 'own',
    at: 'none',
    audit: 'none',
    summary: 'Whether you have a second factor',
    reply: z.object({ on: z.boolean(), codes_left: z.number(), required: z.boolean() }),
  }),
  /** The secret is shown only once, and not in use until a code confirms it. */
  setUpFactor: endpoint('POST', '/second-factor', {
    access: 'own',
    at: 'none',
    audit: 'none',
    summary: 'Begin to set up an authenticator app; needs your password or a passkey',
    body: z.object(proofShape),
    reply: z.object({ secret: z.string(), address: z.string() }),
  }),
  /** Also ends the account's logins on all other devices and browsers. The recovery codes are shown only once. */
  confirmFactor: endpoint('POST', '/second-factor/confirm', {
    access: 'own',
    at: 'none',
    audit: 'change',
    summary: 'Confirm the app with the code that it shows',
    body: z.object({ code: z.string().check(z.maxLength(40)) }),
    reply: codes,
  }),
  makeCodes: endpoint('POST', '/second-factor/codes', {
    access: 'own',
    at: 'none',
    audit: 'change',
    summary: 'New recovery codes instead of the old ones; needs your password or a passkey',
    body: z.object(proofShape),
    reply: codes,
  }),
  removeFactor: endpoint('POST', '/second-factor/remove', {
    access: 'own',
    at: 'none',
    audit: 'change',
    summary: 'Remove the second factor; needs your password or a passkey',
    body: z.object(proofShape),
    status: 204,
  }),
};
