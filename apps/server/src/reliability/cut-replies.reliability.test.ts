import { randomUUID } from 'node:crypto';
import { connect, type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMIT_HEADER } from '@clinic/contract';
import { randomFrom } from '@clinic/testkit';
import { everyone, submit, submitBody } from '../testing/calls.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { doseOf, keepFigures, LASTING, seedOfRun, timeLimit } from './testing/doses.ts';
import { buildMornings, type Morning } from './testing/morning.ts';
import { halfWritten } from './testing/state-checks.ts';

const COUNT = doseOf('cut-replies');
/**
 * How many proposals take turns. A commit whose reply was cut off may finish late, so the next commit from the same
 * proposal must not follow at once.
 */
const DAYS = 6;

let t: TestApp;
let staff: SignedIn;
let port: number;
let mornings: Morning[];
beforeAll(async () => {
  t = await buildTestApp({ config: { ...LASTING, logLevel: 'error', solverSeconds: 20 } });
  staff = await t.signIn();
  mornings = await buildMornings(t.deps.db, staff, { days: DAYS, proposals: 1, seed: 1 + (seedOfRun() % 400) });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  port = (t.app.server.address() as AddressInfo).port;
}, 600_000);
afterAll(() => t.close());

/** Sends a commit and hangs up after that many bytes of the reply, or at its end; returns how many bytes arrived. */
function submitAndHangUp(token: string, headers: Record<string, string>, body: string, bytes: number): Promise<number> {
  return new Promise((resolve) => {
    let came = 0;
    const socket = connect(port, '127.0.0.1', () => {
      const lines = Object.entries({
        host: '127.0.0.1',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
        ...headers,
      }).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`POST /api/actions HTTP/1.1\r\n${lines.join('')}\r\n${body}`, () => {
        if (bytes === 0) socket.destroy();
      });
    });
    socket.on('data', (chunk) => {
      came += chunk.length;
      if (came >= bytes) socket.destroy();
    });
    socket.on('error', () => {}); // a connection that is reset counts as cut off
    socket.on('close', () => resolve(came));
  });
}

/**
 * How many times a proposal's commit took effect: commits that still stand, surplus lines in the history, and audit
 * entries.
 */
async function effects(proposal: string): Promise<{ commits: number; extraEvents: number; audits: number }> {
  const { rows } = await sql<{ commits: number; extraEvents: number; audits: number }>`
    select count(*)::int as commits,
      coalesce(sum((select count(*) from appointment_event e where e.commit_id = s.id)
        - jsonb_array_length(s.changes)), 0)::int as "extraEvents",
      coalesce(sum((select count(*) from audit a where a.action = 'schedule.committed'
        and a.subject_ids @> array[s.id::text])), 0)::int as audits
    from schedule_commit s where s.proposal_id = ${proposal} and s.undone_at is null`.execute(t.deps.db);
  return rows[0] ?? { commits: -1, extraEvents: -1, audits: -1 };
}

test(
  'a commit whose reply is cut off, and which is therefore sent again, takes effect exactly once and returns the same bytes',
  async () => {
    const began = performance.now();
    const random = randomFrom(seedOfRun());
    let doubled = 0;
    let cut = 0;
    const standing = new Map<string, string>();
    const undo = async (proposal: string): Promise<void> => {
      const id = standing.get(proposal);
      if (id === undefined) return;
      const reply = await staff.call({ method: 'POST', url: `/api/commits/${id}/undo` });
      expect(reply.statusCode, reply.body).toBe(200);
    };
    for (let n = 0; n < COUNT; n++) {
      const morning = mornings[n % DAYS] as Morning;
      const [proposal] = morning.proposals as [Morning['proposals'][0]];
      const id = proposal.metadata.proposal;
      await undo(id);
      const option = random.pick(Object.keys(proposal.metadata.options[morning.date] ?? {}));
      const body = submitBody(proposal, everyone(proposal, option));
      const own: Record<string, string> = random.chance(0.5) ? { 'idempotency-key': randomUUID() } : {};
      const headers = { accept: '*/*', ...own };
      const bytes = random.chance(0.2) ? 0 : random.int(1, 12_000);
      const first = submitAndHangUp(staff.token, headers, JSON.stringify(body), bytes);
      // In the other half of the cases, the repeated request starts while the first is still running.
      if (random.chance(0.5)) await first;
      const again = await submit(staff, body, headers);
      if ((await first) <= bytes) cut++;
      expect(again.statusCode, again.body.slice(0, 300)).toBe(200);
      const third = await submit(staff, body, headers);
      expect(third.rawPayload.equals(again.rawPayload)).toBe(true);
      const told = await effects(id);
      doubled += Math.abs(told.commits - 1) + Math.abs(told.extraEvents) + Math.abs(told.audits - 1);
      standing.set(id, String(again.headers[COMMIT_HEADER]));
    }
    keepFigures('cut-replies', COUNT, began, { 'doubled effects': doubled, 'replies cut': cut });
    expect(doubled).toBe(0);
    expect(await halfWritten(t.deps.db)).toEqual([]);
    expect(cut).toBeGreaterThan(COUNT / 4);
  },
  timeLimit(COUNT, 1000),
);
