import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../../db/connection.ts';
import { inTransaction } from '../../../db/retry.ts';
import type { Clock } from '../../../platform/clock.ts';
import { millisOf } from '../../../platform/clock.ts';
import { publishEvent, type Events } from '../../../platform/events.ts';
import type { Sender } from '../../../platform/sending/sender.ts';
import { MailError } from '../../../platform/sending/smtp.ts';
import { settleMessage, takeDue, type DueMessage, type Outcome } from './outbox.queries.ts';

const AT_ONCE = 10;
/** For how long a message belongs to the server that sends it; longer than any try takes. */
const TAKEN_MS = 120_000;
/** How long to wait before recording a result again when the database cannot be reached. */
const RECORD_PAUSE_MS = 200;
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 3_600_000;
const GIVE_UP_MS = 24 * 3_600_000;

const iso = (at: number): string => new Date(at).toISOString();

/** How long to wait for the next try after so many tries. */
export const pauseAfter = (tries: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, Math.max(0, tries - 1)));

/**
 * Sends the messages that are due, each with its own try, and returns how many there were. A message stays in the
 * outbox until the mail server or gateway has accepted it. If this server dies before it has recorded that, the
 * message is sent once more with the same id.
 */
export async function sendDue(db: Db, sender: Sender, clock: Clock): Promise<number> {
  const now = clock.now();
  const due = await takeDue(db, AT_ONCE, iso(now), iso(now + TAKEN_MS));
  const done = await Promise.allSettled(due.map((message) => sendOne(db, sender, clock, message)));
  for (const each of done) if (each.status === 'rejected') throw each.reason;
  return due.length;
}

async function sendOne(db: Db, sender: Sender, clock: Clock, message: DueMessage): Promise<void> {
  const taken = clock.now();
  const { id, way, address, words } = message;
  const subject = words.split(':', 1)[0] ?? '';
  const outcome = await sender.send({ id, way, address, subject, text: words }).then(
    (): Outcome => ({ sentAt: iso(clock.now()) }),
    (error: unknown) => failureOf(message, error, clock.now()),
  );
  await record(db, message, outcome, () => clock.now() - taken < TAKEN_MS);
}

/**
 * Records the result of a try, and tries again while the message belongs to this server. If an acceptance were not
 * recorded, the message would be sent twice.
 */
async function record(db: Db, message: DueMessage, outcome: Outcome, isOurs: () => boolean): Promise<void> {
  const { location, date } = message;
  for (;;) {
    try {
      return await inTransaction(db, async (trx) => {
        await settleMessage(trx, message, outcome);
        await publishEvent(trx, { kind: 'calls', location, dates: [date] });
      });
    } catch (error) {
      if (!isOurs()) throw error;
      await delay(RECORD_PAUSE_MS);
    }
  }
}

function failureOf({ tries, released_at }: DueMessage, error: unknown, now: number): Outcome {
  // Only our own errors certainly hold no address.
  const fault = error instanceof MailError ? error.message : 'It could not be sent.';
  if (now - millisOf(released_at) >= GIVE_UP_MS) return { fault, failedAt: iso(now) };
  return { fault, nextTryAt: iso(now + pauseAfter(tries)) };
}

/**
 * Looks for due messages when a call list changes, and every `everyMs`. The returned function stops this, and waits
 * for tries under way.
 */
export function startSending(
  db: Db,
  sender: Sender,
  clock: Clock,
  { events, everyMs, onTrouble }: SendingOptions,
): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    try {
      while (!stopped && (await sendDue(db, sender, clock)) > 0);
    } catch (error) {
      onTrouble(error);
    }
  };
  const wake = (): void => {
    if (!stopped) running ??= look().finally(() => (running = null));
  };
  const timer = setInterval(wake, everyMs);
  const unsubscribe = events.subscribe((event) => {
    if (event.kind === 'calls') wake();
  });
  return async () => {
    stopped = true;
    clearInterval(timer);
    unsubscribe();
    await running;
  };
}

interface SendingOptions {
  readonly events: Events;
  readonly everyMs: number;
  readonly onTrouble: (error: unknown) => void;
}
