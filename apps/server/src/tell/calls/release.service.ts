import type { WallOf } from '../../day/facts/present.ts';
import type { LocationDay } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { inTransaction } from '../../db/retry.ts';
import type { Act } from '../../access/act.ts';
import { isoAt } from '../../platform/clock.ts';
import { refusal } from '../../platform/refusal.ts';
import type { Sender } from '../../platform/sending/sender.ts';
import { recordCallChange } from '../memory/call-day.ts';
import { lockLines } from './calls.service.ts';
import { whyNotSent, wordsOf } from '../lines/messages.ts';
import { insertMessages, type NewMessage } from '../lines/outbox.queries.ts';
import { reachOf } from '../lines/reach.ts';

/**
 * Releases a day: everyone who has a line and can get messages gets one message per version of the line, unless the line
 * waits for another plan or the family was promised a call. The messages go into the outbox and are sent in the
 * background.
 */
export async function releaseCalls(
  db: Db,
  wallOf: WallOf,
  { ways }: Pick<Sender, 'ways'>,
  publicUrl: string | undefined,
  on: LocationDay,
  act: Act,
): Promise<void> {
  if (!ways.email && !ways.text) throw refusal('sending-off');
  await inTransaction(db, async (trx) => {
    const lines = await lockLines(trx, wallOf, on);
    const { reach } = await reachOf(trx, lines);
    const messages = lines.flatMap((line): NewMessage[] => {
      const to = reach.get(line.person);
      if (!to || !ways[to.way] || whyNotSent(line) !== null) return [];
      const { person, version, now: day } = line;
      return [
        { person, version, way: to.way, address: to.address, words: wordsOf([line], on.date, to, publicUrl), day },
      ];
    });
    const ids = await insertMessages(trx, on, messages, act.caller.id, isoAt(act.at));
    if (ids.length > 0) await recordCallChange(trx, on, act, { action: 'calls.released', kind: 'person', ids });
  });
}
