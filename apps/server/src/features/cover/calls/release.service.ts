import { shortDate, type IsoDate } from '@clinic/domain';
import type { WallOf } from '../../../clinic-day/present.ts';
import type { LocationDay } from '../../../clinic-day/versions.ts';
import type { Db } from '../../../db/connection.ts';
import { inTransaction } from '../../../db/retry.ts';
import type { Act } from '../../../platform/access/act.ts';
import { requireLocation } from '../../../platform/access/caller.ts';
import { refusal } from '../../../platform/refusal.ts';
import type { Sender } from '../../../platform/sending/sender.ts';
import { settle } from './calls.service.ts';
import type { Line } from './lines.ts';
import { loadCallList } from './load-calls.ts';
import { insertMessages, type NewMessage } from './outbox.queries.ts';
import { reachOf, type Reach } from './reach.ts';

/**
 * Releases a day: everyone who has a line and can get messages gets one, once for each version. The messages are put
 * into the outbox, and sent in the background.
 */
export async function releaseCalls(
  db: Db,
  wallOf: WallOf,
  { ways }: Pick<Sender, 'ways'>,
  publicUrl: string | undefined,
  on: LocationDay,
  act: Act,
): Promise<void> {
  requireLocation(act.caller, on.location);
  if (!ways.email && !ways.text) throw refusal('sending-off');
  await inTransaction(db, async (trx) => {
    const { lines } = await loadCallList(trx, on.location, on.date, wallOf(on.location));
    const reach = await reachOf(trx, lines);
    const messages = lines.flatMap((line): NewMessage[] => {
      const to = reach.get(line.person);
      if (!to || !ways[to.way]) return [];
      const { person, version } = line;
      return [{ person, version, way: to.way, address: to.address, words: wordsOf(line, on.date, to, publicUrl) }];
    });
    const ids = await insertMessages(trx, on, messages, act.caller.id, new Date(act.at).toISOString());
    if (ids.length > 0) await settle(trx, on, act, { action: 'calls.released', kind: 'person', ids });
  });
}

/**
 * The text of a message. It names no child, no service and no other person: `Your day on Fri 20 Nov has changed: 2
 * new, 1 gone. Open …`
 */
function wordsOf(
  { changes }: Pick<Line, 'changes'>,
  date: IsoDate,
  { ownPage }: Pick<Reach, 'ownPage'>,
  publicUrl: string | undefined,
): string {
  const count = (what: 'new' | 'gone'): string[] => {
    const n = changes.filter((change) => change.what === what).length;
    return n === 0 ? [] : [`${n} ${what}`];
  };
  const named = shortDate(date).replace(/^(\w+), (\w+) (\d+)$/, '$1 $3 $2');
  const then = ownPage && publicUrl !== undefined ? `Open ${publicUrl}/me` : 'Please call the clinic.';
  return `Your day on ${named} has changed: ${[...count('new'), ...count('gone')].join(', ')}. ${then}`;
}
