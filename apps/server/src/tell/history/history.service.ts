import type { SessionHistory } from '@clinic/contract';
import { whomToCall, type Location } from '@clinic/domain';
import { selectAppointment } from '../../day/facts/clinic-day.queries.ts';
import { selectCommit } from '../../day/commits.ts';
import type { DatedAppointment } from '../../day/facts/day.ts';
import { selectNames } from '../../people/people.ts';
import type { WallOf } from '../../day/facts/present.ts';
import { bookedWith, hadNobody } from '../../day/present-appointment.ts';
import type { Db } from '../../db/connection.ts';
import { onSnapshot } from '../../db/retry.ts';
import type { Caller } from '../../access/sessions.ts';
import { requireLocation } from '../../access/caller.ts';
import { isoOf, millisOf } from '../../platform/clock.ts';
import { refusal } from '../../platform/refusal.ts';
import { personKey, selectAnswers, type Answer, type PersonKey } from '../memory/call-day.ts';
import { loadCallList } from '../lines/load-calls.ts';
import { callWords, wordsOf } from './history-words.ts';
import { selectClientsOf, selectEvents, type SessionEvent } from './history.queries.ts';

export interface ReadHistory {
  readonly location: Location;
  readonly clients: readonly string[];
  readonly reply: SessionHistory;
}

/** What happened to a session and, if it is covered, who decided on the cover and who has been told. */
export function readHistory(db: Db, wallOf: WallOf, caller: Caller, key: string): Promise<ReadHistory> {
  return onSnapshot(db, async (trx) => {
    const session = await selectAppointment(trx, key);
    if (!session) throw refusal('no-such-appointment');
    const { location, date, parentId } = session;
    requireLocation(caller, location);
    const events = ownEvents(session, await selectEvents(trx, parentId === null ? [key] : [parentId, key]));
    const answers = await selectAnswers(trx, location, date);
    const clients = await selectClientsOf(trx, session);
    const names = await selectNames(trx, [...idsIn(session, events), ...clients]);
    const nameOf = (id: string): string => names.get(id) ?? 'a therapist';
    const told = answersAbout(session, events, answers).map((answer) => ({
      at: answer.at,
      by: answer.by,
      words: callWords(answer.answer, whoIs(answer.person, nameOf)),
      reason: answer.note,
    }));
    const done = events.map((event) => ({
      at: event.at,
      by: event.by,
      words: wordsOf(event, nameOf),
      reason: event.what === 'changed' ? null : event.reason,
    }));
    const lines = [...done, ...told]
      .map((line) => ({ ...line, at: isoOf(line.at), reason: line.reason === '' ? null : line.reason }))
      .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    const cover = await coverOf(trx, wallOf, session, names, clients);
    return { location, clients, reply: { lines, cover } };
  });
}

/**
 * Returns a session's events. For a piece, the events of the session from which it was cut come first, up to the cut.
 */
export function ownEvents(session: Pick<DatedAppointment, 'key'>, events: readonly SessionEvent[]): SessionEvent[] {
  const cut = events.find((event) => event.of === session.key)?.at;
  return events.filter(
    (event) => event.of === session.key || (cut !== undefined && millisOf(event.at) < millisOf(cut)),
  );
}

function idsIn(session: DatedAppointment, events: readonly SessionEvent[]): string[] {
  const states = [session, ...events.flatMap(({ before, after }) => [before, after])];
  const ids = states.flatMap((state) => [state?.therapistId, state?.bookedTherapistId]);
  return [...new Set([...ids, session.clientId])].filter((id) => id != null);
}

/** Returns the calls to the session's people after the session's first change. */
function answersAbout(
  session: DatedAppointment,
  events: readonly SessionEvent[],
  answers: readonly Answer[],
): readonly Answer[] {
  const first = events.find((event) => event.what !== 'booked');
  if (!first) return [];
  const people = new Set<PersonKey>([
    ...idsIn(session, events).map((id) => personKey('therapist', id)),
    personKey('client', session.clientId ?? ''),
  ]);
  const since = millisOf(first.at);
  // The cancelled session's own events already show that the family was told of the cancellation.
  return answers.filter(
    ({ person, at, cancelled }) => people.has(person) && millisOf(at) >= since && cancelled === null,
  );
}

const whoIs = (person: PersonKey, nameOf: (id: string) => string): string => {
  const name = nameOf(person.slice(person.indexOf(':') + 1));
  return whomToCall(person.startsWith('client:') ? 'client' : 'therapist', name);
};

async function coverOf(
  trx: Db,
  wallOf: WallOf,
  session: DatedAppointment,
  names: ReadonlyMap<string, string>,
  clients: readonly string[],
): Promise<SessionHistory['cover']> {
  const { location, date, therapistId } = session;
  const had = bookedWith(session, names);
  const commit = session.commitId === null ? null : await selectCommit(trx, session.commitId);
  if ((had === null && !hadNobody(session)) || !commit) return null;
  const { lines, told } = await loadCallList(trx, location, date, wallOf(location));
  const people = [
    ...(therapistId === null ? [] : [personKey('therapist', therapistId)]),
    ...clients.map((id) => personKey('client', id)),
  ];
  const known = people.flatMap((person) => {
    const open = lines.some((line) => line.person === person);
    if (!open && !told.some((each) => each.person === person)) return [];
    return [{ who: whoIs(person, (id) => names.get(id) ?? ''), told: !open }];
  });
  return { booked_with: had, by: commit.committedBy, at: isoOf(commit.committedAt), told: known };
}
