import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { openLookup, readAddress } from './address.ts';

const PATIENCE_MS = 15_000;
const SECRET_PREFIX = 'whsec_';

/** A message and where it goes. It is signed with each of these secrets. */
export interface Outgoing {
  readonly id: string;
  readonly url: string;
  readonly body: string;
  readonly secrets: readonly string[];
  /** When it is sent, in milliseconds since 1970. */
  readonly at: number;
}

/** What came of an attempt. `gone`: the receiver wants nothing more (410). */
export type Sent = { readonly ok: true } | { readonly ok: false; readonly fault: string; readonly gone?: true };

/** The headers of Standard Webhooks: the id and the moment of sending, and both signed with the body. */
function signedHeaders({ id, body, secrets, at }: Omit<Outgoing, 'url'>): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/**
 * Sends a message once. Follows no redirect, and reads nothing of the reply but its status: an address that is set by
 * hand must not become a way to read what only this machine can reach.
 */
export function send(message: Outgoing): Promise<Sent> {
  const url = readAddress(message.url);
  if (!url) return Promise.resolve({ ok: false, fault: 'This address may not be sent to.' });
  const body = Buffer.from(message.body);
  const headers = {
    ...signedHeaders(message),
    'content-type': 'application/json',
    'content-length': String(body.length),
    'user-agent': 'Clinic-Scheduler',
  };
  const make = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const options = {
    method: 'POST',
    headers,
    lookup: openLookup,
    agent: false,
    signal: AbortSignal.timeout(PATIENCE_MS),
  };
  return new Promise((resolve) => {
    const request = make(url, options, (reply) => {
      const status = reply.statusCode ?? 0;
      reply.destroy();
      if (status >= 200 && status < 300) return resolve({ ok: true });
      resolve({
        ok: false,
        fault: `The address replied with ${status}.`,
        ...(status === 410 ? { gone: true as const } : {}),
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve({ ok: false, fault: wordsFor(error) }));
    request.end(body);
  });
}

/** Says what failed without quoting anything of the reply. */
function wordsFor({ code = '', name }: NodeJS.ErrnoException): string {
  if (name === 'AbortError' || name === 'TimeoutError') return 'The address did not reply in time.';
  if (code === 'ECLOSED') return 'The name leads to an address that may not be sent to.';
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_/.test(code)) return 'The certificate of the address cannot be trusted.';
  return 'The address cannot be reached.';
}
