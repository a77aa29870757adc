import type { ActionsReply } from '@clinic/contract';
import {
  afterWords,
  capital,
  languageOf,
  planFirstWords,
  SPANISH,
  whomToCall,
  type IsoDate,
  type Location,
  type PersonKind,
} from '@clinic/domain';
import type { WallPresent } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import { loadContacts } from '../../people/contacts.ts';
import type { Line } from './line.ts';
import { loadCallList } from './load-calls.ts';
import { saidNo } from './messages.ts';

/**
 * Returns all open call lines of a commit's dates, whatever change they come from, as the call lists show them now.
 * Call this after the commit's writes.
 */
export async function commitCalls(
  trx: Db,
  location: Location,
  wall: WallPresent,
  dates: readonly IsoDate[],
): Promise<ActionsReply['calls']> {
  const calls: ActionsReply['calls'] = [];
  for (const date of dates) {
    const { lines } = await loadCallList(trx, location, date, wall);
    const speakers = await spanishSpeakers(trx, lines);
    for (const line of lines)
      calls.push({
        who: whomToCall(line.kind, line.name),
        kind: line.kind === 'client' ? 'family' : 'therapist',
        date,
        say: [...first(line), ...line.say].join(' '),
        ...(speakers.has(line.id) ? { say_es: line.sayIn(SPANISH).join(' ') } : {}),
      });
  }
  return calls;
}

/** The ids of the people one of whose contacts speaks Spanish. */
async function spanishSpeakers(db: Db, lines: readonly Line[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const kind of ['therapist', 'client'] satisfies PersonKind[]) {
    const ids = lines.filter((line) => line.kind === kind).map(({ id }) => id);
    for (const [id, contacts] of await loadContacts(db, kind, ids, null))
      if (contacts.some(({ language }) => languageOf(language) === 'es')) found.add(id);
  }
  return found;
}

/** What a call waits for, in front of its words: a new plan, or someone's yes (`After Yuki says yes:`). */
function first(line: Line): string[] {
  const { kind, name, after, waitsFor } = line;
  const no = saidNo(line) ? [`${whomToCall(kind, name)} said no`] : [];
  if (waitsFor.length + no.length > 0) return [...no, ...waitsFor].map(planFirstWords);
  return after.length === 0 ? [] : [`${capital(afterWords(after.map(({ spoken }) => spoken)))}:`];
}
