import * as z from 'zod/mini';
import { passwordSchema } from './session.ts';

// Passkeys as browsers send and receive them: the JSON forms of Web Authentication, level 3. Bytes are in base64url.

/** The maximum number of characters in a passkey's name. */
export const LONGEST_PASSKEY_NAME = 60;

const bytes = (most: number) =>
  z.string().check(z.regex(/^[A-Za-z0-9_-]*$/, 'not base64url'), z.maxLength(most, 'too long'));

/** A credential's id has at most 1,023 bytes. */
const credentialId = bytes(1364);
const type = z.literal('public-key');
const transports = z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(16)));

/** A new passkey, as the browser returns it. */
export const newPasskeySchema = z.object({
  id: credentialId,
  type,
  response: z.object({ clientDataJSON: bytes(4096), attestationObject: bytes(8192), transports }),
});
export type NewPasskey = z.infer<typeof newPasskeySchema>;

/** A passkey's signature, as the browser returns it. */
export const signedPasskeySchema = z.object({
  id: credentialId,
  type,
  response: z.object({
    clientDataJSON: bytes(4096),
    authenticatorData: bytes(4096),
    signature: bytes(1024),
    userHandle: z.optional(bytes(128)),
  }),
});
export type SignedPasskey = z.infer<typeof signedPasskeySchema>;

const knownPasskey = z.object({ id: z.string(), type, transports: z.array(z.string()) });

/**
 * What a browser must sign, and with which passkeys. If no passkey is listed, the browser may use any passkey for this
 * site.
 */
export const signOptionsSchema = z.object({
  challenge: z.string(),
  rpId: z.string(),
  /** How long the browser may wait for the user, in milliseconds. */
  timeout: z.number(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(knownPasskey),
});
export type SignOptions = z.infer<typeof signOptionsSchema>;

/** How a browser must make a new passkey. */
export const createOptionsSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type, alg: z.number() })),
  /** How long the browser may wait for the user, in milliseconds. */
  timeout: z.number(),
  attestation: z.literal('none'),
  /** The passkeys that the account already has. */
  excludeCredentials: z.array(knownPasskey),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
export type CreateOptions = z.infer<typeof createOptionsSchema>;

/** What proves that the account's owner is present: their password, or the signature of one of their passkeys. */
export const proofShape = {
  current_password: z.optional(passwordSchema),
  passkey: z.optional(signedPasskeySchema),
};
