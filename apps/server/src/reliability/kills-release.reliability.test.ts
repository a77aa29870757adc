import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomFrom } from '@clinic/domain';
import { startMailProcess, type MailProcess } from '../testing/mail-receiver-process.ts';
import { doseOf, keepFigures, seedOfRun, timeLimit } from './testing/doses.ts';
import { install, type Installed } from './testing/installed.ts';
import { buildReleaseDay, changeDay, PEOPLE, release } from './testing/release-day.ts';

const COUNT = doseOf('kills-release');
/** How many times to check for unsent messages before the test ends the claims of killed servers by hand. */
const LOOKS = 40;

let mail: MailProcess;
let installed: Installed;
beforeAll(async () => {
  installed = await install(async (folder) => {
    mail = await startMailProcess(join(folder, 'mails'));
    return { SMTP_URL: mail.url, MAIL_FROM: 'clinic@clinic.example' };
  });
  await buildReleaseDay(installed.beside.db, installed.staff);
}, 600_000);
afterAll(async () => {
  await installed.close();
  await mail.stop();
}, 300_000);

/** Releases messages as a coordinator would: again and again, until there is a reply. */
async function releaseUntilAcknowledged(): Promise<void> {
  for (;;) {
    const reply = await release(installed.staff).catch(() => null);
    if (reply?.statusCode === 200) return;
    if (reply && reply.statusCode < 500) throw new Error(reply.body);
    await delay(10);
  }
}

/**
 * Waits until no message is unsent, skipping the pauses between attempts. A message that a killed server had claimed is
 * free again after two minutes; that time is skipped too.
 */
async function untilSent(serverDied: boolean): Promise<void> {
  const { db } = installed.beside;
  for (let look = 0; ; look++) {
    const abandoned = look === LOOKS || (serverDied && look === 0);
    const { rows } = await sql<{ left: number }>`
      with hurried as (
        update message set next_try_at = now(), taken_until = null
        where sent_at is null and (taken_until is null or ${abandoned}))
      select count(*)::int as left from message where sent_at is null`.execute(db);
    if (rows[0]?.left === 0) return;
    await sql`select pg_notify('clinic_events', '{"kind":"calls","location":"altamonte","dates":[]}')`.execute(db);
    await delay(25);
  }
}

const sentNow = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from message where sent_at is not null`.execute(
    installed.beside.db,
  );
  return rows[0]?.n ?? 0;
};

test(
  'given the server, database or mail server killed during a release, no message is lost and none is created twice',
  async () => {
    const began = performance.now();
    const random = randomFrom(seedOfRun());
    const victims = ['server', 'database', 'mail server'] as const;
    const again = { server: 0, database: 0, 'mail server': 0 };
    let cut = 0;
    let most = 0;
    for (let n = 0; n < COUNT; n++) {
      const victim = victims[n % victims.length] ?? 'server';
      const before = mail.taken().length;
      await changeDay(installed.beside.db, n);
      const releasing = releaseUntilAcknowledged();
      // Every second kill comes at a random moment, and the others as soon as the first message has been sent.
      if (n % 2 === 0) await delay(random.int(5, 70));
      else while (mail.taken().length === before) await delay(1);
      if (victim === 'server') await installed.killServer();
      else if (victim === 'database') await installed.killDatabase();
      else await mail.kill();
      await releasing;
      if ((await sentNow()) < (n + 1) * PEOPLE && mail.taken().length > before) cut++;
      await untilSent(victim === 'server');
      const ids = mail.taken().slice(before);
      const times = new Map<string, number>();
      for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
      again[victim] += ids.length - times.size;
      most = Math.max(most, ...times.values());
    }
    const rows = await installed.beside.db.selectFrom('message').select(['id', 'person', 'number']).execute();
    const taken = new Set(mail.taken());
    const lost = rows.filter(({ id }) => !taken.has(id)).length;
    // One message per person and round, whatever was killed: a second message would have a different id.
    const repeated = rows.length - COUNT * PEOPLE;
    keepFigures('kills-release', COUNT, began, {
      messages: rows.length,
      lost,
      repeated,
      'cut in the middle': cut,
      'same id taken again, after a kill of the server': again.server,
      'of the database': again.database,
      'of the mail server': again['mail server'],
    });
    expect({ lost, repeated, strange: taken.size - rows.length }).toEqual({ lost: 0, repeated: 0, strange: 0 });
    expect(most).toBeLessThanOrEqual(2); // there was one kill, so at most one acknowledgement was lost
    expect(cut).toBeGreaterThan(0);
  },
  timeLimit(COUNT, 30_000),
);
