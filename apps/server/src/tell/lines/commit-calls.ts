import type { ActionsReply } from '@clinic/contract';
import { afterWords, whomToCall, capital, type IsoDate, type Location } from '@clinic/domain';
import type { WallPresent } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import type { Line } from './line.ts';
import { loadCallList } from './load-calls.ts';

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
    for (const { kind, name, say, after } of lines)
      calls.push({
        who: whomToCall(kind, name),
        kind: kind === 'client' ? 'family' : 'therapist',
        date,
        say: `${wait(after)}${say.join(' ')}`,
      });
  }
  return calls;
}

/** Whose yes a call waits for, in front of its words: `After Yuki says yes: `. */
function wait(after: Line['after']): string {
  const words = afterWords(after.map(({ spoken }) => spoken));
  return after.length === 0 ? '' : `${capital(words)}: `;
}
