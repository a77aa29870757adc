import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCUMENT = join(import.meta.dirname, '../../../../docs/operations.md');

/** Where a documented configuration listens and leads to, on this machine. */
export interface Places {
  readonly proxy: number;
  readonly plain: number;
  readonly servers: readonly [number, number];
  /** A folder with `scheduler.pem` and `scheduler.key`. */
  readonly folder: string;
}

/** The proxy's configuration as docs/operations.md has it. */
export function documented(proxy: 'nginx' | 'HAProxy'): string {
  const blocks = readFileSync(DOCUMENT, 'utf8').matchAll(/```\n(# (?:nginx|HAProxy)[^]*?)```/g);
  const found = [...blocks].map(([, text = '']) => text).filter((text) => text.startsWith(`# ${proxy}`));
  if (found.length !== 1) throw new Error(`docs/operations.md has ${found.length} configurations of ${proxy}`);
  return found[0] ?? '';
}

/** Puts this machine's ports and files into a documented configuration. Throws if it has other places than expected. */
export function placed(config: string, { proxy, plain, servers: [one, two], folder }: Places): string {
  const changes: readonly (readonly [RegExp, string])[] = [
    [/(?<= )10\.0\.0\.1:3000/g, `127.0.0.1:${one}`],
    [/(?<= )10\.0\.0\.2:3000/g, `127.0.0.1:${two}`],
    [/(?<=listen )443(?= ssl)|(?<=bind ):443(?= ssl)/g, `127.0.0.1:${proxy}`],
    [/(?<=listen )80(?=;)|(?<=bind ):80$/gm, `127.0.0.1:${plain}`],
    [/\/etc\/ssl\/scheduler/g, join(folder, 'scheduler')],
  ];
  return changes.reduce((text, [what, by]) => {
    if (!what.test(text)) throw new Error(`the documented configuration has no ${what.source}`);
    return text.replace(what, by);
  }, config);
}

/** Makes a certificate for `localhost`: `scheduler.pem`, with its key for HAProxy, and `scheduler.key`. */
export function makeCertificate(folder: string): void {
  const [key, pem] = ['key', 'pem'].map((end) => join(folder, `scheduler.${end}`));
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, '-keyout', `${key}`, '-out', `${pem}`],
    { stdio: 'ignore' },
  );
  execFileSync('sh', ['-c', 'cat "$1" >> "$2"', 'sh', `${key}`, `${pem}`]);
}
