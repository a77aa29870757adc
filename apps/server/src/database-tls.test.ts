import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { openDatabase } from './db/connection.ts';

// A certificate that no one trusts: all that an attacker between the server and its database could show.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHIWHyF07CrG/7/mq
/QUb0i5ouYcdjAsqXzuog3iaepihRANCAARuz5Rhy7vsMZAgfyX1WCIjT8T7sq4T
RtifYKrtqk8BKOOY/luPS+9mmjbsHeAfUORTePE1iNCpWkeax6PHBpGA
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUL6KtX2ZtAlkUiz6V2RAh21RDS3MwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMDEzMzUzNVoYDzIxMjYxMDI3
MTMzNTM1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARuz5Rhy7vsMZAgfyX1WCIjT8T7sq4TRtifYKrtqk8BKOOY/luPS+9m
mjbsHeAfUORTePE1iNCpWkeax6PHBpGAo1MwUTAdBgNVHQ4EFgQUaJV4nd3zSfPy
B2jHAF62Utj8x5IwHwYDVR0jBBgwFoAUaJV4nd3zSfPyB2jHAF62Utj8x5IwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEA6BO8XZS3Xr+EtV38gJmt
f5TUE+r03/0x55OLDdeRi5wCIEMnVwfyythYj7yzv/3A4E00+Td+HC6DQZ4PEwwf
psrQ
-----END CERTIFICATE-----`;

/** Speaks TLS as PostgreSQL does, and records what it receives afterwards. */
const heard: Buffer[] = [];
const impostor = createServer((socket: Socket) => {
  socket.once('data', () => {
    socket.write('S');
    const secureContext = createSecureContext({ key: KEY, cert: CERTIFICATE });
    const secure = new TLSSocket(socket, { isServer: true, secureContext });
    secure.on('data', (chunk: Buffer) => heard.push(chunk));
    secure.on('error', () => undefined);
  });
  socket.on('error', () => undefined);
});
beforeAll(async () => {
  impostor.listen(0, '127.0.0.1');
  await once(impostor, 'listening');
});
afterAll(() => impostor.close());

const urlWith = (query: string): string =>
  `postgres://scheduler:secret@localhost:${(impostor.address() as AddressInfo).port}/scheduler?${query}`;

test.each(['sslmode=verify-full', 'sslmode=require', 'sslmode=verify-ca', 'ssl=true'])(
  'a database server with an untrusted certificate receives nothing: %s',
  async (query) => {
    const { databaseUrl } = loadConfig({ DATABASE_URL: urlWith(query) });
    const database = openDatabase({ connectionString: databaseUrl });
    await expect(database.pool.query('select 1')).rejects.toThrow(/self-signed certificate/);
    await database.close();
    expect(Buffer.concat(heard).toString()).toBe('');
  },
);

test.each(['sslmode=no-verify', 'sslmode=require&uselibpqcompat=true', 'SSLMODE=NO-VERIFY', 'ssl=no-verify'])(
  'a setting that would trust any certificate is refused, without showing the password: %s',
  (query) => {
    const load = () => loadConfig({ DATABASE_URL: urlWith(query) });
    expect(load).toThrow(/^DATABASE_URL would take any server for the database .*sslmode=verify-full/);
    expect(load).not.toThrow(/secret/);
  },
);
