import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import {
  createOptionsSchema,
  LONGEST_PASSKEY_NAME,
  newPasskeySchema,
  proofShape,
  signedPasskeySchema,
  signOptionsSchema,
} from './passkey-schemas.ts';
import { tokenReplySchema } from './session.ts';
import { instantText, lineSchema } from './wire.ts';

/**
 * One of a person's passkeys. `used_at` is the last time it was used to log in or to confirm something; null if it was
 * never used.
 */
export const passkeySchema = z.object({
  id: z.string(),
  name: z.string(),
  created_at: instantText,
  used_at: z.nullable(instantText),
});
export type Passkey = z.infer<typeof passkeySchema>;

export const ownPasskeysSchema = z.object({
  /** Whether the account has a password. Without one, its last passkey cannot be removed. */
  password: z.boolean(),
  passkeys: z.array(passkeySchema),
});
export type OwnPasskeys = z.infer<typeof ownPasskeysSchema>;

const name = lineSchema(LONGEST_PASSKEY_NAME).check(z.minLength(1, 'must not be empty'));
const secret = z.string().check(z.maxLength(200));
const idParams = z.object({ id: z.uuid() });

/**
 * Each passkey action takes two requests. The first returns options with a challenge, which works once, for five
 * minutes and only for that action. The second sends the browser's response.
 */
export const passkeyEndpoints = {
  passkeySignInOptions: endpoint('POST', '/token/passkey/options', {
    access: 'public',
    at: 'none',
    audit: 'none',
    writes: false,
    summary: 'What a passkey must sign to log in',
    reply: signOptionsSchema,
    refusals: ['invalid'],
  }),
  passkeySignIn: endpoint('POST', '/token/passkey', {
    access: 'public',
    at: 'none',
    audit: 'change',
    summary: 'Log in with a passkey',
    body: z.object({ passkey: signedPasskeySchema }),
    reply: tokenReplySchema,
    refusals: ['invalid-credentials', 'forbidden'],
  }),
  welcomePasskeyOptions: endpoint('POST', '/welcome/passkey/options', {
    access: 'public',
    at: 'none',
    audit: 'none',
    writes: false,
    summary: 'How to make a passkey at the first use of an invitation',
    body: z.object({ secret }),
    reply: createOptionsSchema,
    refusals: ['not-found'],
  }),
  /** The new account has no password, and is logged in. */
  welcomePasskey: endpoint('POST', '/welcome/passkey', {
    access: 'public',
    at: 'none',
    audit: 'change',
    summary: 'First use of an invitation with a passkey',
    body: z.object({ secret, name, passkey: newPasskeySchema }),
    reply: tokenReplySchema,
    refusals: ['not-found', 'conflict', 'forbidden'],
  }),
  passkeys: endpoint('GET', '/passkeys', {
    access: 'own',
    at: 'none',
    audit: 'none',
    summary: 'Your own passkeys',
    reply: ownPasskeysSchema,
  }),
  confirmOptions: endpoint('POST', '/passkeys/confirm', {
    access: 'own',
    at: 'none',
    audit: 'none',
    writes: false,
    summary: 'What one of your passkeys must sign to confirm that it is you',
    reply: signOptionsSchema,
    refusals: ['invalid'],
  }),
  addPasskeyOptions: endpoint('POST', '/passkeys/options', {
    access: 'own',
    at: 'none',
    audit: 'none',
    writes: false,
    summary: 'How to make another passkey; needs your password or a passkey',
    body: z.object(proofShape),
    reply: createOptionsSchema,
  }),
  addPasskey: endpoint('POST', '/passkeys', {
    access: 'own',
    at: 'none',
    audit: 'change',
    summary: 'Add a passkey',
    body: z.object({ name, passkey: newPasskeySchema }),
    reply: passkeySchema,
    status: 201,
  }),
  renamePasskey: endpoint('PUT', '/passkeys/:id/name', {
    access: 'own',
    at: 'none',
    audit: 'change',
    summary: 'Rename a passkey',
    params: idParams,
    body: z.object({ name }),
    reply: passkeySchema,
  }),
  /** Also ends the account's logins on all other devices and browsers. */
  removePasskey: endpoint('POST', '/passkeys/:id/remove', {
    access: 'own',
    at: 'none',
    audit: 'change',
    summary: 'Remove a passkey; needs your password or a passkey',
    params: idParams,
    body: z.object(proofShape),
    status: 204,
  }),
};
