import type { ActionsReply } from '@clinic/contract';
import type { Random } from '@clinic/testkit';
import { verifyAudit } from '../../admin/verify.ts';
import type { Db } from '../../db/connection.ts';
import { submit, undo } from '../../testing/calls.ts';
import type { SignedIn } from '../../testing/test-app.ts';
import { randomChoice, type Morning } from './morning.ts';

/** The acknowledged commits by id, and whether each stands or was undone; `unknown` while an undo has no reply. */
export type Acknowledged = Map<string, 'stands' | 'undone' | 'unknown'>;

/** Sends commits and undos, several at a time, until stopped. A request without a reply guarantees nothing. */
export async function write(
  staff: SignedIn,
  mornings: readonly Morning[],
  acknowledged: Acknowledged,
  random: Random,
  going: () => boolean,
): Promise<void> {
  while (going()) {
    try {
      const morning = random.pick(mornings);
      const reply = await submit(staff, randomChoice(random, morning, random.pick(morning.proposals)));
      if (reply.statusCode === 200) {
        const { commit } = reply.json<ActionsReply>();
        if (!acknowledged.has(commit)) acknowledged.set(commit, 'stands');
      }
      const standing = [...acknowledged].filter(([, state]) => state === 'stands').map(([id]) => id);
      if (standing.length < 2) continue;
      const id = random.pick(standing);
      acknowledged.set(id, 'unknown');
      const undone = await undo(staff, id);
      if (undone.statusCode === 200) acknowledged.set(id, 'undone');
      else if (undone.statusCode < 500) acknowledged.set(id, 'stands');
    } catch {
      // The connection was lost, so nothing was acknowledged.
    }
  }
}

/** The acknowledged acts that are not stored as they were acknowledged. */
export async function lostOf(db: Db, acknowledged: Acknowledged): Promise<string[]> {
  const rows = await db.selectFrom('schedule_commit').select(['id', 'undone_at']).execute();
  const stored = new Map(rows.map((row) => [row.id, row.undone_at === null ? 'stands' : 'undone']));
  return [...acknowledged]
    .filter(([id, state]) => (state === 'unknown' ? !stored.has(id) : stored.get(id) !== state))
    .map(([id, state]) => `${id} ${state}`);
}

/** Undoes the standing commits, so that the next round starts from the same days. */
export async function takeAllBack(db: Db, staff: SignedIn): Promise<void> {
  const rows = await db.selectFrom('schedule_commit').select('id').where('undone_at', 'is', null).execute();
  for (const { id } of rows) {
    const reply = await undo(staff, id);
    if (reply.statusCode !== 200) throw new Error(`an undo got ${reply.statusCode}: ${reply.body}`);
  }
}

/** What is wrong in the chain of the audit trail. */
export const faultsInTrail = async (db: Db) => (await verifyAudit(db)).faults;
