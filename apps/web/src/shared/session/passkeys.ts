import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import type { CreateOptions, NewPasskey, SignedPasskey, SignOptions } from '@clinic/contract';

// This file is imported only by pages and dialogs whose code loads when they open, so the library is not part of the
// first load.

/**
 * Whether passkeys can be used on this page. The browser must support them, the connection must be secure, and the
 * address must contain a host name: no passkey can be made for an IP address such as 127.0.0.1.
 */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(window.location.hostname);

/** Asks the browser for a new passkey. */
export async function makePasskey(options: CreateOptions): Promise<NewPasskey> {
  const { id, response } = await startRegistration({ optionsJSON: options });
  const { clientDataJSON, attestationObject, transports } = response;
  return { id, type: 'public-key', response: { clientDataJSON, attestationObject, transports } };
}

/** Asks the browser to sign with a passkey. */
export async function signWithPasskey(options: SignOptions): Promise<SignedPasskey> {
  const { id, response } = await startAuthentication({ optionsJSON: options });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { id, type: 'public-key', response: { clientDataJSON, authenticatorData, signature, userHandle } };
}

/** Why no passkey was made or used; null for an error that did not come from the browser. */
export function passkeyFault(error: unknown): 'again' | 'unable' | 'none' | 'failed' | null {
  if (!(error instanceof Error)) return null;
  const code = error instanceof WebAuthnError ? error.code : null;
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'again';
  if (code?.startsWith('ERROR_AUTHENTICATOR_')) return 'unable';
  // Browsers do not say whether the user cancelled, waited too long, or has no passkey here.
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return 'none';
  return code === null ? null : 'failed';
}

const DEVICES: readonly (readonly [sign: RegExp, name: string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android phone'],
  [/Macintosh/, 'Mac'],
  [/Windows/, 'Windows computer'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux computer'],
];

/** The name suggested for a passkey on this device; the user can change it. */
export const deviceName = (agent = navigator.userAgent): string =>
  DEVICES.find(([sign]) => sign.test(agent))?.[1] ?? 'My device';
