import assert from 'node:assert/strict';
import { get, type IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

type Headers = Readonly<Record<string, string>>;

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request over TLS, whatever the certificate, and returns the reply as it comes. */
export function exchange(
  url: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: Headers; body?: string | Buffer } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, rejectUnauthorized: false }, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.once('error', reject);
      reply.once('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Enough rows for a file of two megabytes. Every row is refused: this tries the proxy, not the import. */
const ROWS = 20_000;
const SOON_MS = 5000;

/**
 * Tries through a proxy what its default configuration would refuse, hold back or send at full length. Throws if anything
 * is not as docs/operations.md says.
 */
export async function tryThroughProxy(url: string, plain: string, headers: Headers): Promise<void> {
  await tryPlainHttp(plain);
  await tryImport(url, headers);
  await tryEvents(url, headers);
}

async function tryPlainHttp(plain: string): Promise<void> {
  const [status, location] = await new Promise<readonly [number | undefined, string | undefined]>((resolve, reject) => {
    get(`${plain}/calendar?x=1`, (reply) => {
      reply.resume();
      resolve([reply.statusCode, reply.headers.location]);
    }).once('error', reject);
  });
  assert.equal(status, 308);
  assert.match(location ?? '', /^https:\/\/[^/]+\/calendar\?x=1$/);
}

/** Imports a file that is larger than a proxy takes by default; the reply must come compressed. */
async function tryImport(url: string, headers: Headers): Promise<void> {
  const header = 'Id,StartDateTime,EndDateTime,Subject,Preferred_Provider_Name,Appointment_Status,Client Name,Location';
  const row = (i: number): string =>
    `X-${i},"11/16/2026, 8:00 AM","11/16/2026, 9:00 AM",Direct Therapy at the clinic,,Confirmed,Nobody ${i},Tampa`;
  const csv = [header, ...Array.from({ length: ROWS }, (_, i) => row(i % 4000))].join('\n');
  const file = Buffer.from(
    `--b\r\nContent-Disposition: form-data; name="appointments"; filename="w.csv"\r\nContent-Type: text/csv\r\n\r\n${csv}\r\n--b--\r\n`,
  );
  assert.ok(file.length > 2_000_000);
  const reply = await exchange(`${url}/api/imports?dry_run=true`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b', 'accept-encoding': 'gzip' },
    body: file,
  });
  assert.equal(reply.status, 200, reply.body.toString().slice(0, 300));
  assert.equal(reply.headers['content-encoding'], 'gzip');
  assert.ok(reply.headers['strict-transport-security'], 'the scheduler does not know that the connection has TLS');
  assert.ok(gunzipSync(reply.body).length > 5 * reply.body.length);
}

/** Opens the event stream, which must begin at once, and bring a change at once. */
async function tryEvents(url: string, headers: Headers): Promise<void> {
  let heard = '';
  const stream = request(`${url}/api/events`, {
    headers: { ...headers, 'accept-encoding': 'gzip' },
    rejectUnauthorized: false,
  });
  stream.once('response', (reply) => {
    assert.equal(reply.headers['content-encoding'], undefined);
    reply.on('data', (part: Buffer) => (heard += part.toString()));
    reply.once('error', () => undefined); // the stream is ended below
  });
  stream.once('error', () => undefined);
  stream.end();
  try {
    await soon(() => heard.includes(': connected'), 'the event stream does not begin');
    const client = {
      first_name: 'Event',
      last_name: `${Date.now()}`,
      location: 'tampa',
      gender: 'Female',
      restrictions: [],
    };
    const saved = await exchange(`${url}/api/clients`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(client),
    });
    assert.equal(saved.status, 201);
    await soon(() => heard.includes('data:'), 'a change does not arrive on the event stream');
  } finally {
    stream.destroy();
  }
}

async function soon(isSo: () => boolean, fault: string): Promise<void> {
  for (const end = Date.now() + SOON_MS; Date.now() < end; await delay(20)) if (isSo()) return;
  throw new Error(fault);
}
