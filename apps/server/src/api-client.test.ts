import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSmallClinic, type SmallApp } from './testing/small-app.ts';
import { DATE } from './testing/small-clinic.ts';

const run = promisify(execFile);
const TESTING = join(import.meta.dirname, 'testing');

let small: SmallApp;
let folder: string;
beforeAll(async () => {
  small = await openSmallClinic(undefined);
  await small.app.app.listen({ host: '127.0.0.1', port: 0 });
  folder = mkdtempSync(join(tmpdir(), 'clinic-client-'));
});
afterAll(async () => {
  await small.app.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Returns the path of the Python that has the client generator installed; `npm test` installs both
 * (tools/lib/python.mjs).
 */
function python(): string {
  const path = process.env['API_CLIENT_PYTHON'];
  if (!path)
    throw new Error('API_CLIENT_PYTHON is not set: run `npm test -- --only integration`, which sets Python up.');
  return path;
}

test('given a Python client generated from the OpenAPI document, it logs in, plans, submits and reads every kind of reply', async () => {
  const { port } = small.app.app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const document = join(folder, 'openapi.json');
  writeFileSync(document, await (await fetch(`${url}/api/openapi.json`)).text());
  const generate = ['generate', '--path', document, '--meta', 'none', '--fail-on-warning'];
  const config = join(TESTING, 'api-client.yml');
  const output = join(folder, 'clinic_api');
  await run(python(), ['-m', 'openapi_python_client', ...generate, '--config', config, '--output-path', output]);
  const program = [join(TESTING, 'api-client.py'), url, small.who.email, small.who.password, DATE];
  const { stdout } = await run(python(), program, { env: { PATH: process.env['PATH'], PYTHONPATH: folder } });
  expect(JSON.parse(stdout)).toEqual({
    'wrong password': 'Invalid credentials',
    'no token': expect.stringContaining('Log in again') as string,
    account: small.who.email,
    booked: ['Bo Lee', 'Mo Diaz'],
    backwards: expect.stringMatching(/end|after/) as string,
    to: ['Kai Wood'],
    workbook: 'PK',
    'newer version': expect.stringContaining('Load the newest version') as string,
    import: expect.stringMatching(/\w/) as string,
    'signed out': expect.stringContaining('Log in again') as string,
  });
});
