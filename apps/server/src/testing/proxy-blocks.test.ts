import { expect, test } from 'vitest';
import { LARGEST_IMPORT_MB } from '@clinic/contract';
import { documented, placed } from './proxy-blocks.ts';

/** `npm run bench -- front-ends` starts the real programs with these lines; here is what no machine may lack. */
const PLACES = { proxy: 1, plain: 2, servers: [3, 4], folder: '/x' } as const;
const seconds = (text: string, name: string): number => {
  const [, count = '', unit = ''] = new RegExp(`${name} (\\d+)([sm])`).exec(text) ?? [];
  return Number(count) * (unit === 'm' ? 60 : 1);
};

test('the documented nginx takes the largest import, compresses data, has TLS, and waits for a long import', () => {
  const config = placed(documented('nginx'), PLACES);
  const [, size = ''] = /client_max_body_size (\d+)m;/.exec(config) ?? [];
  // The form and its answers take less than 1 MB more.
  expect(Number(size)).toBeGreaterThan(3 * LARGEST_IMPORT_MB);
  expect(config).toMatch(/gzip on;\s+gzip_types [^;]*application\/json/);
  expect(config).not.toMatch(/gzip_types [^;]*event-stream/);
  expect(config).toMatch(/listen 127\.0\.0\.1:1 ssl;/);
  expect(config).toContain('proxy_set_header X-Forwarded-Proto $scheme;');
  expect(config).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  expect(seconds(config, 'proxy_read_timeout')).toBeGreaterThanOrEqual(600);
  // The scheduler closes idle connections after 82 seconds.
  expect(seconds(config, 'keepalive_timeout')).toBeLessThan(72);
});

test('the documented HAProxy has TLS, checks, compression and every time-out', () => {
  const config = placed(documented('HAProxy'), PLACES);
  expect(config).toMatch(/bind 127\.0\.0\.1:1 ssl crt \/x\/scheduler\.pem/);
  expect(config).toMatch(/compression type [^\n]*application\/json/);
  expect(config).not.toMatch(/compression type [^\n]*event-stream/);
  expect(config).toContain('option httpchk GET /readyz');
  expect(config).toContain('http-request set-header X-Forwarded-For %[src]');
  for (const name of ['connect', 'http-request', 'http-keep-alive', 'client', 'server'])
    expect(seconds(config, `timeout ${name}`), name).toBeGreaterThan(0);
  expect(seconds(config, 'timeout http-keep-alive')).toBeLessThan(72);
  expect(seconds(config, 'timeout server')).toBeGreaterThanOrEqual(600);
});

test('a configuration without an expected place is not started as if it were right', () => {
  expect(() => placed(documented('nginx').replace('listen 80', 'listen 81'), PLACES)).toThrow('has no');
});
