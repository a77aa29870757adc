import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { Provider } from 'oidc-provider';

/** A clinic's own sign-on: `oidc-provider`, an OpenID provider of others, on this machine. */
export interface ClinicSignOn {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the provider says about each person, by their `sub`. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>;
  /** Changes ID tokens on their way, signed with the provider's own key; `none` takes the signature away. */
  tamper: ((claims: Record<string, unknown>) => Record<string, unknown> | 'none') | null;
  /** Logs a person in as a browser does, from the address to which our server sent it; returns where it ends. */
  logIn(start: string, sub: string): Promise<URL>;
  /** Declines to log in. */
  decline(start: string): Promise<URL>;
  /** Signs with a new key from now on, and knows the old one no longer. */
  rotate(): Promise<void>;
  /** Closes the port, or opens it again. */
  stop(): Promise<void>;
  restart(): Promise<void>;
}

const CLIENT = { clientId: 'scheduler', clientSecret: 'a secret of the clinic and its scheduler' };

export async function startClinicSignOn(publicUrl: string): Promise<ClinicSignOn> {
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = () => Promise.resolve();
  let key: { readonly kid: string; readonly secret: CryptoKey };
  const server = createServer((request, response) => {
    if (signOn.tamper && request.url?.startsWith('/token')) tampered(response);
    void handle(request, response);
  });
  const listen = (port: number): Promise<void> =>
    new Promise((done) => void server.listen(port, '127.0.0.1', () => done()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;

  /** Signs the ID token in a reply of the token endpoint again, with other claims. */
  function tampered(response: ServerResponse): void {
    const end = response.end.bind(response);
    const forge = async (text: string): Promise<string> => {
      const reply = JSON.parse(text) as Record<string, unknown>;
      const token = String(reply['id_token']);
      const claims = signOn.tamper?.(decodeJwt(token)) ?? {};
      const unsigned = [{ alg: 'none' }, decodeJwt(token)].map((part) =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      );
      const { alg = 'RS256', kid = '' } = decodeProtectedHeader(token);
      const forged =
        claims === 'none'
          ? `${unsigned.join('.')}.`
          : await new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key.secret);
      return JSON.stringify({ ...reply, id_token: forged });
    };
    response.end = ((chunk: unknown) => {
      void forge(String(chunk)).then((body) => {
        response.setHeader('content-length', Buffer.byteLength(body));
        end(body);
      });
      return response;
    }) as typeof response.end;
  }

  async function begin(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const kid = randomUUID();
    key = { kid, secret: privateKey };
    const jwk = { ...(await exportJWK(publicKey)), ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' };
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [`${publicUrl}/api/sign-on/callback`],
          post_logout_redirect_uris: [`${publicUrl}/login`],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      jwks: { keys: [jwk] },
      cookies: { keys: ['of this test'] },
      claims: { openid: ['sub', 'oid', 'roles', 'xms_edov'], email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, ...signOn.people.get(sub) }),
      }),
      pkce: { required: () => true },
      ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Grant: 600, Interaction: 600, Session: 600 },
    });
    handle = provider.callback();
  }

  /** Follows redirects as a browser does, fills in the provider's forms, and stops at our own address. */
  async function walk(start: string, submit: (page: string) => URLSearchParams | null): Promise<URL> {
    const jar = new Map<string, string>();
    let at = new URL(start);
    let body: URLSearchParams | undefined;
    for (let steps = 0; steps < 20; steps++) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const reply = await fetch(at, {
        redirect: 'manual',
        headers: { cookie },
        ...(body ? { method: 'POST', body } : {}),
      });
      for (const line of reply.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      const location = reply.headers.get('location');
      body = undefined;
      if (location !== null) {
        at = new URL(location, at);
        if (at.origin !== issuer) return at;
        continue;
      }
      const page = await reply.text();
      const form = /action="([^"]+)"/.exec(page)?.[1];
      if (form === undefined) throw new Error(`the provider said ${reply.status}: ${page.slice(0, 300)}`);
      const filled = submit(page);
      at = new URL(filled ? form : `${form}/abort`, at);
      body = filled ?? undefined;
    }
    throw new Error('the sign-on did not end');
  }

  const signOn: ClinicSignOn = {
    ...CLIENT,
    issuer,
    people: new Map(),
    tamper: null,
    logIn: (start, sub) =>
      walk(start, (page) =>
        page.includes('name="login"')
          ? new URLSearchParams({ prompt: 'login', login: sub, password: 'theirs' })
          : new URLSearchParams({ prompt: 'consent' }),
      ),
    decline: (start) => walk(start, () => null),
    rotate: begin,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
    restart: () => listen(port),
  };
  await begin();
  return signOn;
}
