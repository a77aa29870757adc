import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallsReply } from '@clinic/contract';
import { randomFrom } from '@clinic/domain';
import { startMailProcess, type MailProcess } from '../testing/mail-receiver-process.ts';
import { ONE_SOLVER, startServerProcess, type ServerProcess } from '../testing/server-process.ts';
import type { SignedIn } from '../testing/test-app.ts';
import { createTestDatabase, urlOf, type TestDatabase } from '../testing/test-database.ts';
import { doseOf, keepFigures, LASTING_SETTINGS, seedOfRun, timeLimit } from './testing/doses.ts';
import { buildReleaseDay, changeDay, ON, PEOPLE, release } from './testing/release-day.ts';
import { makeAccount, remoteSession, remoteToken } from './testing/remote.ts';

const PROCESSES = 4;
/** The longest time between the releases and the start of an answer, in milliseconds. */
const LATEST_ANSWER_MS = 80;
const COUNT = doseOf('release');

let database: TestDatabase;
let folder: string;
let mail: MailProcess;
let servers: ServerProcess[];
/** The two coordinators, logged in at each server. */
let coordinators: { readonly one: SignedIn; readonly two: SignedIn }[];
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'clinic-mails-'));
  mail = await startMailProcess(join(folder, 'mails'));
  const settings = {
    ...LASTING_SETTINGS,
    DATABASE_URL: urlOf(database.target),
    DEMO: 'off',
    LOG_LEVEL: 'error',
    ...ONE_SOLVER,
    SMTP_URL: mail.url,
    MAIL_FROM: 'clinic@clinic.example',
  };
  const first = await startServerProcess(settings);
  servers = [first, ...(await Promise.all(Array.from({ length: PROCESSES - 1 }, () => startServerProcess(settings))))];
  const [a, b] = [await makeAccount(database.db), await makeAccount(database.db)];
  const tokens = { a: await remoteToken(first.url, a.email), b: await remoteToken(first.url, b.email) };
  coordinators = servers.map((server) => ({
    one: remoteSession(() => server.url, a, tokens.a),
    two: remoteSession(() => server.url, b, tokens.b),
  }));
  const [any] = coordinators;
  if (!any) throw new Error('there is no server');
  await buildReleaseDay(database.db, any.one);
}, 600_000);
afterAll(async () => {
  for (const { child } of servers) child.kill('SIGTERM');
  await Promise.all(servers.map((server) => server.ended));
  await mail.stop();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const listOf = async (who: SignedIn): Promise<CallsReply> =>
  (await who.call({ url: `/api/calls?location=${ON.location}&date=${ON.date}` })).json<CallsReply>();

/** Repeats a request as long as a busy server replies that nothing was changed, as the page advises. */
async function asked(ask: () => ReturnType<SignedIn['call']>) {
  for (;;) {
    const reply = await ask();
    if (reply.statusCode !== 503) return reply;
  }
}

/** The number of messages to each person. */
async function messagesByPerson(): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ person: string; n: number }>`
    select person, count(*)::int as n from message group by person`.execute(database.db);
  return new Map(rows.map(({ person, n }) => [person, n]));
}

async function waiting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from message where sent_at is null and dropped_at is null`.execute(database.db);
  return rows[0]?.n ?? 0;
}

/**
 * Waits for the messages that were being sent when the day changed. A person who hears such a message may have to be
 * asked what the list had only told them, and their family then waits for the answer: the list is read after that.
 */
async function untilHeard(): Promise<void> {
  const sending = `select from message where taken_until is not null and sent_at is null and dropped_at is null`;
  while ((await database.pool.query(sending)).rowCount !== 0) await delay(5);
}

/** Identifies a message: a person gets at most one per round. */
const roundKey = (person: string, number: number): string => `${person} ${number}`;

/**
 * Counts the messages handled wrongly. Each message must be sent or dropped. It may be dropped only if its person was
 * told by telephone in the same round, or if a later round changed the day.
 */
async function wrongFates(called: ReadonlySet<string>, lastRound: ReadonlySet<string>, taken: ReadonlySet<string>) {
  const rows = await database.db.selectFrom('message').selectAll().execute();
  const mayDrop = ({ person, number, dropped_why }: (typeof rows)[number]): boolean =>
    dropped_why === 'told'
      ? called.has(roundKey(person, number))
      : ['changed', 'undone', 'newer'].includes(dropped_why ?? '') && !lastRound.has(roundKey(person, number));
  const dropped = rows.filter((row) => row.dropped_at !== null);
  return {
    dropped: dropped.length,
    'dropped without reason': dropped.filter((row) => !mayDrop(row)).length,
    'dropped and sent': dropped.filter((row) => taken.has(row.id)).length,
    'neither sent nor dropped': rows.filter((row) => row.dropped_at === null && !taken.has(row.id)).length,
  };
}

test(
  'given two coordinators who release and answer at the same moment on four servers, the outbox tells each person once',
  async () => {
    const began = performance.now();
    const random = randomFrom(seedOfRun());
    const figures = { messages: 0, answered: 0, 'told twice': 0, 'told not at all': 0 };
    let had = await messagesByPerson();
    const told = new Set<string>();
    const lastRound = new Set<string>();
    for (let n = 0; n < COUNT; n++) {
      await changeDay(database.db, n);
      await untilHeard();
      const [here, there] = random.sample(coordinators, 2);
      if (!here || !there) throw new Error('there are not two servers');
      const { lines } = await listOf(here.one);
      expect(lines.length).toBeGreaterThan(PEOPLE / 2);
      const called = random.sample(lines, 3);
      const [releases, answers] = await Promise.all([
        Promise.all([asked(() => release(here.one)), asked(() => release(there.two))]),
        Promise.all(
          called.map(async ({ kind, id, version }, i) => {
            // Some answers come before the releases have read the list, some while messages are made and sent.
            await delay(random.int(0, LATEST_ANSWER_MS));
            const payload = { ...ON, kind, id, version, answer: 'told', before_yes: true };
            const who = i % 2 === 0 ? here.two : there.one;
            return asked(() => who.call({ method: 'POST', url: '/api/calls/answer', payload }));
          }),
        ),
      ]);
      for (const reply of [...releases, ...answers]) expect(reply.statusCode, reply.body).toBe(200);
      const have = await messagesByPerson();
      for (const line of lines) {
        const person = `${line.kind}:${line.id}`;
        const got = (have.get(person) ?? 0) - (had.get(person) ?? 0);
        figures.messages += got;
        if (got > 1) figures['told twice']++;
        if (got === 1 && n === COUNT - 1) lastRound.add(roundKey(person, have.get(person) ?? 0));
        // Nothing is sent to whoever waits for somebody's yes.
        if (got === 0 && !called.includes(line) && line.after.length === 0) figures['told not at all']++;
        if (called.includes(line)) told.add(roundKey(person, have.get(person) ?? 0));
      }
      figures.answered += answers.length;
      had = have;
      // Every second round leaves messages unsent, so that the next round may change the day before they go out.
      while (n % 2 === 0 && (await waiting()) > 0) await delay(5);
    }
    while ((await waiting()) > 0) await delay(25);
    const taken = mail.taken();
    // Nothing was killed, so the mail server must have received each id once.
    figures['told twice'] += taken.length - new Set(taken).size;
    const fates = await wrongFates(told, lastRound, new Set(taken));
    figures['told not at all'] += fates['neither sent nor dropped'];
    keepFigures('release', COUNT, began, { ...figures, ...fates });
    expect(figures).toMatchObject({ 'told twice': 0, 'told not at all': 0 });
    expect(fates).toMatchObject({ 'dropped without reason': 0, 'dropped and sent': 0, 'neither sent nor dropped': 0 });
    expect(figures.messages).toBe(new Set(taken).size + fates.dropped);
    expect(figures.messages).toBeGreaterThan((COUNT * PEOPLE) / 2);
  },
  timeLimit(COUNT, 1000),
);
