import type { ActionsReply } from '@clinic/contract';
import { afterWords, planFirstWords, whomToCall, capital, type IsoDate, type Location } from '@clinic/domain';
import type { WallPresent } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
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
    for (const line of lines)
      calls.push({
        who: whomToCall(line.kind, line.name),
        kind: line.kind === 'client' ? 'family' : 'therapist',
        date,
        say: [...first(line), ...line.say].join(' '),
      });
  }
  return calls;
}

/** What a call waits for, in front of its words: a new plan, or someone's yes (`After Yuki says yes:`). */
function first(line: Line): string[] {
  const { kind, name, after, waitsFor } = line;
  const no = saidNo(line) ? [`${whomToCall(kind, name)} said no`] : [];
  if (waitsFor.length + no.length > 0) return [...no, ...waitsFor].map(planFirstWords);
  return after.length === 0 ? [] : [`${capital(afterWords(after.map(({ spoken }) => spoken)))}:`];
}
