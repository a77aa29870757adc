import pg from 'pg';
import { hostUrls } from '../config.ts';

/** The database servers that `DATABASE_URL` lists; only one of them is used at a time. */
export interface Hosts {
  /** How to connect to the server in use. */
  readonly current: pg.ClientConfig;
  /**
   * Chooses the first server in the list that accepts writes, or else the first that can be reached. If none can be
   * reached, nothing changes.
   * @returns whether the server in use has changed
   */
  choose(): Promise<boolean>;
}

const PATIENCE_MS = 5000;

export function makeHosts(target: pg.ClientConfig): Hosts {
  const { connectionString } = target;
  const all = connectionString
    ? hostUrls(connectionString).map((url) => ({ ...target, connectionString: url }))
    : [target];
  let current = all[0] ?? target;
  return {
    get current() {
      return current;
    },
    async choose() {
      if (all.length === 1) return false;
      const found = await firstFit(all);
      if (!found || found === current) return false;
      current = found;
      return true;
    },
  };
}

async function firstFit(all: readonly pg.ClientConfig[]): Promise<pg.ClientConfig | undefined> {
  let readable: pg.ClientConfig | undefined;
  for (const config of all) {
    const writable = await takesWrites(config).catch(() => undefined);
    if (writable) return config;
    if (writable === false) readable ??= config;
  }
  return readable;
}

async function takesWrites(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: PATIENCE_MS });
  client.on('error', () => {});
  const late = setTimeout(() => client.connection.stream.destroy(), PATIENCE_MS);
  try {
    await client.connect();
    const { rows } = await client.query<{ fits: boolean }>(
      "select current_setting('transaction_read_only') = 'off' as fits",
    );
    return rows[0]?.fits ?? false;
  } finally {
    clearTimeout(late);
    client.end().catch(() => {});
  }
}
