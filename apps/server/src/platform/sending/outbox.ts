import { setTimeout as delay } from 'node:timers/promises';
import { emailKey } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { inTransaction } from '../../db/retry.ts';
import { isoAt, millisOf, type Clock } from '../clock.ts';
import type { Events } from '../events.ts';
import { leaveToOthers, settleMessage, takeDue, type DueMessage, type Outcome } from './outbox.queries.ts';
import { waysElsewhere } from '../servers.ts';
import { WAYS, type Sender, type Way } from './sender.ts';
import { MailError } from './smtp.ts';

const AT_ONCE = 10;
/** How long a message belongs to the server that has claimed it. This is longer than any attempt takes. */
const TAKEN_MS = 120_000;
/**
 * The time limit for deciding which messages to send. It leaves time for an attempt while this server owns the message.
 */
const SIFT_MS = 15_000;
/** How long to wait before failed database work is repeated. */
const PAUSE_MS = 200;
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 3_600_000;
const GIVE_UP_MS = 24 * 3_600_000;

/** The pause before the next attempt, in milliseconds, after this many attempts. */
export const pauseAfter = (tries: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, Math.max(0, tries - 1)));

/** The rules for one type of message: about a changed day, or an invitation. */
export interface Matter {
  /**
   * Drops messages that no longer apply, and corrects others. Works only on messages that this server has claimed and
   * not yet sent, so that one server never drops a message that another is sending.
   * @param ways the ways in which any server can send
   * @param at the current time in ISO 8601
   * @returns the messages to send, as corrected
   */
  sift(db: Db, due: readonly DueMessage[], ways: Sender['ways'], at: string): Promise<readonly DueMessage[]>;
  /** Called in the transaction that records an attempt. */
  tried(trx: Db, message: DueMessage): Promise<void>;
}

/** The dependencies for sending messages. */
export interface Outbox {
  readonly db: Db;
  readonly sender: Sender;
  /** Where this server runs (`servers.ts`); left out if it has not announced itself. */
  readonly place?: string;
  /** The current time. */
  readonly clock: Clock;
  readonly matters: Readonly<Record<'day' | 'invitation', Matter>>;
}

const matterOf = ({ matters }: Outbox, { invitation_id }: DueMessage): Matter =>
  invitation_id === null ? matters.day : matters.invitation;

/**
 * Claims due messages to up to `AT_ONCE` addresses and sends those that still apply. Messages with the same words about
 * the same day to one address go out as one; every other message has its own attempt. A message stays in the outbox
 * until the mail server or gateway has accepted it. If this server dies before recording the acceptance, the message is
 * sent once more with the same id.
 * @returns how many messages it claimed
 */
export async function sendDue(outbox: Outbox): Promise<number> {
  const { db, clock } = outbox;
  const now = clock.now();
  const elsewhere = await waysElsewhere(db, outbox.place ?? '', now);
  // What no server can send is taken too, so that it is dropped or fails, and is shown.
  const ways = WAYS.filter((way) => outbox.sender.ways[way] || !elsewhere.has(way));
  const due = await takeDue(db, AT_ONCE, isoAt(now), isoAt(now + TAKEN_MS), ways);
  if (due.length === 0) return 0;
  const kept = await untilDone(
    () => sift(outbox, due, elsewhere),
    () => clock.now() - now < SIFT_MS,
  );
  const done = await Promise.allSettled(together(kept).map((messages) => sendOne(outbox, messages, now)));
  for (const each of done) if (each.status === 'rejected') throw each.reason;
  return due.length;
}

/** Returns the messages for this server to send, as corrected. Others may now go in a way that only others can send. */
async function sift(outbox: Outbox, due: readonly DueMessage[], elsewhere: ReadonlySet<Way>): Promise<DueMessage[]> {
  const { db, sender, clock } = outbox;
  const anywhere = {
    email: sender.ways.email || elsewhere.has('email'),
    text: sender.ways.text || elsewhere.has('text'),
  };
  const kept: DueMessage[] = [];
  for (const matter of new Set(due.map((message) => matterOf(outbox, message)))) {
    const messages = due.filter((message) => matterOf(outbox, message) === matter);
    kept.push(...(await matter.sift(db, messages, anywhere, isoAt(clock.now()))));
  }
  const theirs = kept.filter(({ way }) => !sender.ways[way] && elsewhere.has(way));
  for (const message of theirs) await leaveToOthers(db, message);
  return kept.filter((message) => !theirs.includes(message));
}

/**
 * Groups messages with the same words about the same day to the same address, for example about two children of one
 * family.
 */
function together(messages: readonly DueMessage[]): DueMessage[][] {
  const groups = new Map<string, DueMessage[]>();
  for (const message of messages) {
    const { location, date, way, address, words, invitation_id } = message;
    const key = JSON.stringify([location, date, way, emailKey(address), words, invitation_id]);
    groups.set(key, [...(groups.get(key) ?? []), message]);
  }
  return [...groups.values()];
}

/**
 * Sends messages with the same words to the same address as one, under the lowest of their ids, so that every attempt
 * has the same id.
 * @param taken when this server claimed the messages, in milliseconds since 1970
 */
async function sendOne(outbox: Outbox, messages: readonly DueMessage[], taken: number): Promise<void> {
  const { db, sender, clock } = outbox;
  const [first] = [...messages].sort((a, b) => (a.id < b.id ? -1 : 1));
  if (!first) return;
  const { id, way, address, words } = first;
  // The messages get the same pause after a failure, so that they are sent together again.
  const tries = Math.max(...messages.map((message) => message.tries));
  const outcomeOf = await sender.send({ id, way, address, text: words }).then(
    () => (): Outcome => ({ sentAt: isoAt(clock.now()) }),
    (error: unknown) => (message: DueMessage) => failureOf({ ...message, tries }, error, clock.now()),
  );
  // If the acceptance were not recorded, the message would be sent twice.
  await untilDone(
    () =>
      inTransaction(db, async (trx) => {
        for (const message of messages) await settleMessage(trx, message, outcomeOf(message));
        await matterOf(outbox, first).tried(trx, first);
      }),
    () => clock.now() - taken < TAKEN_MS,
  );
}

/** Runs database work, and repeats it after a failure for as long as `isTime` returns true. */
async function untilDone<T>(work: () => Promise<T>, isTime: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTime()) throw error;
      await delay(PAUSE_MS);
    }
  }
}

function failureOf({ tries, released_at }: DueMessage, error: unknown, now: number): Outcome {
  // Only our own errors are certain to contain no address.
  const fault = error instanceof MailError ? error.message : 'It could not be sent.';
  if (now - millisOf(released_at) >= GIVE_UP_MS) return { fault, failedAt: isoAt(now) };
  return { fault, nextTryAt: isoAt(now + pauseAfter(tries)) };
}

/**
 * Sends due messages whenever a call list changes, and every `everyMs` milliseconds. Returns a function that stops the
 * sending and waits for attempts under way.
 */
export function startSending(outbox: Outbox, { events, everyMs, onTrouble }: SendingOptions): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    try {
      while (!stopped && (await sendDue(outbox)) > 0);
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
