import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';

/** A network path to PostgreSQL that can go silent: it then accepts bytes, but passes nothing on and closes nothing. */
export interface BlackProxy {
  /** How to connect through this network. */
  readonly target: pg.PoolConfig;
  /** Makes old and new connections silent from now on. */
  goBlack(): void;
  /** Makes new connections work again; the old ones stay silent. */
  heal(): void;
  close(): void;
}

/** @param readOnly whether sessions through the network are read-only, as on a standby */
export async function openBlackProxy(database: pg.PoolConfig, readOnly = false): Promise<BlackProxy> {
  const far = farEnd(database);
  const pairs = new Set<readonly [Socket, Socket]>();
  let black = false;
  const server = createServer((near) => {
    const far_ = connect(far);
    const pair = [near, far_] as const;
    pairs.add(pair);
    const pass = (from: Socket, to: Socket): void => {
      from.on('error', () => {});
      from.on('data', (bytes) => void to.write(bytes));
      from.on('close', () => to.destroy());
      if (black) from.removeAllListeners('data').resume();
    };
    if (readOnly)
      near.once('data', (bytes) => {
        far_.write(asReadOnly(bytes));
        pass(near, far_);
      });
    else pass(near, far_);
    pass(far_, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    target: through(database, port),
    goBlack() {
      black = true;
      for (const [near, far_] of pairs) {
        near.removeAllListeners('data').removeAllListeners('close').resume();
        far_.removeAllListeners('data').removeAllListeners('close').resume();
      }
    },
    heal: () => void (black = false),
    close() {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}

/** Adds a setting to a session's first message, which consists of a length, a version, and pairs of name and value. */
function asReadOnly(startup: Buffer): Buffer {
  const setting = Buffer.from('options\0-c default_transaction_read_only=on\0');
  const whole = Buffer.concat([startup.subarray(0, -1), setting, Buffer.alloc(1)]);
  whole.writeInt32BE(whole.length);
  return whole;
}

function farEnd({ connectionString, host, port }: pg.PoolConfig): { path: string } | { host: string; port: number } {
  if (connectionString !== undefined) {
    const url = new URL(connectionString);
    return { host: url.hostname, port: Number(url.port || 5432) };
  }
  if (host?.startsWith('/')) return { path: join(host, `.s.PGSQL.${port ?? 5432}`) };
  return { host: host ?? 'localhost', port: port ?? 5432 };
}

function through(database: pg.PoolConfig, port: number): pg.PoolConfig {
  if (database.connectionString === undefined) return { ...database, host: '127.0.0.1', port };
  const url = new URL(database.connectionString);
  url.host = `127.0.0.1:${port}`;
  return { connectionString: url.href };
}
