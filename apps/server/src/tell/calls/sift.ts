import { emailKey } from '@clinic/domain';
import type { WallOf } from '../../day/facts/present.ts';
import type { DayAbsence } from '../../day/facts/day.ts';
import { inWriteOrder, type LocationDay } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { inTransaction, onSnapshot } from '../../db/retry.ts';
import type { DroppedWhy } from '../../db/schema/calls.ts';
import { millisOf } from '../../platform/clock.ts';
import { publishEvent } from '../../platform/events.ts';
import type { Matter } from '../../platform/sending/outbox.ts';
import { keepSifted, type DueMessage, type Sifted } from '../../platform/sending/outbox.queries.ts';
import type { Sender } from '../../platform/sending/sender.ts';
import type { CallData, Line } from '../lines/line.ts';
import { callList } from '../lines/lines.ts';
import { loadCallData } from '../lines/load-calls.ts';
import { saidNo, whyNotSent, wordsOf } from '../lines/messages.ts';
import { selectMessages } from '../lines/outbox.queries.ts';
import { reachOf, type Reach, type Reached } from '../lines/reach.ts';
import { personKey, type PersonKey } from '../memory/call-day.ts';
import { knowledge } from '../memory/knows.ts';

/** What determines whether a message still applies, and where it goes. */
interface SiftSettings {
  readonly wallOf: WallOf;
  readonly ways: Sender['ways'];
  readonly publicUrl: string | undefined;
}

/**
 * Tells the outbox how to handle messages about changed days: drop those that no longer apply, and correct addresses.
 */
export const dayMessages = (settings: Omit<SiftSettings, 'ways'>): Matter => ({
  async sift(db, due, ways, at) {
    const kept: DueMessage[] = [];
    for (const on of inWriteOrder(due)) {
      const messages = due.filter(({ location, date }) => location === on.location && date === on.date);
      kept.push(...(await siftDay(db, { ...settings, ways }, on, messages, at)));
    }
    return kept;
  },
  tried: (trx, { location, date }) => publishEvent(trx, { kind: 'calls', location, dates: [date] }),
});

async function siftDay(
  db: Db,
  settings: SiftSettings,
  { location, date }: LocationDay,
  messages: readonly DueMessage[],
  at: string,
): Promise<DueMessage[]> {
  const found = await onSnapshot(db, async (trx) => {
    const data = await loadCallData(trx, location, date, settings.wallOf(location));
    const people = new Set(messages.map(({ person }) => person));
    const lines = callList(data).lines.filter((line) => people.has(line.person));
    return { data, lines, ...(await reachOf(trx, lines)), newest: await selectMessages(trx, location, date) };
  });
  const sifted = siftAll(messages, found, settings);
  if (sifted.every(({ change }) => change === null)) return [...messages];
  return inTransaction(db, async (trx) => {
    const kept: DueMessage[] = [];
    for (const { message, change } of sifted) {
      const ours = change === null || (await keepSifted(trx, message, change, at));
      if (ours && !(change && 'drop' in change)) kept.push({ ...message, ...change });
    }
    await publishEvent(trx, { kind: 'calls', location, dates: [date] });
    return kept;
  });
}

interface Found extends Reached {
  readonly data: CallData;
  /** The call lines of the people to whom the messages go. */
  readonly lines: readonly Line[];
  readonly newest: Awaited<ReturnType<typeof selectMessages>>;
}

interface Applying {
  readonly message: DueMessage;
  readonly line: Line;
  readonly to: Reach;
}

/** Returns what to change in each message before it is sent; null if nothing. */
function siftAll(
  messages: readonly DueMessage[],
  found: Found,
  settings: SiftSettings,
): { message: DueMessage; change: Sifted | null }[] {
  const judged = messages.map((message) => ({ message, result: applies(message, found, settings) }));
  const applying = judged.flatMap(({ result }) => ('drop' in result ? [] : [result]));
  return judged.map(({ message, result }) => ({
    message,
    change: 'drop' in result ? result : corrected(result, applying, settings),
  }));
}

function applies(message: DueMessage, found: Found, { ways }: SiftSettings): Applying | { drop: DroppedWhy } {
  if (isOld(message, found)) return { drop: 'newer' };
  const line = found.lines.find(({ person }) => person === message.person);
  if (line?.version !== message.version) return { drop: whyChanged(message, line, found) };
  const why = whyNotSent(line);
  if (why) return { drop: why };
  const to = found.reach.get(line.person);
  if (!to) return { drop: found.toCall.has(line.person) ? 'phone' : 'address' };
  return ways[to.way] ? { message, line, to } : { drop: 'off' };
}

/**
 * Returns the address at which the person is reached now, and the words of the message. The words count the changes for
 * everyone who is reached at that address, so that the parent of two children gets one message; where the contacts of one
 * address speak two languages, it is in both. Null if both are already stored.
 */
function corrected(
  { message, to }: Applying,
  applying: readonly Applying[],
  { publicUrl }: SiftSettings,
): Sifted | null {
  const { way, address, ownPage } = to;
  const mates = applying.filter(
    (each) => each.to.way === way && each.to.ownPage === ownPage && emailKey(each.to.address) === emailKey(address),
  );
  const lines = mates.map(({ line }) => line);
  const languages = [...new Set(mates.map((each) => each.to.language))].sort();
  const words = languages
    .map((language) => wordsOf(lines, message.date, { ownPage, language }, publicUrl))
    .join('\n\n');
  const isStored = message.way === way && message.address === address && message.words === words;
  return isStored ? null : { way, address, words };
}

const isOld = ({ person, number }: DueMessage, { newest }: Found): boolean =>
  newest.some((each) => each.person === person && each.number > number);

/** Returns why the person no longer has the line that a message is about: they have another one now, or none. */
function whyChanged(message: DueMessage, line: Line | undefined, found: Found): DroppedWhy {
  const { data } = found;
  const of = ({ person }: { readonly person: PersonKey }): boolean => person === message.person;
  const { told = null, since = [] } = knowledge(data.answers.filter(of)).values().next().value ?? {};
  const isToldOfIt =
    told?.version === message.version || (told && !line && millisOf(told.at) > millisOf(message.released_at));
  if (told && isToldOfIt) return told.answer === 'sheet' ? 'sheet' : told.byPage ? 'page' : 'told';
  if (saidNo({ since, version: message.version })) return 'said-no';
  if (line) return line.promised === null ? 'changed' : 'promise';
  const person = data.people.find(({ kind, id }) => personKey(kind, id) === message.person);
  if (!person) return 'left';
  const whole = { ...data, present: { ...data.present, from: 0 } };
  if (callList(whole).lines.some(of)) return 'over';
  if (callList(withoutAbsences(whole, (id) => id === person.id)).lines.some(of)) return 'away';
  // Someone else may be away, such as the child whom a therapist was to have.
  return callList(withoutAbsences(whole, () => true)).lines.some(of) ? 'changed' : 'undone';
}

/** The day as it would be if these people were not away. */
function withoutAbsences(data: CallData, isThere: (id: string) => boolean): CallData {
  const left = (absences: readonly DayAbsence[]): DayAbsence[] =>
    absences.filter(({ therapistId, clientId }) => !isThere(therapistId ?? clientId ?? ''));
  return { ...data, day: { ...data.day, absences: left(data.day.absences) }, further: left(data.further) };
}
