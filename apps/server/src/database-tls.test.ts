import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { openDatabase } from './db/connection.ts';
import { CERTIFICATE, KEY } from './testing/certificate.ts';

/** Everything that `impostor` receives over TLS. The impostor agrees to TLS as PostgreSQL does. */
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
  'given %s, a database server with an untrusted certificate receives nothing',
  async (query) => {
    const { databaseUrl } = loadConfig({ DATABASE_URL: urlWith(query) });
    const database = openDatabase({ connectionString: databaseUrl });
    await expect(database.pool.query('select 1')).rejects.toThrow(/self-signed certificate/);
    await database.close();
    expect(Buffer.concat(heard).toString()).toBe('');
  },
);

test.each(['sslmode=no-verify', 'sslmode=require&uselibpqcompat=true', 'SSLMODE=NO-VERIFY', 'ssl=no-verify'])(
  'given %s, a setting that would trust any certificate is refused, without showing the password',
  (query) => {
    const load = () => loadConfig({ DATABASE_URL: urlWith(query) });
    expect(load).toThrow(/^DATABASE_URL would accept any server as the database .*sslmode=verify-full/);
    expect(load).not.toThrow(/secret/);
  },
);
