import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { CreateOptions, Passkey, SignOptions } from '@clinic/contract';
import type { App } from '../access/deps.ts';
import { Authenticator, type Behaviour } from './authenticator.ts';
import type { SignedIn } from './test-app.ts';

/** The origin of the pages in tests, which browsers send with every POST. */
export const PAGE = { origin: 'http://localhost' };

type Send = (options: InjectOptions) => Promise<LightMyRequestResponse>;

/** Sends a POST as our pages do. */
export const post = (send: Send, url: string, payload: object = {}): Promise<LightMyRequestResponse> =>
  send({ method: 'POST', url: `/api${url}`, payload, headers: PAGE });

/**
 * Uses an account's password to add a passkey to it; returns the device that holds the passkey, and the passkey's id.
 */
export async function addPasskey(
  { call, password }: Pick<SignedIn, 'call' | 'password'>,
  how: Behaviour = {},
): Promise<{ device: Authenticator; id: string }> {
  const asked = await post(call, '/passkeys/options', { current_password: password });
  const device = new Authenticator();
  if (how.counter !== undefined) device.counter = how.counter;
  const passkey = device.create(asked.json<CreateOptions>());
  const added = await post(call, '/passkeys', { name: 'Phone', passkey });
  if (added.statusCode !== 201) throw new Error(`the passkey was refused: ${asked.body} ${added.body}`);
  return { device, id: added.json<Passkey>().id };
}

/** Requests the options for logging in with a passkey. */
export const signInOptions = async (app: App): Promise<SignOptions> =>
  (await post((options) => app.inject(options), '/token/passkey/options')).json<SignOptions>();

/** Logs in with a device's passkey. */
export async function signInWith(
  app: App,
  device: Authenticator,
  how: Behaviour = {},
): Promise<LightMyRequestResponse> {
  const passkey = device.sign(await signInOptions(app), how);
  return post((options) => app.inject(options), '/token/passkey', { passkey });
}
