import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { hashPassword } from '../../access/passwords.ts';
import type { Db } from '../../db/connection.ts';
import type { SignedIn } from '../../testing/test-app.ts';

const PASSWORD = 'a password of some length';
let made = 0;

/** Makes a scheduler's account for all locations; returns its id and email. */
export async function makeAccount(db: Db): Promise<{ id: string; email: string }> {
  const email = `racer${process.pid}.${++made}@clinic.example`;
  const { id } = await db
    .insertInto('account')
    .values({
      email,
      name: `Racer ${made}`,
      role: 'scheduler',
      locations: null,
      password_hash: await hashPassword(PASSWORD),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, email };
}

/** Logs in to a server in another process with an account from `makeAccount`; returns the token. */
export async function remoteToken(url: string, email: string): Promise<string> {
  const reply = await fetch(`${url}/api/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: email, password: PASSWORD }),
  });
  if (reply.status !== 200) throw new Error(`login of ${email} got status ${reply.status}`);
  return ((await reply.json()) as { access_token: string }).access_token;
}

/**
 * Returns a session on a server in another process, with the same interface as a session on an application in this
 * process.
 */
export function remoteSession(urlOf: () => string, account: { id: string; email: string }, token: string): SignedIn {
  return {
    token,
    accountId: account.id,
    email: account.email,
    password: PASSWORD,
    call: (options) => callRemote(urlOf(), token, options),
  };
}

/** Whether a request failed because its connection broke, so that its result is unknown. */
export function isLostConnection(error: unknown): boolean {
  const { code } = ((error as Error | null)?.cause ?? {}) as { code?: unknown };
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET';
}

async function callRemote(url: string, token: string, options: InjectOptions): Promise<LightMyRequestResponse> {
  const { method = 'GET', url: path, payload, headers = {} } = options;
  if (typeof path !== 'string') throw new Error('the URL of a request must be a string');
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(headers as Record<string, string>),
      authorization: `Bearer ${token}`,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
  });
  const rawPayload = Buffer.from(await reply.arrayBuffer());
  const body = rawPayload.toString('utf8');
  const answer = {
    statusCode: reply.status,
    body,
    rawPayload,
    headers: Object.fromEntries(reply.headers),
    json: () => JSON.parse(body) as unknown,
  };
  return answer as unknown as LightMyRequestResponse;
}
