import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProposalReply, SlotsReply } from '@clinic/contract';
import { locationValues } from '@clinic/domain';
import { submitBody } from '@clinic/testkit';
import { DEMO } from '../e2e/fixtures/test.ts';

export const LOAD = 'load';
const USERS = 50;
/** How long a user pauses between requests to look, think or type, in milliseconds. */
const PAUSE = { least: 500, most: 3500 };
const PASSWORD = 'fifty people at work';
const MAIN = join(import.meta.dirname, '../apps/server/src/main.ts');

interface Samples {
  readonly read: number[];
  readonly submit: number[];
  readonly solve: number[];
  faults: number;
}

/**
 * Simulates fifty people who work in the demo clinic, on one server with its own PostgreSQL, over the local network.
 * They mostly look at days; now and then one of them saves an absence, commits an option and undoes the commit. Records
 * the replies with a 5xx status, and the 99th percentiles of reads and commits.
 * @returns whether no reply had a 5xx status
 */
export async function runLoad(results: string, seconds: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-load-'));
  // When root runs this, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const env = { ...process.env, PORT: '0', DATA_DIR: join(folder, 'data'), RATE_LIMIT: '1000', LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const ready = /^Scheduler is ready at (http:\S+)$/.exec(line)?.[1];
        if (ready) resolve(ready);
      });
      void ended.then((code) => reject(new Error(`the server ended with ${String(code)}`)));
    });
    const samples: Samples = { read: [], submit: [], solve: [], faults: 0 };
    const emails = await addAccounts(url);
    const until = performance.now() + seconds * 1000;
    await Promise.all(
      emails.map((email, n) => work(url, email, locationValues()[n % locationValues().length] ?? '', until, samples)),
    );
    const figures = {
      requests: samples.read.length + samples.submit.length + samples.solve.length,
      '5xx': samples.faults,
      'p99 read ms': percentile(samples.read),
      'p99 submit ms': percentile(samples.submit),
      submits: samples.submit.length,
      'p99 solve ms': percentile(samples.solve),
    };
    const result = { name: LOAD, count: seconds, seconds, at: new Date(), figures };
    writeFileSync(join(results, `${LOAD}.json`), `${JSON.stringify(result, null, 2)}\n`);
    return samples.faults === 0;
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

const percentile = (values: number[]): number =>
  Math.round(values.sort((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0);

/** Works as one person would: mostly looks at a page, and one time in twelve covers an absence. */
async function work(url: string, email: string, location: string, until: number, samples: Samples): Promise<void> {
  let token = await signIn(url, email);
  let renewed = performance.now();
  const call = async (kind: number[], path: string, body?: object): Promise<unknown> => {
    const began = performance.now();
    const reply = await fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await reply.text();
    kind.push(performance.now() - began);
    if (reply.status >= 500) samples.faults++;
    return reply.status < 300 ? (JSON.parse(text) as unknown) : null;
  };
  const { now } = (await call([], '/api/session')) as { now: string };
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(now));
  await delay(Math.random() * PAUSE.most);
  while (performance.now() < until) {
    if (performance.now() - renewed > 300_000) {
      const reply = (await call([], '/api/token/renew', {})) as { access_token: string } | null;
      if (reply) token = reply.access_token;
      renewed = performance.now();
    }
    const query = `location=${encodeURIComponent(location)}&date=${today}`;
    if (Math.random() < 11 / 12) {
      const page = ['slots', 'slots', 'today', 'commits'][Math.floor(Math.random() * 4)] ?? 'slots';
      await call(samples.read, `/api/${page}?${query}`);
    } else await coverSomebody(call, samples, query, location, today);
    await delay(PAUSE.least + Math.random() * (PAUSE.most - PAUSE.least));
  }
}

type Call = (kind: number[], path: string, body?: object) => Promise<unknown>;

/** Covers a therapist who is away for two hours: Option 1 is committed and undone, and the absence is withdrawn. */
async function coverSomebody(
  call: Call,
  samples: Samples,
  query: string,
  location: string,
  date: string,
): Promise<void> {
  const day = (await call(samples.read, `/api/slots?${query}`)) as SlotsReply | null;
  const booked = (day?.appointments ?? []).filter((a) => a.Preferred_Provider_Name !== 'Unassigned');
  const therapist = booked[Math.floor(Math.random() * booked.length)]?.Preferred_Provider_Name;
  if (therapist === undefined) return;
  const away = { type: 'therapist_cancel', therapist, date, location, begin: '12:00', end: '14:00' };
  const proposal = (await call(samples.solve, '/api/api/scheduler/process', {
    date,
    location,
    queries: [away],
  })) as ProposalReply | null;
  if (proposal && Object.keys(proposal.data[date] ?? {}).length > 0) {
    const done = (await call(samples.submit, '/api/actions', submitBody(proposal))) as { commit: string } | null;
    if (done) await call([], `/api/commits/${done.commit}/undo`, {});
  }
  await call([], '/api/absences/withdraw', { location, date, type: 'therapist', name: therapist });
}

/** Adds an account for each user, since one account's requests take turns; returns the addresses. */
async function addAccounts(url: string): Promise<string[]> {
  const admin = await signIn(url, DEMO.admin.email, DEMO.admin.password);
  const emails = Array.from({ length: USERS }, (_, n) => `user-${n}@clinic.example`);
  for (const [n, email] of emails.entries()) {
    const location = locationValues()[n % locationValues().length];
    const account = { email, name: email, role: 'scheduler', locations: [location], password: PASSWORD };
    const reply = await fetch(`${url}/api/accounts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(account),
    });
    if (!reply.ok) throw new Error(`adding an account returned status ${reply.status}`);
  }
  return emails;
}

async function signIn(url: string, email: string, password = PASSWORD): Promise<string> {
  for (;;) {
    const reply = await fetch(`${url}/api/token`, {
      method: 'POST',
      body: new URLSearchParams({ username: email, password }),
    });
    if (reply.status === 200) return ((await reply.json()) as { access_token: string }).access_token;
    if (reply.status !== 503) throw new Error(`the login returned status ${reply.status}`);
    await delay(500); // the server is busy, because fifty logins at once queue for their password checks
  }
}
